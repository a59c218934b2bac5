import { wordsFor } from '@purlin/words/catalogues.ts'
import { authorize } from '#accounts'
import { withoutContacts } from '#messages'
import { allowByToken, findOrder, lockPart, noOrderId, placeReplacement, readOrder, readPaidPart } from '#orders'
import { settings, type Scope } from '#platform'
import { readRefundedBefore, refundOfUnits } from '#refunds'
import { areStillFree, piecesLeft } from './are-still-free.ts'
import { arrangeWayBack } from './arrange-way-back.ts'
import { isUuid } from './decide-cancellation.ts'
import { notifyReturn } from './notify-return.ts'
import { refundReturn } from './refund-return.ts'
import {
  canExcept,
  canHandOver,
  canReturnStep,
  deductionAllowed,
  exceptions,
  findings,
  type Finding,
  type ReturnRequest,
  type ReturnState,
  type WithdrawalException,
} from './return-request.ts'
import { lockReturn, writeReplacement, writeReturnStep } from './return-store.ts'

export type HandledReturn =
  | { ok: true; state: ReturnState }
  | { ok: false; reason: 'unknown-return' | 'not-now' | 'nothing-left' | 'out-of-stock' | 'input-invalid' }

/** What a seller does with a return; the operator may do it in their place. */
export interface ReturnDeed {
  do: 'accept' | 'refuse' | 'receive' | 'inspect' | 'refund' | 'exchange'
  /** On inspection; the exception on which a withdrawal is refused. */
  finding: string
  /** Part of the price; null refunds the whole, or what the buyer named. The delivery charge that the return includes is paid in addition. */
  amount: number | null
  note: string | null
}

const settledByOtherMoney: ReadonlySet<ReturnState> = new Set(['accepted', 'inspected'])

const target: Record<ReturnDeed['do'], ReturnState> = {
  accept: 'accepted',
  refuse: 'refused',
  receive: 'received',
  inspect: 'inspected',
  refund: 'refunded',
  exchange: 'exchanged',
}

/** One step of a return by its seller, on the locked row; a refund or a replacement is ordered in the same transaction. */
export async function handleReturn(scope: Scope, id: string, deed: ReturnDeed): Promise<HandledReturn> {
  const request = isUuid(id) ? await lockReturn(scope.db, id, scope.market) : undefined
  if (!request || !authorize(scope, 'return.handle', { sellerId: request.sellerId })) return { ok: false, reason: 'unknown-return' }
  const to = target[deed.do]
  if (!canReturnStep(request.state, to, 'seller')) return { ok: false, reason: 'not-now' }
  // A withdrawal is a right: the seller may deduct for use after inspection, but neither replace the goods nor, unless the law
  // excepts them, refuse it.
  if (to === 'exchanged' && request.basis === 'withdrawal') return { ok: false, reason: 'not-now' }
  const exception = to === 'refused' ? exceptionOf(request, deed) : null
  if (to === 'refused' && !exception && (request.basis === 'withdrawal' || request.state === 'label-sent'))
    return { ok: false, reason: 'not-now' }
  if (request.state === 'lapsed' && !(await areStillFree(scope, request))) return { ok: false, reason: 'not-now' }
  const finding = deed.do === 'inspect' ? findings.find((each) => each === deed.finding) : undefined
  if (deed.do === 'inspect' && !finding) return { ok: false, reason: 'input-invalid' }
  if (deed.do === 'refund' && deed.amount !== null && !(Number.isSafeInteger(deed.amount) && deed.amount > 0))
    return { ok: false, reason: 'input-invalid' }
  // Incidents of the part end before it is settled, or after.
  if (to === 'refunded' || sendsGoods(request, to)) await lockPart(scope.db, request.sellerOrderId)
  const deduction = deed.do === 'refund' ? await deductionOf(scope, request, deed.amount) : 0
  const reason = exception && wordsFor(request.market)(`returns.exception.${exception}`)
  const note = [reason, shortNote(scope, deed.note)].filter(Boolean).join('\n') || null
  if (deduction > 0) {
    if (deductionAllowed(request) !== 'after-inspection') return { ok: false, reason: 'not-now' }
    if (request.state !== 'inspected' || !request.finding || request.finding === 'as-described') return { ok: false, reason: 'not-now' }
    // The buyer is told why.
    if (!note && !request.decisionNote) return { ok: false, reason: 'input-invalid' }
  }
  const isRefunded = deed.do !== 'refund' || (await refundReturn(scope, request, deed.amount)) !== undefined
  // If everything has been paid back otherwise, it is settled with that, and the goods are the seller's. Before they are inspected,
  // only what cannot be refused.
  if (!isRefunded && request.basis !== 'withdrawal' && !settledByOtherMoney.has(request.state)) return { ok: false, reason: 'nothing-left' }
  const areOwn = to === 'refused' || request.wish === 'repair'
  const lines = sendsGoods(request, to) ? await piecesLeft(scope, request, { areOwn }) : []
  // All of them were paid back while the return was open.
  if (to === 'exchanged' && sendsGoods(request, to) && lines.length === 0) return { ok: false, reason: 'nothing-left' }
  const replacementOrder = lines.length > 0 ? await sendGoods(scope, { ...request, lines }, areOwn) : null
  if (replacementOrder === undefined) return { ok: false, reason: 'out-of-stock' }
  await step(scope, request, to, { finding, exception, note })
  // With the goods on their way back, a label follows; goods that stay need none.
  if (to === 'accepted' && request.method !== 'keep') {
    await writeReturnStep(scope.db, id, { from: 'accepted', to: 'label-sent', actor: 'system' })
    await notifyReturn(scope, request, 'accepted')
    await arrangeWayBack(scope, request)
    return { ok: true, state: 'label-sent' }
  }
  if (to !== 'received' && to !== 'inspected') {
    const decided = { ...request, decisionNote: note ?? request.decisionNote, replacementOrder }
    await notifyReturn(scope, decided, to === 'accepted' ? 'accepted' : to === 'refused' ? 'refused' : 'settled', deduction)
  }
  return { ok: true, state: to }
}

