import type { Market } from '@purlin/contract/markets.ts'
import type { Db, JobScope } from '#platform'
import { readSellerState } from '#sellers'
import { mayMoveOffer, offerState, type OfferActor, type OfferState } from './offer-states.ts'
import type { OfferStatus } from './product.ts'

interface OfferAt {
  market: Market
  offerId: string
  /** Only an offer of this seller; null for an operator. */
  sellerId: number | null
}
export interface ChangeOfferState extends OfferAt {
  to: OfferStatus
}
export type ChangeOfferStateRefusal = 'unknown-offer' | 'step-not-possible' | 'seller-not-active'

interface Row {
  sellerId: number
  productId: string
  status: OfferStatus
  stock: number
  bulk: number | null
}
const columns = `seller_id as "sellerId", product_id::text as "productId", status, stock, bulk`
const ofOwner = `from catalogue.offer where id = $1 and market = $2 and ($3::integer is null or seller_id = $3)`
const look = { name: 'catalogue.offer-to-show', text: `select ${columns} ${ofOwner}` }
const lock = { name: 'catalogue.offer-to-move', text: `select ${columns} ${ofOwner} for update` }
const write = { name: 'catalogue.move-offer', text: 'update catalogue.offer set status = $2, updated_at = clock_timestamp() where id = $1' }

/** State of an offer, for its seller or an operator. */
export async function readOfferStanding(db: Db, { offerId, market, sellerId }: OfferAt): Promise<{ state: OfferState } | undefined> {
  const row = await db.row<Row>(look, [offerId, market, sellerId])
  return row && { state: offerState(row) }
}

/** Moves an offer to another state; a repeated request changes nothing. Only active offers are shown and sold. */
export async function changeOfferState(
  scope: Pick<JobScope, 'db' | 'emit'>,
  { offerId, market, sellerId, to }: ChangeOfferState,
): Promise<{ ok: true; state: OfferState; changed: boolean } | { ok: false; reason: ChangeOfferStateRefusal }> {
  const actor: OfferActor = sellerId === null ? 'operator' : 'seller'
  const offer = await scope.db.row<Row>(lock, [offerId, market, sellerId])
  if (!offer) return { ok: false, reason: 'unknown-offer' }
  const state = offerState({ ...offer, status: to })
  if (offer.status === to) return { ok: true, state, changed: false }
  if (!mayMoveOffer(actor, offer.status, to)) return { ok: false, reason: 'step-not-possible' }
  if (to === 'active' || to === 'pending_match') {
    // Not from the cache of sellers, which may be a minute old.
    if ((await readSellerState(scope.db, offer.sellerId)) !== 'active') return { ok: false, reason: 'seller-not-active' }
  }
  await scope.db.run(write, [offerId, to])
  scope.emit('offer.changed', { offerId, productId: offer.productId, market })
  return { ok: true, state, changed: true }
}
