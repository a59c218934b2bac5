import { wordsFor } from '@purlin/words/catalogues.ts'
import { authorize, ownerOf } from '#accounts'
import { readReceived, readReceivedBy, type ReceivedOrder } from '#orders'
import type { Scope } from '#platform'
import { sellerUrl } from '#sellers'
import { orderOfToken } from './invitation.ts'
import { refusalText } from './refusal-text.ts'
import { aspectsOf, publicName, writeKey, type ReviewKey, type Subject } from './review.ts'
import { dayOf } from './show-reviews.ts'
import { readReviewsOfOrders, type OwnReview } from './store.ts'

const pageSize = 10
const lastPage = 100

/** What the viewer has received and may review, or has reviewed; with an invitation's token, its order alone. */
export async function listReviewable(scope: Scope, { token, page = 1 }: { token?: string | null; page?: number | null }) {
  const at = Math.min(Math.max(1, page ?? 1), lastPage)
  const { orders, total } = token ? await ofToken(scope, token) : await ofViewer(scope, at)
  const written = await readReviewsOfOrders(
    scope.db,
    orders.map(({ sellerOrderId }) => sellerOrderId),
  )
  return { items: orders.flatMap((order) => itemsOf(order, written, scope)), page: at, pages: Math.ceil(total / pageSize) }
}

async function ofToken(scope: Scope, token: string): Promise<{ orders: ReceivedOrder[]; total: number }> {
  const order = await invitedOrder(scope, token)
  return order ? { orders: [order], total: 1 } : { orders: [], total: 0 }
}

/** The order of an invitation's link: the link itself is the permission. */
export async function invitedOrder(scope: Scope, token: string): Promise<ReceivedOrder | null> {
  const sellerOrderId = await orderOfToken(scope.db, token, scope.market, scope.now)
  const order = sellerOrderId === null ? undefined : await readReceived(scope.db, sellerOrderId)
  return order && authorize(scope, 'review.see', { owner: order.owner, isShared: true }) ? order : null
}

async function ofViewer(scope: Scope, page: number): Promise<{ orders: ReceivedOrder[]; total: number }> {
  const owner = ownerOf(scope)
  if (owner === null) return { orders: [], total: 0 }
  return readReceivedBy(scope.db, { owner, market: scope.market }, { limit: pageSize, offset: (page - 1) * pageSize })
}

function itemsOf(order: ReceivedOrder, written: readonly OwnReview[], { market }: Scope) {
  const t = wordsFor(market)
  const about = (subject: Subject, subjectId: string) => {
    const key: ReviewKey = { sellerOrderId: order.sellerOrderId, subject, subjectId }
    const own = written.find(
      (each) => each.sellerOrderId === order.sellerOrderId && each.subject === subject && each.subjectId === subjectId,
    )
    return {
      key: writeKey(key),
      subject,
      sellerName: order.sellerName,
      orderId: order.customerOrderId,
      purchasedOn: dayOf(order.placedAt),
      author: publicName(order.firstName, order.lastName),
      aspects: aspectsOf[subject].map((aspect) => ({ aspect, label: t(`review.aspect.${aspect}`) })),
      written: own ? { ...own, refusal: own.refusal && refusalText(market, own.refusal), writtenOn: dayOf(own.writtenAt) } : null,
    }
  }
  const products = new Map(order.lines.map((line) => [line.productId, line]))
  return [
    ...[...products.values()].map((line) => ({
      ...about('product', line.productId),
      title: line.title,
      url: line.url,
      pictureUrl: line.imageUrl,
    })),
    {
      ...about('seller', String(order.sellerId)),
      title: order.sellerName,
      url: sellerUrl({ id: order.sellerId }),
      pictureUrl: null,
    },
  ]
}
