import { ownerOf } from '#accounts'
import { withoutContacts } from '#messages'
import { lockPart, tokenHash, type SellerOrder } from '#orders'
import { newId, takeNumbers, type Scope } from '#platform'
import { readRefundedBefore, refundOfUnits, type Units } from '#refunds'
import { useUploads } from '#uploads'
import { arrangeWayBack } from './arrange-way-back.ts'
import { findReturnable } from './find-returnable.ts'
import { notifyReturn } from './notify-return.ts'
import { offeredReturn, returnReasons, returnWishes } from './offered-return.ts'
import { returnToken } from './return-link.ts'
import { insertReturn, readReturn, writeReturnStep } from './return-store.ts'

export interface RequestReturn {
  customerOrderId: string
  sellerOrderId: string
  lines: readonly { offerId: string; quantity: number }[]
  reason: string
  wish: string
  /** Requested amount in minor units, for a partial refund. */
  amount?: number | null
  method: string
  description: string
  photos: readonly string[]
}
export type RequestedReturn =
  | { ok: true; id: string }
  | {
      ok: false
      reason: 'unknown-order' | 'nothing-to-return' | 'not-offered' | 'amount-invalid' | 'photos-missing' | 'photos-gone' | 'input-invalid'
    }

/** First return number. */
const firstNumber = 50_001
const maxPhotos = 5

/**
 * A declaration of withdrawal, or a request under the guarantee or the seller's policy. A withdrawal needs nobody's consent:
 * it is acknowledged at once, with its content, date and time, and the label follows (2011/83/EU art. 11a). Under the lock of
 * the part, so that no piece is returned twice.
 */
export async function requestReturn(scope: Scope, wish: RequestReturn): Promise<RequestedReturn> {
  const { customerOrderId, sellerOrderId, reason, description: written } = wish
  const description = written.normalize('NFKC')
  if (!isOneOf(returnReasons, reason) || !isOneOf(returnWishes, wish.wish) || description.length > 2_000)
    return { ok: false, reason: 'input-invalid' }
  if (wish.lines.some(({ quantity }) => !Number.isSafeInteger(quantity) || quantity <= 0) || wish.photos.length > maxPhotos)
    return { ok: false, reason: 'input-invalid' }
  await lockPart(scope.db, sellerOrderId)
  const found = await findReturnable(scope, 'return.ask', customerOrderId, sellerOrderId)
  if (!found) return { ok: false, reason: 'unknown-order' }
  const { order, part, paidPart, about, pieces, missing, returns } = found
  const lines = [...new Map(wish.lines.map((line) => [line.offerId, line.quantity]))].map(([offerId, quantity]) => ({ offerId, quantity }))
  if (lines.length === 0 || lines.some(({ offerId, quantity }) => quantity > (pieces.get(offerId) ?? 0)))
    return { ok: false, reason: 'nothing-to-return' }
  const offer = offeredReturn(reason, about)
  if (!offer?.wishes.includes(wish.wish)) return { ok: false, reason: 'not-offered' }
  // Whoever withdraws need not have the goods; nothing is wrong with those that have not arrived.
  if (
    offer.basis !== 'withdrawal' &&
    lines.some(({ offerId, quantity }) => quantity > (pieces.get(offerId) ?? 0) - (missing.get(offerId) ?? 0))
  )
    return { ok: false, reason: 'nothing-to-return' }
  // Refused as excepted by law: not declared again, which would send another label. Whoever disagrees asks online support.
  const isExcepted = returns.some(
    (each) => each.exception !== null && each.lines.some((line) => lines.some(({ offerId }) => offerId === line.offerId)),
  )
  if (offer.basis === 'withdrawal' && isExcepted) return { ok: false, reason: 'not-offered' }
  const method = offer.methods.find((each) => each === wish.method)
  if (!method) return { ok: false, reason: 'not-offered' }
  const wishedAmount = wish.wish === 'part-refund' ? (wish.amount ?? 0) : null
  if (wishedAmount !== null && !(await isPartOfPrice(scope, paidPart, lines, wishedAmount))) return { ok: false, reason: 'amount-invalid' }
  if (offer.needsPhotos && wish.photos.length === 0) return { ok: false, reason: 'photos-missing' }

  const id = newId()
  const hash = tokenHash(returnToken(id))
  if (!hash) throw new Error('A return has no token')
  const photos = await useUploads(scope, wish.photos, `return:${id}`)
  if (!photos) return { ok: false, reason: 'photos-gone' }
  const number = String(await takeNumbers(scope.db, 'return', 1, firstNumber))
  scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: 'requested' })
  await insertReturn(scope.db, {
    id,
    number,
    customerOrderId,
    sellerOrderId,
    sellerId: part.sellerId,
    market: order.market,
    reason,
    basis: offer.basis,
    wish: wish.wish,
    wishedAmount,
    method: wish.wish === 'part-refund' ? 'keep' : method,
    lines,
    description: withoutContacts(description, order.market).text,
    photos: photos.map((file) => file.id),
    tokenHash: hash,
    writtenBy: ownerOf(scope),
  })
  if (offer.basis !== 'guarantee') {
    await writeReturnStep(scope.db, id, { from: 'requested', to: 'accepted', actor: 'system' })
    await writeReturnStep(scope.db, id, { from: 'accepted', to: 'label-sent', actor: 'system' })
  }
  const made = await readReturn(scope.db, id, order.market)
  if (made) await notifyReturn(scope, made, 'requested')
  if (made?.state === 'label-sent') await arrangeWayBack(scope, made)
  return { ok: true, id }
}

async function isPartOfPrice({ db }: Scope, part: SellerOrder, lines: readonly Units[], amount: number): Promise<boolean> {
  const left = refundOfUnits(part, (await readRefundedBefore(db, part.id)).lines, lines, 'none')
  return Number.isSafeInteger(amount) && amount > 0 && amount <= left.reduce((all, { goods }) => all + goods, 0)
}

const isOneOf = <Value extends string>(values: readonly Value[], text: string): text is Value => values.some((value) => value === text)
