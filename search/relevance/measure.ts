import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchEngine, type IndexSettings, type Language, type SearchDocument, type Synonym } from '../src/index.ts'

/** A query whose correct family, and attribute, is known. */
export interface JudgedQuery {
  language: Language
  kind: string
  query: string
  family: string
  attributes: Record<string, unknown> | null
}

/** One product of a generated catalogue, in all its languages. */
export interface JudgedProduct {
  id: number | string
  family: string
  brand: string
  /** Part number. */
  model: string
  ean: string
  attributes: Record<string, unknown>
  title: Record<Language, string>
  description: Record<Language, string>
  popularity: number
}

export interface Measured {
  language: Language
  kind: string
  /** Among ten hits, how many are of the family and have the attribute. */
  p10: number
  /** Share of queries without any hit. */
  zero: number
  queries: number
}

export interface Miss {
  language: Language
  kind: string
  query: string
  expected: string
  p10: number
  first: string[]
}

export const settings: Omit<IndexSettings, 'language'> = {
  searchableAttributes: ['title', 'brand', 'description'],
  attributeWeights: { title: 4, brand: 2, description: 1 },
  exactAttributes: ['ean', 'model', 'objectID'],
  customRanking: ['desc(popularity)'],
}

/** Builds one index per language and runs every query; misses are those below full marks. */
export async function measure(
  products: readonly JudgedProduct[],
  queries: readonly JudgedQuery[],
  synonyms: (language: Language) => Synonym[],
): Promise<{ measured: Measured[]; misses: Miss[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'relevance-'))
  const engine = await openSearchEngine({ directory })
  const byId = new Map(products.map((product) => [String(product.id), product]))
  const measured: Measured[] = []
  const misses: Miss[] = []
  try {
    for (const language of new Set(queries.map((one) => one.language))) {
      await engine.replaceAll(language, documentsOf(products, language), { ...settings, language })
      await engine.setSynonyms(language, synonyms(language), { replaceExisting: true })
      for (const kind of new Set(queries.filter((one) => one.language === language).map((one) => one.kind))) {
        const asked = queries.filter((one) => one.language === language && one.kind === kind)
        let right = 0
        let empty = 0
        for (const one of asked) {
          const { hits } = await engine.search(language, {
            query: one.query,
            hitsPerPage: 10,
            removeWordsIfNoResults: 'allOptional',
            attributesToHighlight: [],
          })
          const p10 = hits.filter((hit) => isRight(byId.get(hit.objectID)!, one)).length / 10
          right += p10
          if (hits.length === 0) empty++
          if (p10 < 1)
            misses.push({
              language,
              kind,
              query: one.query,
              expected: one.family,
              p10,
              first: hits.slice(0, 3).map((hit) => byId.get(hit.objectID)!.title[language]),
            })
        }
        measured.push({ language, kind, p10: round(right / asked.length), zero: round(empty / asked.length), queries: asked.length })
      }
    }
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { measured, misses }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000

function isRight(product: JudgedProduct, query: JudgedQuery): boolean {
  if (product.family !== query.family) return false
  return Object.entries(query.attributes ?? {}).every(([name, value]) => product.attributes[name] === value)
}

function* documentsOf(products: readonly JudgedProduct[], language: Language): Generator<SearchDocument> {
  for (const { id, title, description, brand, model, ean, popularity } of products) {
    yield { objectID: String(id), title: title[language], description: description[language], brand, model, ean, popularity }
  }
}
