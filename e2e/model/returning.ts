import assert from 'node:assert/strict'
import { areFree, heldPieces, maySendAgain, returnablePieces } from '@purlin/server/after-sale/returns/free-pieces.ts'
import type { OfferedReturn } from '@purlin/server/after-sale/returns/offered-return.ts'
import {
  awaitedDays,
  canReturnStep,
  deductionAllowed,
  endsWithoutGoodsAt,
  endWithoutGoods,
  lapsesAt,
  sendBackDays,
  type ReturnActor,
  type ReturnRequest,
  type ReturnState,
} from '@purlin/server/after-sale/returns/return-request.ts'
import { applyMoves, type LineMove, type LineQuantities, type SellerOrder } from '@purlin/server/selling/orders/index.ts'
import type { Actor } from '@purlin/server/selling/orders/order-states.ts'
import type { WantedRefund } from '@purlin/server/selling/refunds/refund-rule.ts'

type Own = 'state' | 'wish' | 'wishedAmount' | 'lines' | 'isSettled' | 'isCarried' | 'replacementOrder' | 'updatedAt'
export interface Returning extends Pick<ReturnRequest, Own> {
  offer: OfferedReturn
  /** Goods that were sent back to the buyer have arrived, or were paid for. */
  isBack: boolean
}
type Below = (n: number) => number

export const ended: ReadonlySet<ReturnState> = new Set(['refused', 'refunded', 'exchanged', 'lapsed', 'closed'])
const dayMs = 86_400_000

/** The pieces of a part, and its returns. */
interface Facts {
  lines: Parameters<typeof returnablePieces>[0]
  moves: Parameters<typeof returnablePieces>[1]
  returns: readonly Returning[]
}

export function checkPieces({ lines, moves, returns }: Facts): void {
  for (const [offerId, pieces] of returnablePieces(lines, moves))
    assert.ok(heldPieces(returns, offerId) <= pieces, `pieces of ${offerId} are in two returns`)
}

/** The quantities after these moves, or why they are refused. */
export function movedBy(facts: Facts, moves: readonly LineMove[], actor: Actor): LineQuantities[] | string {
  const again = moves.filter(({ from, to }) => from === 'incident-open' && to === 'accepted')
  return maySendAgain(again, facts) ? applyMoves(facts.lines, moves, actor) : 'return-under-way'
}

/** A return of some of the pieces that were sent; undefined if all of them are held by others. */
export function drawReturn(
  below: Below,
  { part, offer, lines: states, moves, returns, now }: Facts & { part: SellerOrder; offer: OfferedReturn; now: Date },
): Returning | undefined {
  const returnable = returnablePieces(states, moves)
  const lines = part.lines.flatMap(({ offerId }) => {
    const left = (returnable.get(offerId) ?? 0) - heldPieces(returns, offerId)
    return left > 0 ? [{ offerId, quantity: 1 + below(left) }] : []
  })
  const wish = offer.wishes[below(offer.wishes.length)]
  if (lines.length === 0 || !wish) return undefined
  return {
    state: offer.basis === 'guarantee' ? 'requested' : 'label-sent',
    offer,
    wish,
    wishedAmount: wish === 'part-refund' ? 1 + below(9_000) : null,
    lines,
    isSettled: false,
    isCarried: false,
    replacementOrder: null,
    isBack: false,
    updatedAt: now,
  }
}

export function takeReturnStep(one: Returning, to: ReturnState, actor: ReturnActor, now: Date): void {
  assert.ok(canReturnStep(one.state, to, actor), `${actor} may not take a return from ${one.state} to ${to}`)
  if (one.state === 'inspected' && to === 'refused') one.replacementOrder = 'sent back'
  one.isCarried = to === 'in-transit' && actor === 'system'
  one.isSettled ||= to === 'refunded' || to === 'exchanged'
  one.state = to
  one.updatedAt = now
}

/** Whether the shop takes this step of the table of a return that is as it is. */
export function mayTake(one: Returning, to: ReturnState, actor: ReturnActor, { lines, moves, returns }: Facts): boolean {
  const { state, offer } = one
  // Only goods that the law excepts are refused after the label; a withdrawal is neither refused nor exchanged.
  if (state === 'label-sent' && to === 'refused') return false
  if (offer.basis === 'withdrawal' && (to === 'refused' || to === 'exchanged')) return false
  if (state === 'in-transit' && actor === 'system')
    return to === 'label-sent' || (to === 'in-transit' ? !one.isCarried : to === endWithoutGoods(one))
  // The pieces of a lapsed return may have become the subject of another one.
  if (state === 'lapsed')
    return areFree(
      one.lines,
      returnablePieces(lines, moves),
      returns.filter((each) => each !== one),
    )
  return true
}

/** The end that a return with its buyer or on its way has by time alone, and when. */
export function endByTime({ state, updatedAt, isCarried }: Returning): { at: Date; to: 'refunded' | 'lapsed' } | null {
  const after = (days: number): Date => new Date(updatedAt.getTime() + days * dayMs)
  if (state === 'label-sent') return { at: lapsesAt(updatedAt, after(sendBackDays)), to: 'lapsed' }
  return state === 'in-transit'
    ? { at: endsWithoutGoodsAt({ updatedAt, isCarried }, after(awaitedDays)), to: endWithoutGoods({ isCarried }) }
    : null
}

/** What the seller, or the system, gives back for a return. */
export function refundWanted({ lines: units, offer: { basis, delivery }, wish, wishedAmount }: Returning, below: Below): WantedRefund {
  const common = { isCancellation: false, delivery, bornBy: 'seller' } as const
  if (wishedAmount !== null) return { ...common, units: [], extra: { offerId: units.map(({ offerId }) => offerId), amount: wishedAmount } }
  const mayDeduct = deductionAllowed({ basis, wish }) === 'after-inspection' && below(4) === 0
  return { ...common, units, goodsAtMost: mayDeduct ? below(20_000) : undefined }
}
