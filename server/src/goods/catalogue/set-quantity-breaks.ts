import type { Market } from '@purlin/contract/markets.ts'
import type { Db, JobScope } from '#platform'
import type { Offer, QuantityBreak } from './product.ts'
import type { ChangedPrice } from './write-price.ts'

export interface SetQuantityBreaks {
  market: Market
  offerId: string
  /** Only offers of this seller. */
  sellerId: number
  breaks: readonly QuantityBreak[]
}

type QuantityBreaksRefusal = 'unknown-offer' | 'offer-ended' | 'breaks-invalid'
type OfferFacts = Pick<Offer, 'price' | 'proPrice' | 'bulk' | 'maxQuantity' | 'status' | 'market' | 'sellerId' | 'isSample'>

const select = {
  name: 'catalogue.offer-to-break',
  text: `select price, pro_price as "proPrice", bulk, max_quantity as "maxQuantity", status, market, seller_id as "sellerId",
      is_sample as "isSample" from catalogue.offer where id = $1 for update`,
}
// The breaks and their history are one write, under the row's lock.
const write = {
  name: 'catalogue.write-quantity-breaks',
  text: `with changed as (
      update catalogue.offer set quantity_breaks = $2::jsonb, updated_at = clock_timestamp()
      where id = $1 and quantity_breaks <> $2::jsonb returning id, product_id, market, quantity_breaks
    ), recorded as (
      insert into catalogue.quantity_break_history (offer_id, valid_from, quantity_breaks)
      select id, clock_timestamp(), quantity_breaks from changed
    )
    select id::text as "offerId", product_id::text as "productId", market from changed`,
}

/** Replaces the quantity breaks of a seller's own offer; none removes them. The price of a single piece, and with it the Omnibus history, stays. */
export async function setQuantityBreaks(
  scope: Pick<JobScope, 'db' | 'emit'>,
  { market, offerId, sellerId, breaks }: SetQuantityBreaks,
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: QuantityBreaksRefusal }> {
  const offer = await scope.db.row<OfferFacts>(select, [offerId])
  if (!offer || offer.market !== market || offer.sellerId !== sellerId) return { ok: false, reason: 'unknown-offer' }
  if (offer.status === 'ended') return { ok: false, reason: 'offer-ended' }
  if (!areBreaksOf(offer, breaks)) return { ok: false, reason: 'breaks-invalid' }
  const sorted = breaks.toSorted((a, b) => a.group.localeCompare(b.group) || a.from - b.from)
  const [changed] = await scope.db.rows<ChangedPrice>(write, [
    offerId,
    JSON.stringify(sorted.map(({ group, from, price }) => ({ group, from, price }))),
  ])
  if (changed) scope.emit('offer.changed', changed)
  return { ok: true, changed: changed !== undefined }
}

/** In each group more pieces cost less each, beginning below the price of one; quantities are ones that can be bought. */
export function areBreaksOf(offer: OfferFacts, breaks: readonly QuantityBreak[]): boolean {
  if (offer.isSample) return breaks.length === 0
  return (['b2c', 'b2b'] as const).every((group) => {
    let last = { from: offer.bulk ?? 1, price: group === 'b2b' ? Math.min(offer.price, offer.proPrice ?? offer.price) : offer.price }
    return breaks
      .filter((each) => each.group === group)
      .toSorted((a, b) => a.from - b.from)
      .every(({ from, price }) => {
        const isStep =
          from > last.from &&
          price < last.price &&
          from % (offer.bulk ?? 1) === 0 &&
          from <= (offer.maxQuantity ?? Number.POSITIVE_INFINITY)
        last = { from, price }
        return isStep
      })
  })
}

const history = {
  name: 'catalogue.quantity-breaks-of-offer',
  text: `select o.quantity_breaks as breaks, coalesce((
      select jsonb_agg(jsonb_build_object('validFrom', h.valid_from, 'breaks', h.quantity_breaks) order by h.valid_from)
      from (select valid_from, quantity_breaks from catalogue.quantity_break_history where offer_id = o.id order by valid_from desc limit 100) h
    ), '[]') as history
    from catalogue.offer o where o.id = $1 and o.market = $2 and o.seller_id = $3`,
}

/** Breaks of a seller's own offer with the last hundred of their history, oldest first. */
export async function readQuantityBreaks(db: Db, { market, offerId, sellerId }: Omit<SetQuantityBreaks, 'breaks'>) {
  const row = await db.row<{ breaks: QuantityBreak[]; history: { validFrom: string; breaks: QuantityBreak[] }[] }>(history, [
    offerId,
    market,
    sellerId,
  ])
  return row && { ...row, history: row.history.map((each) => ({ ...each, validFrom: new Date(each.validFrom).toISOString() })) }
}
