import type { Market } from '@purlin/contract/markets.ts'
import { readProducts, type AttributeValue } from '#catalogue'
import { customerIdOfOwner } from '#accounts'
import { readReceived } from '#orders'
import { enqueue, settings, type JobScope, type Scope } from '#platform'
import { publicName, writeKey } from './review.ts'
import { writeReview } from './write-review.ts'

/** What somebody writes about a product of this family. */
export interface ComposedReview {
  stars: number
  title: string
  body: string
  pros: string | null
  cons: string | null
}

/** Buyers who review what they have received by themselves: the people of the demo shop. */
export interface AutomaticBuyers {
  /** Whether this customer is one of them: nobody else's reviews are written for them. */
  isTheirs: (customerId: string) => boolean
  /** Time from the delivery to the review. */
  reviewAfterMs: number
  compose: (about: { market: Market; family: string; attributes: Record<string, AttributeValue> }) => ComposedReview
}

let buyers: AutomaticBuyers | null = null

/** Set once by the worker process, in the demo alone. */
export function connectAutomaticBuyers(port: AutomaticBuyers | null): void {
  buyers = port
}

export interface Received {
  sellerOrderId: string
}

export async function planReview({ db, now }: Pick<JobScope, 'db' | 'now'>, { sellerOrderId }: Received): Promise<void> {
  if (!buyers) return
  const runAt = new Date(now.getTime() + buyers.reviewAfterMs)
  await enqueue(db, { name: 'reviews.act-as-buyer', key: sellerOrderId, payload: { sellerOrderId }, runAt })
}

/** By the buyers' own call; a product they have reviewed themselves in the meantime is left alone. */
export async function actAsBuyer(scope: JobScope, received: Received): Promise<void> {
  await reviewAsBuyer(scope, received)
}

/** The same; true if a review was written. */
export async function reviewAsBuyer(scope: JobScope, { sellerOrderId }: Received): Promise<boolean> {
  const order = buyers && (await readReceived(scope.db, sellerOrderId))
  const customerId = order && customerIdOfOwner(order.owner)
  const productId = order?.lines[0]?.productId
  if (!buyers || !order || !customerId || !productId || !buyers.isTheirs(customerId)) return false
  const [product] = await readProducts(scope.db, [productId])
  if (!product) return false
  const { market, mode, email, firstName, lastName } = order
  const name = `${firstName} ${lastName}`.trim()
  const asBuyer: Scope = {
    ...scope,
    market,
    mode,
    origin: settings().hosts.site(market, mode).origin,
    prefersVat: false,
    session: null,
    principal: { kind: 'customer', id: customerId, email, name, market },
  }
  const written = await writeReview(asBuyer, {
    ...buyers.compose({ market, family: product.family, attributes: product.attributes }),
    key: writeKey({ sellerOrderId, subject: 'product', subjectId: productId }),
    author: publicName(firstName, lastName),
  })
  return written.ok
}
