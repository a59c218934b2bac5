import { sellerIdOf } from '#accounts'
import { withoutContacts } from '#messages'
import type { Scope } from '#platform'
import { findReturnByLink } from './return-link.ts'
import type { ReturnRequest } from './return-request.ts'
import { readFeedback, readRatedReturns, writeFeedback } from './return-store.ts'

export type RatedReturn = { ok: true } | { ok: false; reason: 'unknown-link' | 'not-now' | 'input-invalid' }

const longest = 1_000

/** Settled or declined: there is something to rate. */
const hasEnded = ({ state, isSettled }: ReturnRequest): boolean => isSettled || state === 'refused'

/** The return a link of a mail asks about, with an earlier answer; null for forged, expired and foreign links. */
export async function showReturnToRate(scope: Scope, token: string) {
  const found = await findReturnByLink(scope, token)
  if (!found) return null
  const { request, order } = found
  const said = await readFeedback(scope.db, request.id)
  const part = order.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  return {
    number: request.number,
    sellerName: part?.seller.name ?? '',
    canRate: hasEnded(request),
    rating: request.rating,
    comment: said ?? null,
  }
}

const pageSize = 50

/** Feedback on returns of the acting seller, latest first. */
export async function listReturnFeedback(scope: Scope, after: string | null) {
  const sellerId = sellerIdOf(scope)
  if (sellerId === null) return { items: [], next: null }
  const before = /^\d{1,15}$/.test(after ?? '') ? Number(after) : Number.MAX_SAFE_INTEGER
  const rows = await readRatedReturns(scope.db, { sellerId, market: scope.market, before, limit: pageSize + 1 })
  const items = rows.slice(0, pageSize).map(({ feedback, ...row }) => ({ ...row, comment: feedback }))
  return { items, next: rows.length > pageSize ? (items.at(-1)?.number ?? null) : null }
}

/** The buyer's feedback on a completed return; a second answer replaces the first. */
export async function rateReturn(
  scope: Scope,
  token: string,
  { rating, comment }: { rating: number; comment: string },
): Promise<RatedReturn> {
  const request = (await findReturnByLink(scope, token))?.request
  if (!request) return { ok: false, reason: 'unknown-link' }
  if (!hasEnded(request)) return { ok: false, reason: 'not-now' }
  const said = comment.normalize('NFKC').trim()
  if (!Number.isSafeInteger(rating) || rating < 1 || rating > 5 || said.length > longest) return { ok: false, reason: 'input-invalid' }
  await writeFeedback(scope.db, request.id, { rating, feedback: said === '' ? null : withoutContacts(said, request.market).text })
  return { ok: true }
}
