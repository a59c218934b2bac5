import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { UnitOfMeasure, UnitPrice } from '@purlin/contract/price.ts'
import { priceAmount } from './money-format.ts'
import { divideHalfUp } from './vat.ts'

/** How much of what is in one article: 2,500 thousandths of a litre. */
export interface UnitContent {
  measure: UnitOfMeasure
  quantityMilli: number
}

const suffixes: Record<UnitOfMeasure, Record<Language, string>> = {
  m2: { en: '/m²', fr: '/m²', de: '/m²', es: '/m²', it: '/m²' },
  l: { en: '/L', fr: '/L', de: '/L', es: '/L', it: '/L' },
  kg: { en: '/kg', fr: '/kg', de: '/kg', es: '/kg', it: '/kg' },
  m: { en: '/m', fr: '/m', de: '/m', es: '/m', it: '/m' },
  piece: { en: 'each', fr: '/pièce', de: '/Stück', es: '/ud.', it: '/pezzo' },
}

/** Price per square metre, litre …, in the tax mode of the price given. Minor units. Source. */
export function unitPrice(market: Market, price: number, content: UnitContent | null): UnitPrice | null {
  if (!content || content.quantityMilli <= 0) return null
  const amount = priceAmount(market, divideHalfUp(price * 1000, content.quantityMilli))
  const label = `${amount.asString} ${suffixes[content.measure][markets[market].language]}`
  return { amount, unit: content.measure, label }
}
