import { createReadStream, openSync, writeSync, closeSync, existsSync, renameSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { product } from '../../demo/src/product.ts'
import type { IndexSettings, SearchDocument, SearchParams } from '../../search/src/index.ts'

/** The documents of the search benchmark: products of the demo shop, in French, with twelve facets. */

export const settings: IndexSettings = {
  language: 'fr',
  searchableAttributes: ['title', 'brand', 'category', 'description'],
  exactAttributes: ['ean', 'mpn'],
  attributesForFaceting: [
    'searchable(brand)',
    'department',
    'family',
    'category',
    'condition',
    'color',
    'material',
    'power_source',
    'voltage',
    'sellers',
    'flags',
    'rating',
    'inStock',
    'filterOnly(price)',
    'filterOnly(model)',
  ],
  customRanking: ['desc(popularity)'],
  sorts: { price_asc: 'asc(price)', price_desc: 'desc(price)' },
  attributeForDistinct: 'model',
  attributesToRetrieve: ['title', 'brand', 'price', 'image', 'url', 'rating', 'offer'],
}

export const facets = [
  'brand',
  'department',
  'family',
  'category',
  'condition',
  'color',
  'material',
  'power_source',
  'voltage',
  'sellers',
  'flags',
  'rating',
]

const seed = 42

export function documentAt(index: number): SearchDocument & { price: number; title: string } {
  const made = product(seed, index)
  return {
    objectID: String(made.id),
    title: made.titles.fr,
    description: made.descriptions.fr,
    brand: made.brand.name,
    department: made.leaf.department,
    family: made.family.names.fr,
    category: made.leaf.names.fr,
    model: made.model ? String(made.model.id) : `p${made.id}`,
    ean: made.ean,
    mpn: made.mpn,
    condition: index % 20 === 0 ? 'used' : 'new',
    color: made.attributes.color ?? null,
    material: made.attributes.material ?? null,
    power_source: made.attributes.power_source ?? null,
    voltage: made.attributes.voltage ?? null,
    sellers: [`Seller ${index % 40}`, `Seller ${(index * 7) % 40}`],
    flags: made.flags,
    rating: made.rating === null ? null : Math.floor(made.rating),
    inStock: index % 9 !== 0,
    popularity: made.popularity,
    price: Math.round(made.euros * 100) / 100,
    image: `/media/${made.id}.svg`,
    url: `/p/${made.id}`,
    offer: { id: made.id * 7, seller: index % 40 },
  }
}

/** Writes the products once, so that generating them does not count as building. */
export function writeCatalogue(path: string, count: number): void {
  if (existsSync(path)) return
  const file = openSync(`${path}.part`, 'w')
  let lines = ''
  for (let index = 0; index < count; index++) {
    lines += `${JSON.stringify(documentAt(index))}\n`
    if (lines.length > 1 << 20 || index === count - 1) {
      writeSync(file, lines)
      lines = ''
    }
  }
  closeSync(file)
  renameSync(`${path}.part`, path)
}

export async function* readCatalogue(path: string): AsyncGenerator<SearchDocument> {
  for await (const line of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 20 }) }))
    yield JSON.parse(line) as SearchDocument
}

/** Text, price range, sometimes a brand: typical queries from a results page. With `typos`, one letter of one word is missing. */
export function questions(count: number, typos = false): SearchParams[] {
  return Array.from({ length: count }, (_, index) => {
    const { family, brand, euros } = product(seed, index * 37)
    const words = family.names.fr.split(/\s+/).slice(0, 1 + (index % 2))
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
    const at = 1 + (index % Math.max(1, longest.length - 2))
    const text = words
      .map((word) => (typos && word === longest && word.length > 3 ? word.slice(0, at) + word.slice(at + 1) : word))
      .join(' ')
    const low = Math.floor((euros * (index % 5)) / 10)
    const filters = [
      `price >= ${low} AND price <= ${low + 50 + Math.round(euros * 2)}`,
      ...(index % 3 === 0 ? [`brand:"${brand.name}"`] : []),
      ...(index % 4 === 0 ? ['inStock:true'] : []),
    ]
    return { query: text, filters: filters.join(' AND '), facets, hitsPerPage: 48, attributesToHighlight: ['title'] }
  })
}
