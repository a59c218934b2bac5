import type { Market } from '@purlin/contract/markets.ts'
import { ownerOf } from '#accounts'
import { findMessage, findPart, withoutContacts, workingDaysLater, type PartAction, type SeenPart } from '#messages'
import { readMoves, readOrder } from '#orders'
import { isId, newId, takeNumbers, type JobScope, type Scope } from '#platform'
import { requestRefund } from '#refunds'
import { useUploads } from '#uploads'
import {
  disputeLimits,
  disputeReasons,
  disputeWishes,
  dueDays,
  mayFollow,
  stateAfter,
  unknownOrder,
  type Dispute,
  type DisputeAction,
  type DisputeActor,
  type DisputeReason,
  type DisputeWish,
} from './dispute.ts'
import { endIncident } from './end-incident.ts'
import { leftOfPrice } from './left-of-price.ts'
import { tellOfStep } from './mails-of-step.ts'
import { appendStep, countNotes, insertDispute, findDispute, lockDispute, moveDisputeTo, readDisputesOfOrder, readSteps } from './store.ts'

export type DisputeRefusal =
  | 'unknown-order'
  | 'unknown-dispute'
  | 'dispute-exists'
  | 'dispute-decided'
  | 'dispute-too-early'
  | 'move-not-allowed'
  | 'note-missing'
  | 'amount-invalid'
  | 'too-many-notes'
  | 'attachment-gone'
  | 'out-of-stock'
  | 'return-under-way'
export type Disputed = { ok: true; id: string } | { ok: false; reason: DisputeRefusal }

const firstNumber = 20_001

export interface OpenDispute {
  orderId: string
  messageId: string
  reason: DisputeReason
  wish: DisputeWish
  /** For a part refund, in minor units with VAT. */
  amount?: number | null
  note: string
  attachments?: readonly string[] | null
}

/** Opens a dispute about a seller order whose conversation did not solve it: the buyer has written, and names that message. */
export async function openDispute(scope: Scope, input: OpenDispute): Promise<Disputed> {
  const seen = await findPart(scope, 'dispute.open', input.orderId)
  const message = seen && (await findMessage(scope.db, input.messageId))
  if (!seen || !message || message.sellerOrderId !== seen.part.id || message.author !== 'buyer')
    return { ok: false, reason: 'unknown-order' }
  const { order, part } = seen
  if (order.paidAt === null && !['paid', 'part-shipped', 'shipped', 'delivered', 'closed', 'part-refunded'].includes(order.state))
    return { ok: false, reason: 'dispute-too-early' }
  const reason = disputeReasons.find((each) => each === input.reason) ?? 'other'
  const earlier = (await readDisputesOfOrder(scope.db, order.id)).filter(({ sellerOrderId }) => sellerOrderId === part.id)
  if (!mayFollow(reason, earlier, await readMoves(scope.db, [part.id]))) return { ok: false, reason: 'dispute-decided' }
  const wish = disputeWishes.find((each) => each === input.wish) ?? 'refund'
  const left = await leftOfPrice(scope.db, order, part)
  const wanted = wish === 'refund' ? left : wish === 'part-refund' ? (input.amount ?? 0) : 0
  if (wish === 'part-refund' && !isAmount(wanted, left)) return { ok: false, reason: 'amount-invalid' }
  const note = cleanNote(scope, input.note)
  if (note === '') return { ok: false, reason: 'note-missing' }

  const { db, now, market } = scope
  const id = newId()
  const number = String(await takeNumbers(db, 'dispute', 1, firstNumber))
  const dueAt = workingDaysLater(market, now, dueDays.open ?? 0)
  const about = { messageId: input.messageId, sellerOrderId: part.id, customerOrderId: order.id, sellerId: part.sellerId, market }
  const dispute = await insertDispute(db, { id, number, ...about, reason, wish, wanted, dueAt, openedAt: now })
  if (!dispute) return { ok: false, reason: 'dispute-exists' }
  const files = await useUploads(scope, (input.attachments ?? []).slice(0, disputeLimits.files), `dispute:${id}`)
  if (!files) return { ok: false, reason: 'attachment-gone' }
  const step = { actor: 'buyer' as const, action: 'open' as const, note, amount: wanted, files: files.map(named(market)), at: now }
  const position = await appendStep(db, id, step, ownerOf(scope))
  await tellOfStep(scope, order, dispute, { ...step, position })
  scope.emit('dispute.changed', { disputeId: id, customerOrderId: order.id, sellerOrderId: part.id, state: 'open' })
  return { ok: true, id }
}

export interface MoveDispute {
  id: string
  action: DisputeAction
  note?: string | null
  amount?: number | null
  attachments?: readonly string[] | null
}

/** A move of a party, as the table of moves allows it. */
export async function moveDispute(scope: Scope, action: PartAction, input: MoveDispute): Promise<Disputed> {
  const known = isId(input.id) ? await findDispute(scope.db, input.id) : undefined
  const seen = await findPart(scope, action, known?.sellerOrderId ?? unknownOrder)
  if (!known || !seen) return { ok: false, reason: 'unknown-dispute' }
  return makeMove(scope, seen, {
    ...input,
    actor: seen.side,
    writer: seen.side === 'buyer' ? ownerOf(scope) : null,
    take: (ids) => useUploads(scope, ids, `dispute:${known.id}`),
  })
}

