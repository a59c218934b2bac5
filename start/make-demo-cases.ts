import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { pastCaseWords } from '@purlin/demo/past-cases.ts'
import { composeReview } from '@purlin/demo/reviews.ts'
import type { PastOrder } from '@purlin/demo/past.ts'
import { log, type Pool, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { readProducts } from '@purlin/server/goods/catalogue/index.ts'
import { moveDispute, openDispute } from '@purlin/server/after-sale/disputes/index.ts'
import { creditRefund } from '@purlin/server/after-sale/invoices/index.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/index.ts'
import { handleReturn, requestReturn } from '@purlin/server/after-sale/returns/index.ts'
import { writeKey, writeReview } from '@purlin/server/after-sale/reviews/index.ts'
import { readOrder, type SellerOrder } from '@purlin/server/selling/orders/index.ts'
import { applyProviderState, lockPaymentOfOrder } from '@purlin/server/selling/payments/index.ts'
import { moveRefund, readRefundsOf } from '@purlin/server/selling/refunds/index.ts'
import { dateCase, dateReview, forgetCases } from './demo-past-rows.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

/** An order of the past that something followed. */
export interface FollowedOrder {
  orderId: string
  market: Market
  order: PastOrder
  act: Act
}

const dayMs = 86_400_000
/** From the order to the first step of what follows it: the goods have arrived by then. */
const caseAfterDays = { withdrawal: 8, 'missing-part': 6, dispute: 20 } as const
const reviewAfterDays = 12

/** When the case of an order began. */
function caseAt({ order }: FollowedOrder, now: Date): Date {
  const after = order.followedBy ? caseAfterDays[order.followedBy] : reviewAfterDays
  return new Date(now.getTime() - (order.daysAgo - after) * dayMs)
}

/**
 * Returns with their refunds and credit notes, disputes with their ends, and reviews: by the regular operations, at the time of
 * the past. Oldest first, as credit notes are numbered. Nobody is notified.
 */
export async function makeDemoCases(pool: Pool, followed: readonly FollowedOrder[]): Promise<void> {
  if (followed.length === 0) return
  const now = new Date()
  const inOrder = followed.toSorted((one, other) => caseAt(one, now).getTime() - caseAt(other, now).getTime())
  for (const each of inOrder) {
    const { orderId, order, act } = each
    const at = caseAt(each, now)
    const part = (await readOrder(pool.db, orderId))?.sellerOrders[0]
    if (!part) continue
    if (order.isReviewed) await review(pool, each, part)
    if (!order.followedBy) continue
    const isMade = order.followedBy === 'dispute' ? await dispute(each, part, at) : await giveBack(each, part, at)
    if (!isMade) log.warn({ orderId, case: order.followedBy }, 'a case of the past could not be made')
    await settleRefunds(orderId, at, act)
    await dateCase(pool.db, orderId, at)
  }
  await forgetCases(pool.db)
}

const later = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs)

function asSeller(scope: Scope, sellerId: number, now: Date): Scope {
  const roles = [{ role: 'seller' as const, market: null }]
  return { ...scope, now, principal: { kind: 'sellerMember', id: `demo-${sellerId}`, email: '', name: '', sellerId, roles } }
}

