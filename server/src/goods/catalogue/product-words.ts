import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { wordsFor, type PlainKey } from '@purlin/words/catalogues.ts'
import type { ProductDocument, ProductSafety } from './product.ts'

/** Alternative text of a picture: the first shows the product, the others name their view. */
export function pictureAlt(market: Market, title: string, index: number): string {
  return index === 0 ? title : wordsFor(market)('document.picture', { title, number: index + 1 })
}

const documentNames: Readonly<Record<string, PlainKey>> = { manual: 'document.manual', 'energy-label': 'document.energy-label' }

/** A product's documents with readable names, those in the market's language first. */
export function namedDocuments(documents: readonly ProductDocument[], market: Market): (ProductDocument & { label: string })[] {
  const t = wordsFor(market)
  const { language } = markets[market]
  const name = (kind: string) => (documentNames[kind] ? t(documentNames[kind]) : kind)
  const foreign = (document: ProductDocument) => Number(document.language !== language)
  return documents
    .map((document) => ({ ...document, label: document.label ?? name(document.kind) }))
    .toSorted((a, b) => foreign(a) - foreign(b))
}

/** Warnings in the market's language; a list without languages is used as it is. */
export function safetyWarnings(warnings: ProductSafety['warnings'] | undefined, language: Language): string[] {
  if (!warnings) return []
  return Array.isArray(warnings) ? warnings : (warnings[language] ?? warnings.en ?? [])
}