/** A repair at the buyer's home needs no parcel; goods whose claim is refused after an inspection are still the buyer's. */
function sendsGoods({ state, wish, method }: ReturnRequest, to: ReturnState): boolean {
  return to === 'exchanged' ? !(wish === 'repair' && method === 'keep') : to === 'refused' && state === 'inspected'
}

/** Orders what the buyer gets in place of the goods, or the goods themselves; undefined if the seller has too few pieces. */
async function sendGoods(scope: Scope, request: ReturnRequest, areOwn: boolean): Promise<string | undefined> {
  const order = await placeReplacement(scope, { ...request, areOwn })
  if (order === undefined) return undefined
  await writeReplacement(scope.db, request.id, order)
  // Somebody who has come by the link of a mail follows it from the page of the return.
  await allowByToken(scope.db, settings().mail.linkSecret, order)
  return order
}

async function step(
  scope: Scope,
  { id, state, customerOrderId, sellerOrderId }: ReturnRequest,
  to: ReturnState,
  { finding, exception, note }: { finding: Finding | undefined; exception: WithdrawalException | null; note: string | null },
): Promise<void> {
  await writeReturnStep(scope.db, id, { from: state, to, actor: 'seller', finding: finding ?? null, exception, note })
  scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: to })
}

function exceptionOf({ basis, state }: ReturnRequest, { finding }: ReturnDeed): WithdrawalException | null {
  const named = basis === 'withdrawal' ? exceptions.find((each) => each === finding) : undefined
  return named && canExcept(state, named) ? named : null
}

function shortNote({ market }: Scope, note: string | null): string | null {
  return note ? withoutContacts(note.normalize('NFKC').trim().slice(0, 500), market).text || null : null
}

/** How much of the price, or of the part of it that the buyer named, this amount holds back. Source: 2011/83/EU art. 13(1), 14(2). */
async function deductionOf({ db }: Scope, request: ReturnRequest, amount: number | null): Promise<number> {
  if (amount === null) return 0
  if (deductionAllowed(request) === 'as-wished') return Math.max(0, (request.wishedAmount ?? 0) - amount)
  const order = await readOrder(db, request.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  if (!order || !part) return 0
  const paid = await readPaidPart(db, order, part)
  const due = refundOfUnits(paid, (await readRefundedBefore(db, paid.id)).lines, request.lines, 'standard')
  return Math.max(0, due.reduce((all, { goods }) => all + goods, 0) - amount)
}

/** The buyer's own steps: handed over to the carrier, or no longer wanted. */
export async function stepByBuyer(scope: Scope, id: string, to: 'in-transit' | 'closed'): Promise<HandledReturn> {
  const request = isUuid(id) ? await lockReturn(scope.db, id, scope.market) : undefined
  const order = await findOrder(scope, 'return.ask', request?.customerOrderId ?? noOrderId)
  if (!request || !order) return { ok: false, reason: 'unknown-return' }
  if (to === 'in-transit' ? !canHandOver(request) : !canReturnStep(request.state, to, 'buyer')) return { ok: false, reason: 'not-now' }
  await writeReturnStep(scope.db, id, { from: request.state, to, actor: 'buyer' })
  const { customerOrderId, sellerOrderId } = request
  scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: to })
  return { ok: true, state: to }
}
