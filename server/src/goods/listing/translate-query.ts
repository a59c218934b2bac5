import { languages, markets, type Market } from '@purlin/contract/markets.ts'
import { fold } from '@purlin/search/analysis/fold.ts'
import { inLanguage, type Reference } from '#catalogue'
import { withoutParts, type QueryPart } from './query-parts.ts'
import type { UnderstoodFilter } from './resolve-parts.ts'
import { rootsOf, type TitleWords } from './title-words.ts'
import { facetLabel } from './words.ts'

export interface Translation {
  /** Categories of the goods that the words name. */
  filter: UnderstoodFilter
  /** The rest of the query: measures, brand, condition. */
  rest: string
}

/** More categories than this are named by no thing. */
const maxCategories = 20

/**
 * The goods that words of another of the shop's languages name, by the titles that all goods have in five languages:
 * "hammer" in France is "marteau". Null for words of the market's own language, and for words of no goods. (V-91)
 */
export function translationOf(
  query: string,
  parts: readonly QueryPart[],
  { market, catalogue, titles, literal }: { market: Market; catalogue: Reference; titles: TitleWords; literal: readonly string[] },
): Translation | null {
  const { language: own } = markets[market]
  const kept = parts.filter(({ kind }) => kind === 'measure' || kind === 'code' || kind === 'brand' || kind === 'condition')
  const words = withoutParts(query, kept)
  if (words === '' || literal.some((part) => fold(part) === fold(words))) return null
  if (titles.categoriesWith(rootsOf(words, own), own).length > 0) return null
  const found = languages
    .filter((language) => language !== own)
    .map((language) => titles.categoriesWith(rootsOf(words, language), language))
    .filter(({ length }) => length > 0 && length <= maxCategories)
    .toSorted((a, b) => a.length - b.length)[0]
  if (!found) return null
  const names = [...new Set(found.map((id) => inLanguage(catalogue.categories.byId.get(id)?.names, own)))]
  const filter: UnderstoodFilter = {
    kind: 'category',
    part: { kind: 'words', text: words, start: 0, end: query.length },
    clauses: [{ key: 'translation', facetFilter: found.map((id) => `categoryIds:${id}`) }],
    name: facetLabel(market, 'category'),
    value: names.slice(0, 2).join(' / '),
    strength: 7,
  }
  return { filter, rest: kept.map(({ text }) => text).join(' ') }
}