/** Under the right of withdrawal; professionals claim a part that was missing. The seller refunds. */
async function giveBack({ orderId, market, order, act }: FollowedOrder, part: SellerOrder, at: Date): Promise<boolean> {
  const words = pastCaseWords[markets[market].language]
  const [line] = part.lines
  if (!line) return false
  const isWithdrawal = order.followedBy === 'withdrawal'
  const requested = await act((scope) =>
    requestReturn(
      { ...scope, now: at },
      {
        customerOrderId: orderId,
        sellerOrderId: part.id,
        lines: [{ offerId: line.offerId, quantity: 1 }],
        reason: isWithdrawal ? 'changed-mind' : 'missing-part',
        wish: isWithdrawal ? 'refund' : 'part-refund',
        amount: Math.max(1, Math.round(line.total / line.quantity / 4)),
        method: needsPhone(part.deliveryKind) ? 'home-collection' : 'label',
        description: isWithdrawal ? words.withdrawal : words.missingPart,
        photos: [],
      },
    ),
  )
  if (!requested.ok) return false
  const nothing = { finding: '', amount: null, note: null }
  const deeds = isWithdrawal
    ? [
        { ...nothing, do: 'receive' as const },
        { ...nothing, do: 'inspect' as const, finding: 'as-described' },
        { ...nothing, do: 'refund' as const },
      ]
    : [
        { ...nothing, do: 'accept' as const },
        { ...nothing, do: 'refund' as const },
      ]
  for (const deed of deeds) {
    const done = await act((scope) => handleReturn(asSeller(scope, part.sellerId, later(at, 3)), requested.id, deed))
    if (!done.ok) return false
  }
  return true
}

/** A message that solved nothing, the dispute about it, the seller's offer and the buyer's consent. */
async function dispute({ market, act }: FollowedOrder, part: SellerOrder, at: Date): Promise<boolean> {
  const words = pastCaseWords[markets[market].language].dispute
  const written = await act((scope) =>
    writeMessage({ ...scope, now: at }, 'conversation.write', part.id, { text: words.message, topic: 'damage' }),
  )
  if (!written.ok) return false
  const opened = await act((scope) =>
    openDispute(
      { ...scope, now: later(at, 3) },
      { orderId: part.id, messageId: written.id, reason: 'damaged', wish: 'refund', note: words.note },
    ),
  )
  if (!opened.ok) return false
  const { id } = opened
  const amount = Math.max(1, Math.round(part.total / 5))
  const offered = await act((scope) =>
    moveDispute(asSeller(scope, part.sellerId, later(at, 4)), 'dispute.serve', { id, action: 'offer', amount, note: words.offer }),
  )
  if (!offered.ok) return false
  return (await act((scope) => moveDispute({ ...scope, now: later(at, 5) }, 'dispute.open', { id, action: 'accept' }))).ok
}

/** The provider has paid the refunds, and credit notes state them. */
async function settleRefunds(orderId: string, at: Date, act: Act): Promise<void> {
  for (const refund of await act((scope) => readRefundsOf(scope.db, orderId))) {
    if (refund.state !== 'requested') continue
    await act(async (scope) => {
      await creditRefund({ db: scope.db, now: later(at, 6) }, refund.id)
      const payment = await lockPaymentOfOrder(scope.db, orderId)
      if (!payment?.providerReference) return
      const { id: paymentId, providerReference: reference, amount, currency, captured, cardBrand, cardLast4 } = payment
      const refunded = payment.refunded + refund.amount
      const card = cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null
      const status = refunded === captured ? ('refunded' as const) : ('part-refunded' as const)
      const seen = { reference, paymentId, status, amount, currency, captured, refunded, failureCode: null, card, frameUrl: null }
      await applyProviderState(scope, paymentId, seen, 'the demo')
      await moveRefund(scope.db, refund.id, ['requested'], 'done')
    })
  }
}

async function review(pool: Pool, each: FollowedOrder, part: SellerOrder): Promise<void> {
  const { market, order, act } = each
  const [line] = part.lines
  const [product] = line ? await readProducts(pool.db, [line.productId]) : []
  if (!product) return
  const { family, attributes } = product
  const written = await act((scope) => {
    const author = 'name' in scope.principal ? scope.principal.name.replace(/ (.).*/, ' $1.') : ''
    const key = writeKey({ sellerOrderId: part.id, subject: 'product', subjectId: product.id })
    return writeReview(scope, { ...composeReview({ market, family, attributes }), key, author })
  })
  if (!written.ok) return log.warn({ orderId: part.id, reason: written.reason }, 'a review of the past could not be written')
  await dateReview(pool.db, written.id, new Date(Date.now() - (order.daysAgo - reviewAfterDays) * dayMs))
}
