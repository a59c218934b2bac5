import type { Db } from '#platform'

/** A price of an offer, from an instant until the next. Minor units with VAT. */
export interface PricePoint {
  price: number
  validFrom: Date
}

// No more than is needed to judge the current price: since when it applies, the prices of the 32 days before (30 in
// any market's calendar), and since when the first of these applied (`began`). A price written twice in a row counts once.
// All from the key's index.
const rowsOf = 'from catalogue.price_history where offer_id = wanted.offer_id and valid_from'
const selectHistory = {
  name: 'catalogue.price-history',
  text: `select h.offer_id, h.price, h.valid_from
    from unnest($1::bigint[]) as wanted (offer_id)
    cross join lateral (select price ${rowsOf} <= $2::timestamptz order by valid_from desc limit 1) current
    left join lateral (select valid_from ${rowsOf} <= $2 and price <> current.price order by valid_from desc limit 1) previous on true
    cross join lateral (select min(valid_from) as at ${rowsOf} > coalesce(previous.valid_from, '-infinity')) reduced
    left join lateral (
      select valid_from, price ${rowsOf} <= reduced.at - interval '768 hours' order by valid_from desc limit 1
    ) prior on true
    left join lateral (
      select valid_from ${rowsOf} < prior.valid_from and price <> prior.price order by valid_from desc limit 1
    ) other on true
    cross join lateral (select min(valid_from) as began ${rowsOf} > coalesce(other.valid_from, '-infinity')) run
    join catalogue.price_history h on h.offer_id = wanted.offer_id and h.valid_from <= $2
      and (h.valid_from >= coalesce(prior.valid_from, '-infinity') or h.valid_from = run.began)`,
}

/** Prices of offers, by offer id, in no particular order. */
export async function readPriceHistory(db: Db, offerIds: readonly string[], now: Date): Promise<Map<string, PricePoint[]>> {
  const byOffer = new Map<string, PricePoint[]>()
  if (offerIds.length === 0) return byOffer
  const rows = await db.rows<{ offer_id: string; price: number; valid_from: Date }>(selectHistory, [offerIds, now])
  for (const row of rows) {
    const point = { price: row.price, validFrom: row.valid_from }
    const points = byOffer.get(String(row.offer_id))
    if (points) points.push(point)
    else byOffer.set(String(row.offer_id), [point])
  }
  return byOffer
}
