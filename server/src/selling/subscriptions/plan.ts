import { markets, type Currency, type Market } from '@purlin/contract/markets.ts'
import { addVat, type NetAndVat } from '#pricing'

export const subscriptionPeriods = ['yearly', 'monthly'] as const
export type SubscriptionPeriod = (typeof subscriptionPeriods)[number]

/** Net prices by currency, in minor units: a year costs ten months. */
const prices: Record<Currency, Record<SubscriptionPeriod, number>> = {
  EUR: { monthly: 990, yearly: 9900 },
  GBP: { monthly: 890, yearly: 8900 },
}

/** Once per company. */
export const trialDays = 30
/** After the first payment a company may withdraw (decision 055). */
export const withdrawalDays = 14
export const dayMs = 86_400_000

export function priceOf(market: Market, period: SubscriptionPeriod, rateBp: number): NetAndVat & { currency: Currency } {
  const { currency } = markets[market]
  return { ...addVat(prices[currency][period], rateBp), currency }
}

export type SubscriptionTreatment = 'domestic' | 'gb' | 'reverse-charge'

/** VAT of a service: where the company is. One of another member state with a confirmed number accounts for it itself. */
export function treatmentOf(market: Market, company: { country: string; confirmedVatNumber: string | null }): SubscriptionTreatment {
  const { country } = markets[market]
  if (country === 'GB') return 'gb'
  return company.country !== country && company.country !== 'GB' && company.confirmedVatNumber !== null ? 'reverse-charge' : 'domestic'
}

/** The end of a period: the same day of the month, or the last day of a shorter one. */
export function periodEnd(start: Date, period: SubscriptionPeriod, anchorDay: number): Date {
  const months = period === 'yearly' ? 12 : 1
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(anchorDay, lastDay))
  return end
}
