import { markets, type Currency, type Market } from '@purlin/contract/markets.ts'
import { addDays, addVat, atSameTime, localDay, type NetAndVat, type ServiceVat } from '#pricing'

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

export type SubscriptionTreatment = ServiceVat['treatment']

/** Whether VAT is charged, and the reason if not. */
export type ChargedVat = 'charged' | 'reverse-charge' | 'outside-scope'

export function chargedVat(treatment: SubscriptionTreatment): ChargedVat {
  return treatment === 'domestic' || treatment === 'gb' ? 'charged' : treatment
}

const dayOfMonth = (day: string): number => Number(day.slice(8))

/** The last day of the month that is so many months after the one of a day. */
function lastDayOfMonth(day: string, monthsLater = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month + monthsLater, 0)).toISOString().slice(0, 10)
}

/** The end of a period: the same day of the month in the market's time zone, at the same time, or the last day of a shorter month. */
export function periodEnd(market: Market, start: Date, period: SubscriptionPeriod, anchorDay: number): Date {
  const last = lastDayOfMonth(localDay(market, start), period === 'yearly' ? 12 : 1)
  return atSameTime(market, addDays(last, Math.min(0, anchorDay - dayOfMonth(last))), start)
}

/** The day of the month on which a company's periods begin: that of this one, or the day kept through a month that is too short for it. */
export function anchorOf(market: Market, start: Date, kept: number | null): number {
  const day = localDay(market, start)
  const isKept = kept !== null && dayOfMonth(day) === Math.min(kept, dayOfMonth(lastDayOfMonth(day)))
  return isKept ? kept : dayOfMonth(day)
}

/** The end of a trial that begins now: after thirty days in the market's time zone. */
export function trialEnd(market: Market, now: Date): Date {
  return atSameTime(market, addDays(localDay(market, now), trialDays), now)
}
