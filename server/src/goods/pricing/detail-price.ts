import { minorPerMajor } from '@purlin/contract/money.ts'
import { askedPrice } from './price-block.ts'
import type { AskedPrices } from './price-steps.ts'
import type { PriceDisplay } from './tax-mode.ts'
import { splitGross, type Vat } from './vat.ts'

/** A product's price in the format of the detail source. Source: spec §3, R-380…R-382. */
export interface DetailPrices {
  per_item: { actual_price: { with_vat: { as_float: number }; without_vat: { as_float: number } } }
  seller_country_id: string
}

export function detailPrices(display: PriceDisplay, offer: AskedPrices & { sellerCountry: string; vat: Vat }): DetailPrices {
  const { gross, net } = splitGross(askedPrice(display, offer), offer.vat.rateBp)
  return {
    per_item: { actual_price: { with_vat: { as_float: gross / minorPerMajor }, without_vat: { as_float: net / minorPerMajor } } },
    seller_country_id: offer.sellerCountry,
  }
}
