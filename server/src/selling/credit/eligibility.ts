import { markets, type Market, type Mode } from '@purlin/contract/markets.ts'

/** Markets in which companies can pay by invoice, and the bounds of an order in minor units with VAT. */
export const invoiceMarkets: ReadonlySet<Market> = new Set<Market>(['de', 'fr', 'gb'])
export const invoiceAmounts = { least: 2_500, most: 2_500_000 } as const

export type Ineligible =
  | 'not-offered'
  | 'not-a-company'
  | 'number-missing'
  | 'other-country'
  | 'not-accepted'
  | 'too-small'
  | 'too-large'
  | 'limit'

export interface Situation {
  /** The storefront's switch, and whether the shop has a credit provider. */
  isOn: boolean
  market: Market
  mode: Mode
  company: { name: string; country: string; vatNumber: string | null } | null
  /** The provider's limit for the company; null before it was asked. */
  line: { limit: number | null; isAccepted: boolean | null } | null
  /** Open claims and pending requests of the company. Minor units. */
  used: number
}

/** The reason a company cannot pay by invoice at all; null if it can. Source. */
export function ineligibleCompany({ isOn, market, mode, company, line }: Omit<Situation, 'used'>): Ineligible | null {
  if (!isOn || mode !== 'b2b' || !invoiceMarkets.has(market)) return 'not-offered'
  if (!company) return 'not-a-company'
  if (company.country !== markets[market].country) return 'other-country'
  if (!company.vatNumber) return 'number-missing'
  return line?.isAccepted === false ? 'not-accepted' : null
}

/** The reason an order of this amount cannot be paid by invoice; null if the provider may be asked. */
export function ineligibleOrder(situation: Situation, amount: number): Ineligible | null {
  const reason = ineligibleCompany(situation)
  if (reason) return reason
  if (amount < invoiceAmounts.least) return 'too-small'
  if (amount > invoiceAmounts.most) return 'too-large'
  // Without a known limit the provider decides alone.
  const limit = situation.line?.limit ?? null
  return limit !== null && amount > limit - situation.used ? 'limit' : null
}
