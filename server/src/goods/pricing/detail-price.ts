import { minorPerMajor, type TaxKey } from '@purlin/contract/money.ts'
import { askedPrice } from './price-block.ts'
import { taxKey, type PriceDisplay } from './tax-mode.ts'
import { splitGross, type Vat } from './vat.ts'

/** Product price as the detail source sends it. Source: spec §3, R-380…R-382. */
export interface DetailPrices {
  per_item: { actual_price: { with_vat: { as_float: number }; without_vat: { as_float: number } } }
  seller_country_id: string
}

/** What the price helper makes of it: both prices, and the one that counts. Source: R-383. */
export interface DetailPrice {
  main: number
  with_vat: number
  without_vat: number
  taxKey: TaxKey
}

export function detailPrices(
  display: PriceDisplay,
  offer: { price: number; proPrice: number | null; sellerCountry: string; vat: Vat },
): DetailPrices {
  const { gross, net } = splitGross(askedPrice(display, offer), offer.vat.rateBp)
  return {
    per_item: { actual_price: { with_vat: { as_float: gross / minorPerMajor }, without_vat: { as_float: net / minorPerMajor } } },
    seller_country_id: offer.sellerCountry,
  }
}

export function detailPrice(display: PriceDisplay, prices: DetailPrices): DetailPrice {
  const { with_vat, without_vat } = prices.per_item.actual_price
  const key = taxKey(display, prices.seller_country_id)
  const both = { with_vat: with_vat.as_float, without_vat: without_vat.as_float }
  return { main: both[key], ...both, taxKey: key }
}
