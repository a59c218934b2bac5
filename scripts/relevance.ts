import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { measure, type JudgedProduct, type JudgedQuery } from '../search/relevance/measure.ts'
import type { Language, Synonym } from '../search/src/index.ts'

/**
 * Search quality: `npm run relevance -- FILE [--count 20000] [--misses] [--generator MODULE]`.
 * FILE contains queries as [language, kind, query, family, attributes or null]; prints one JSON line per language and kind.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generator: { type: 'string' },
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '42' },
    misses: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (!file) {
  process.stderr.write('npm run relevance -- FILE\n')
  process.exit(2)
}

/** A generator from another project, in the format on which the queries were judged. */
interface Foreign {
  id: number
  family: string
  brand: string
  model: string
  ean: string
  attrs: Record<string, unknown>
  title: Record<Language, string>
  description: Record<Language, string>
  ratings: number
}

const generator = values.generator ?? process.env.RELEVANCE_GENERATOR
const seed = Number(values.seed)
const makeProduct = generator ? await foreignProducts(generator) : await ownProducts()
const products = Array.from({ length: Number(values.count) }, (_, index) => makeProduct(index))

async function ownProducts(): Promise<(index: number) => JudgedProduct> {
  const { product } = await import('../demo/src/product.ts')
  return (index) => {
    const { id, family, brand, mpn, ean, attributes, titles, descriptions, popularity } = product(seed, index)
    return { id, family: family.key, brand: brand.name, model: mpn, ean, attributes, title: titles, description: descriptions, popularity }
  }
}

async function foreignProducts(path: string): Promise<(index: number) => JudgedProduct> {
  const { product } = (await import(pathToFileURL(path).href)) as { product: (seed: number, index: number) => Foreign }
  return (index) => {
    const { id, family, brand, model, ean, attrs, title, description, ratings } = product(seed, index)
    return { id, family, brand, model, ean, attributes: attrs, title, description, popularity: ratings }
  }
}

const rows = (JSON.parse(readFileSync(file, 'utf8')) as { queries: [Language, string, string, string, Record<string, unknown> | null][] })
  .queries
const queries = rows.map(([language, kind, query, family, attributes]): JudgedQuery => ({ language, kind, query, family, attributes }))

function synonymsOf(language: Language): Synonym[] {
  const path = new URL(`../demo/data/synonyms/${language}.json`, import.meta.url)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Synonym[]) : []
}

const { measured, misses } = await measure(products, queries, synonymsOf)
for (const line of measured) process.stdout.write(`${JSON.stringify(line)}\n`)
if (values.misses) for (const miss of misses) process.stderr.write(`${JSON.stringify(miss)}\n`)
