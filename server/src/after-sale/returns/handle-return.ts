import { authorize } from '#accounts'
import { withoutContacts } from '#messages'
import type { Scope } from '#platform'
import { findOrder } from '#orders'
import { requestRefund } from '#refunds'
import { arrangeWayBack } from './arrange-way-back.ts'
import { isUuid } from './decide-cancellation.ts'
import { notifyReturn } from './notify-return.ts'
import { canReturnStep, findings, type Finding, type ReturnRequest, type ReturnState } from './return-request.ts'
import { lockReturn, writeReturnStep } from './return-store.ts'

export type HandledReturn =
  | { ok: true; state: ReturnState }
  | { ok: false; reason: 'unknown-return' | 'not-now' | 'nothing-left' | 'input-invalid' }

/** What a seller does with a return; the operator may do it in their place. */
export interface ReturnDeed {
  do: 'accept' | 'refuse' | 'receive' | 'inspect' | 'refund' | 'exchange'
  /** On inspection. */
  finding: string
  /** Part of the price; null refunds the whole. */
  amount: number | null
  note: string | null
}

const target: Record<ReturnDeed['do'], ReturnState> = {
  accept: 'accepted',
  refuse: 'refused',
  receive: 'received',
  inspect: 'inspected',
  refund: 'refunded',
  exchange: 'exchanged',
}

/** One step of a return by its seller, on the locked row; a refund is requested in the same transaction. */
export async function handleReturn(scope: Scope, id: string, deed: ReturnDeed): Promise<HandledReturn> {
  const request = isUuid(id) ? await lockReturn(scope.db, id, scope.market) : undefined
  if (!request || !authorize(scope, 'return.handle', { sellerId: request.sellerId })) return { ok: false, reason: 'unknown-return' }
  const to = target[deed.do]
  if (!canReturnStep(request.state, to, 'seller')) return { ok: false, reason: 'not-now' }
  // A withdrawal is a right: the seller may deduct for use after inspection, but not refuse it.
  if (to === 'refused' && request.basis === 'withdrawal') return { ok: false, reason: 'not-now' }
  const finding = deed.do === 'inspect' ? findings.find((each) => each === deed.finding) : undefined
  if (deed.do === 'inspect' && !finding) return { ok: false, reason: 'input-invalid' }
  if (deed.do === 'refund' && deed.amount !== null && !(Number.isSafeInteger(deed.amount) && deed.amount > 0))
    return { ok: false, reason: 'input-invalid' }
  if (deed.do === 'refund' && (await refund(scope, request, deed.amount)) === undefined) return { ok: false, reason: 'nothing-left' }
  await step(scope, request, to, finding ?? null, deed.note)
  // With the goods on their way back, a label follows; goods that stay need none.
  if (to === 'accepted' && request.method !== 'keep') {
    await writeReturnStep(scope.db, id, { from: 'accepted', to: 'label-sent', actor: 'system' })
    await notifyReturn(scope, request, 'accepted')
    await arrangeWayBack(scope, request)
    return { ok: true, state: 'label-sent' }
  }
  if (to !== 'received' && to !== 'inspected')
    await notifyReturn(scope, request, to === 'accepted' ? 'accepted' : to === 'refused' ? 'refused' : 'settled')
  return { ok: true, state: to }
}

async function step(
  scope: Scope,
  { id, state, customerOrderId, sellerOrderId }: ReturnRequest,
  to: ReturnState,
  finding: Finding | null,
  note: string | null,
): Promise<void> {
  const short = note ? withoutContacts(note.normalize('NFKC').trim().slice(0, 500), scope.market).text || null : null
  await writeReturnStep(scope.db, id, { from: state, to, actor: 'seller', finding, note: short })
  scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: to })
}

/** The whole of the goods with what the right includes of the delivery charge; or part of the price. */
function refund(scope: Scope, request: ReturnRequest, amount: number | null): Promise<string | undefined> {
  const { id, customerOrderId, sellerOrderId, lines, basis } = request
  const cause = basis === 'withdrawal' ? 'withdrawal' : 'return'
  const common = { customerOrderId, sellerOrderId, cause, key: `return:${id}` } as const
  if (amount !== null) return requestRefund(scope, { ...common, extra: { offerId: lines.map(({ offerId }) => offerId), amount } })
  const delivery = basis === 'withdrawal' ? 'standard' : basis === 'policy' ? 'none' : 'full'
  return requestRefund(scope, { ...common, units: lines, delivery })
}

/** The buyer's own steps: handed over to the carrier, or no longer wanted. */
export async function stepByBuyer(scope: Scope, id: string, to: 'in-transit' | 'closed'): Promise<HandledReturn> {
  const request = isUuid(id) ? await lockReturn(scope.db, id, scope.market) : undefined
  const order = await findOrder(scope, 'return.ask', request?.customerOrderId ?? 'P0000000000000000')
  if (!request || !order) return { ok: false, reason: 'unknown-return' }
  if (!canReturnStep(request.state, to, 'buyer')) return { ok: false, reason: 'not-now' }
  await writeReturnStep(scope.db, id, { from: request.state, to, actor: 'buyer' })
  const { customerOrderId, sellerOrderId } = request
  scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: to })
  return { ok: true, state: to }
}
