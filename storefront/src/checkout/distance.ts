import type { ShopContext } from '../shell/context.ts'

export const metresPerMile = 1609.344

/** Roads are measured in miles in the United Kingdom alone. */
export function isInMiles({ market }: Pick<ShopContext, 'market'>): boolean {
  return market === 'gb'
}

/** "350 m", "1.2 km"; in the United Kingdom "0.2 mi". */
export function distanceText(metres: number, { market, locale }: Pick<ShopContext, 'market' | 'locale'>): string {
  const format = (value: number, unit: string, digits: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits }).format(value)
  if (isInMiles({ market })) return format(metres / metresPerMile, 'mile', metres < metresPerMile / 2 ? 2 : 1)
  return metres < 1000 ? format(Math.max(50, Math.round(metres / 50) * 50), 'meter', 0) : format(metres / 1000, 'kilometer', 1)
}
