import { createTranslate, type MessageValues } from '@purlin/web/i18n.ts'
import { loadCatalogues } from '@purlin/storefront/messages/load.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'

const catalogues = loadCatalogues()

/** The shop's words in a market's language: journeys find things by what people read. */
export function wordsOf(market: Market): (key: string, values?: MessageValues) => string {
  const { locale, language } = markets[market]
  return createTranslate(locale, catalogues[language])
}
