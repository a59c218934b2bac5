import { markets } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { authorize } from '#accounts'
import { readReceived } from '#orders'
import { newId, type Scope } from '#platform'
import { useUploads } from '#uploads'
import { checkText, hashOf, type Finding } from './check-text.ts'
import { orderOfToken } from './invitation.ts'
import { rateAnew } from './publish.ts'
import { aspectsOf, faultsOf, readKey, reviewInput, senderLimits, type ReviewFault } from './review.ts'
import { countRecent, hasCopy, insertReview, takeTurn } from './store.ts'

export type WroteReview =
  | { ok: true; id: string; isPending: boolean }
  | { ok: false; reason: 'review-invalid'; faults: Map<string, ReviewFault> }
  | { ok: false; reason: 'unknown-purchase' | 'already-reviewed' | 'too-many-reviews' | 'photo-gone' }

export interface ReviewAsked {
  key: string
  token?: string | null
}

/**
 * A review of something received: of one's own order, or of the order of an invitation's link. Each purchase is reviewed once;
 * a text with findings waits for an operator, every other one is published at once.
 */
export async function writeReview(scope: Scope, { key, token, ...fields }: ReviewAsked & Record<string, unknown>): Promise<WroteReview> {
  const parsed = v.safeParse(reviewInput, fields)
  if (!parsed.success) return { ok: false, reason: 'review-invalid', faults: faultsOf(parsed.issues) }
  const named = readKey(key)
  const order = named && (await readReceived(scope.db, named.sellerOrderId))
  if (!named || !order || order.market !== scope.market) return { ok: false, reason: 'unknown-purchase' }
  const isShared = token ? (await orderOfToken(scope.db, token, scope.market, scope.now)) === named.sellerOrderId : false
  if (!authorize(scope, 'review.write', { owner: order.owner, isShared })) return { ok: false, reason: 'unknown-purchase' }
  const { subject, subjectId } = named
  const isBought =
    subject === 'seller' ? Number(subjectId) === order.sellerId : order.lines.some(({ productId }) => productId === subjectId)
  if (!isBought) return { ok: false, reason: 'unknown-purchase' }

  const { db, market, origin } = scope
  await takeTurn(db, order.owner)
  if ((await countRecent(db, order.owner)).reviews >= senderLimits.reviewsPerDay) return { ok: false, reason: 'too-many-reviews' }
  const id = newId()
  const { photos: uploads, aspects, ...text } = parsed.output
  const photos = await useUploads(scope, uploads ?? [], `review:${id}`)
  if (!photos || photos.some(({ fileKey }) => fileKey.endsWith('.pdf'))) return { ok: false, reason: 'photo-gone' }
  const bodyHash = hashOf(text.body)
  const findings: Finding[] = checkText([text.title, text.body, text.pros, text.cons, text.author])
  if (await hasCopy(db, bodyHash)) findings.push('duplicate')
  // No program sees whether a picture may be published.
  if (photos.length > 0) findings.push('photos')
  const isPending = findings.length > 0
  const isNew = await insertReview(db, {
    ...text,
    id,
    ...named,
    sellerId: order.sellerId,
    owner: order.owner,
    email: order.email,
    market,
    language: markets[market].language,
    origin,
    aspects: aspects ? aspectsOf[subject].map((_, index) => aspects[index] ?? null) : [],
    photos: photos.map(({ fileKey, name }) => ({ file: fileKey, name })),
    bodyHash,
    state: isPending ? 'pending' : 'published',
    findings,
    purchasedOn: order.placedAt,
  })
  if (!isNew) return { ok: false, reason: 'already-reviewed' }
  if (!isPending) await rateAnew(scope, named)
  return { ok: true, id, isPending }
}
