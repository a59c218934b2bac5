import type { ShopContext } from '../shell/context.ts'

/** An amount of an example, in minor units. */
export function moneyOf({ locale, currency }: Pick<ShopContext, 'locale' | 'currency'>, amount: number): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}

export function percentOf({ locale }: Pick<ShopContext, 'locale'>, share: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(share)
}
