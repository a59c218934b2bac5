import { markets, type Currency, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { SiteScope } from '#platform'

export interface Site {
  market: Market
  mode: Mode
  currency: Currency
  /** BCP 47. */
  locale: string
  timeZone: string
  prefersVat: boolean
}

/** The settings of the storefront at this host. Source: spec §6, R-503…R-506. */
export function siteOf({ market, mode, prefersVat }: Pick<SiteScope, 'market' | 'mode' | 'prefersVat'>): Site {
  const { currency, locale, timeZone } = markets[market]
  return { market, mode, currency, locale, timeZone, prefersVat }
}