type Taken = Awaited<ReturnType<typeof useUploads>>

export interface ActorsMove extends MoveDispute {
  actor: DisputeActor
  /** The owner key of the customer who makes it. */
  writer?: string | null
  take: (ids: readonly string[]) => Promise<Taken>
}

/** A move of an authorised party, or of the system: state, step, refund and mails in the caller's transaction. */
export async function makeMove(
  scope: JobScope,
  { order, part }: Pick<SeenPart, 'order' | 'part'>,
  { id, action, actor, writer = null, note, amount, attachments, take }: ActorsMove,
): Promise<Disputed> {
  const { db, now } = scope
  const dispute = await lockDispute(db, id)
  const state = dispute && stateAfter(dispute.state, action, actor)
  if (!dispute) return { ok: false, reason: 'unknown-dispute' }
  if (!state) return { ok: false, reason: 'move-not-allowed' }
  if (action === 'add' && (await countNotes(db, id, actor, new Date(now.getTime() - 3_600_000))) >= disputeLimits.notesPerHour)
    return { ok: false, reason: 'too-many-notes' }
  // Limits what the parties add, never a decision or a deadline: nobody can hold up the end by writing.
  if (action === 'add' && (await readSteps(db, id)).length >= disputeLimits.steps) return { ok: false, reason: 'move-not-allowed' }
  const text = cleanNote({ market: dispute.market }, note ?? '')
  if (text === '' && needsNote.has(action)) return { ok: false, reason: 'note-missing' }
  const hasAmount = action === 'offer' || action === 'decide'
  const left = await leftOfPrice(db, order, part)
  if (hasAmount && !isAmount(amount ?? -1, left, action === 'decide' ? 0 : 1)) return { ok: false, reason: 'amount-invalid' }
  const files = await take((attachments ?? []).slice(0, disputeLimits.files))
  if (!files) return { ok: false, reason: 'attachment-gone' }

  const given = hasAmount ? (amount ?? 0) : null
  const offered = action === 'offer' ? given : null
  const decided = action === 'decide' ? given : null
  const refundId = await refundOf(scope, { ...dispute, decided: decided ?? dispute.decided }, action, state)
  // Evidence does not move the deadline.
  const days = dueDays[state]
  const dueAt = days === null ? null : action === 'add' ? dispute.dueAt : workingDaysLater(dispute.market, now, days)
  await moveDisputeTo(db, id, { state, dueAt, endedAt: days === null ? now : null, offered, decided, refundId })
  const step = {
    actor,
    action,
    note: text,
    // What was agreed on may have been refunded in part since.
    amount: given ?? lesser(settledAmount(dispute, action), left),
    files: files.map(named(dispute.market)),
    at: now,
  }
  const position = await appendStep(db, id, step, writer)
  if (state === 'settled' || state === 'closed') {
    const ended = await endIncident(scope, part, dispute, { action, actor, refunded: refundId === null ? 0 : (step.amount ?? 0) })
    if (!ended.ok) return ended
  }
  await tellOfStep(scope, order, { ...dispute, state, dueAt }, { ...step, position })
  scope.emit('dispute.changed', { disputeId: id, customerOrderId: order.id, sellerOrderId: part.id, state })
  return { ok: true, id }
}

const needsNote: ReadonlySet<DisputeAction> = new Set(['add', 'contest', 'decide', 'appeal'])
const named = (market: Market) => (file: { id: string; name: string }) => ({ id: file.id, name: withoutContacts(file.name, market).text })
const isAmount = (amount: number, most: number, least = 1): boolean => Number.isInteger(amount) && amount >= least && amount <= most

const lesser = (amount: number | null, most: number): number | null => (amount === null ? null : Math.min(amount, most))

function settledAmount({ wanted, offered, decided }: Dispute, action: DisputeAction): number | null {
  if (action === 'agree') return wanted
  if (action === 'accept') return offered
  return action === 'finish' ? decided : null
}

/** Money that the end of a dispute gives back, requested once: the key is the dispute's. */
async function refundOf(
  scope: Pick<JobScope, 'db' | 'emit'>,
  dispute: Dispute,
  action: DisputeAction,
  state: Dispute['state'],
): Promise<string | null> {
  if (state !== 'settled' && state !== 'closed') return null
  const amount = action === 'decide' ? dispute.decided : settledAmount(dispute, action)
  if (!amount) return null
  const { customerOrderId, sellerOrderId, id } = dispute
  const wish = { customerOrderId, sellerOrderId, cause: 'dispute' as const, key: `dispute:${id}`, extra: { offerId: null, amount } }
  return (await requestRefund(scope, wish)) ?? null
}

function cleanNote({ market }: Pick<Scope, 'market'>, note: string): string {
  const plain = note
    .normalize('NFKC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, disputeLimits.note)
  return withoutContacts(plain, market).text
}

/** A move that a deadline or the operator makes. */
export async function moveAs(scope: JobScope, actor: 'system' | 'operator', input: MoveDispute): Promise<Disputed> {
  const dispute = await findDispute(scope.db, input.id)
  const order = dispute && (await readOrder(scope.db, dispute.customerOrderId))
  const part = order?.sellerOrders.find(({ id }) => id === dispute?.sellerOrderId)
  if (!order || !part) return { ok: false, reason: 'unknown-dispute' }
  return makeMove(scope, { order, part }, { ...input, actor, take: async () => [] })
}
