import type { Market } from '@purlin/contract/markets.ts'
import type { UnitOfMeasure, UnitPrice } from '@purlin/contract/price.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { priceAmount } from './money-format.ts'
import { divideHalfUp } from './vat.ts'

/** The content of one piece: 2,500 thousandths of a litre. */
export interface UnitContent {
  measure: UnitOfMeasure
  quantityMilli: number
}

/** Pieces cheaper than this, in minor units, are priced per hundred: "£0.01 each" does not show the value of a box. (V-31) */
const tinyBelow = 10

/** Price per square metre, litre …, in the tax mode of the given price. Minor units. Source. */
export function unitPrice(market: Market, price: number, content: UnitContent | null): UnitPrice | null {
  if (!content || content.quantityMilli <= 0) return null
  const isTiny = content.measure === 'piece' && price * 1000 < tinyBelow * content.quantityMilli
  if (isTiny) {
    const amount = priceAmount(market, divideHalfUp(price * 1000 * 100, content.quantityMilli))
    return { amount, unit: content.measure, label: wordsFor(market)('unit-price.hundred', { price: amount.asString }) }
  }
  const amount = priceAmount(market, divideHalfUp(price * 1000, content.quantityMilli))
  const label = wordsFor(market)(`unit-price.${content.measure}`, { price: amount.asString })
  return { amount, unit: content.measure, label }
}
