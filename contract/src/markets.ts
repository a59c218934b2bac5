/** The five markets and everything determined by the country. Source: spec §1, §9. */

export const marketCodes = ['es', 'fr', 'gb', 'de', 'it'] as const
export type Market = (typeof marketCodes)[number]

/** The two storefronts of a market. */
export const modes = ['b2c', 'b2b'] as const
export type Mode = (typeof modes)[number]

export type Currency = 'EUR' | 'GBP'

/** The shop's languages; the first is the one messages are written in. */
export const languages = ['en', 'fr', 'de', 'es', 'it'] as const
export type Language = (typeof languages)[number]

export interface MarketFacts {
  market: Market
  /** ISO 3166-1 alpha-2, upper case. */
  country: string
  currency: Currency
  language: Language
  /** BCP 47, for Intl. */
  locale: string
  timeZone: string
  /** Country suffix of the public domain. */
  suffix: string
  /** Professionals see prices with VAT here too. */
  b2bPricesIncludeVat: boolean
}

export const markets = {
  es: {
    market: 'es',
    country: 'ES',
    currency: 'EUR',
    language: 'es',
    locale: 'es-ES',
    timeZone: 'Europe/Madrid',
    suffix: '.es',
    b2bPricesIncludeVat: false,
  },
  fr: {
    market: 'fr',
    country: 'FR',
    currency: 'EUR',
    language: 'fr',
    locale: 'fr-FR',
    timeZone: 'Europe/Paris',
    suffix: '.fr',
    b2bPricesIncludeVat: false,
  },
  gb: {
    market: 'gb',
    country: 'GB',
    currency: 'GBP',
    language: 'en',
    locale: 'en-GB',
    timeZone: 'Europe/London',
    suffix: '.co.uk',
    b2bPricesIncludeVat: true,
  },
  de: {
    market: 'de',
    country: 'DE',
    currency: 'EUR',
    language: 'de',
    locale: 'de-DE',
    timeZone: 'Europe/Berlin',
    suffix: '.de',
    b2bPricesIncludeVat: false,
  },
  it: {
    market: 'it',
    country: 'IT',
    currency: 'EUR',
    language: 'it',
    locale: 'it-IT',
    timeZone: 'Europe/Rome',
    suffix: '.it',
    b2bPricesIncludeVat: false,
  },
} as const satisfies Record<Market, MarketFacts>

export function isMarket(value: unknown): value is Market {
  return typeof value === 'string' && (marketCodes as readonly string[]).includes(value)
}

export function isMode(value: unknown): value is Mode {
  return value === 'b2c' || value === 'b2b'
}
