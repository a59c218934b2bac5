import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import type { SearchDocument } from '../../search/src/index.ts'
import type { ListingInput } from '../../server/src/goods/listing/index.ts'

/** The same list by another engine: 48 hits, one per model, and every facet counted in models. */
export interface Other {
  name: string
  ask(input: ListingInput, facets: readonly string[]): number
  close(): void
}

interface Conditions {
  low: number
  high: number
  brand: string | null
  inStock: boolean
}

function conditionsOf({ ranges, filters }: ListingInput): Conditions {
  const valueOf = (key: string) => filters?.find((filter) => filter.key === key)?.values[0] ?? null
  const price = ranges?.find(({ key }) => key === 'price')
  return { low: price?.min ?? 0, high: price?.max ?? 1e9, brand: valueOf('brand'), inStock: valueOf('stock') === 'true' }
}

export const valuesOf = (document: SearchDocument, path: string): string[] => {
  const value = path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], document)
  return (Array.isArray(value) ? value : [value]).flatMap((one) => (one === null || one === undefined ? [] : String(one)))
}
export const text = (document: SearchDocument, name: string): string => String(document[name] ?? '')
export const fields = ['title', 'thing', 'brandName', 'categoryNames', 'alternateTitle', 'attributesText', 'description']

/** Values of facets in a table of their own, as attributes may have several. */
export function openSqlite(documents: readonly SearchDocument[], facets: readonly string[]): Other {
  const database = new DatabaseSync(':memory:')
  database.exec(`create virtual table texts using fts5(${fields.join(', ')}, tokenize = 'unicode61 remove_diacritics 2');
    create table products (id integer primary key, price real, inStock integer, brandName text, groupId text, json text);
    create table facets (id integer, facet integer, value text, primary key (facet, id, value)) without rowid;
    create temp table matched (id integer primary key, groupId text, rank real)`)
  const addText = database.prepare(`insert into texts (rowid, ${fields.join(', ')}) values (?, ${fields.map(() => '?').join(', ')})`)
  const addProduct = database.prepare('insert into products values (?, ?, ?, ?, ?, ?)')
  const addValue = database.prepare('insert or ignore into facets values (?, ?, ?)')
  database.exec('begin')
  documents.forEach((document, id) => {
    addText.run(id, ...fields.map((name) => text(document, name)))
    const { price_b2c: price, inStock } = document as { price_b2c?: number; inStock?: boolean }
    addProduct.run(
      id,
      price ?? 0,
      Number(inStock === true),
      text(document, 'brandName'),
      text(document, 'groupId'),
      JSON.stringify(document),
    )
    facets.forEach((name, facet) => valuesOf(document, name).forEach((value) => addValue.run(id, facet, value)))
  })
  database.exec('commit; create index by_price on products (price)')
  const clear = database.prepare('delete from matched')
  const find = database.prepare(`insert into matched select p.id, p.groupId, texts.rank from texts join products p on p.id = texts.rowid
    where texts match ? and price between ? and ? and (? is null or p.brandName = ?) and (? = 0 or inStock = 1)`)
  const page = database.prepare(
    'select json from (select id, min(rank) as best from matched group by groupId order by best limit 48) join products using (id)',
  )
  const count = database.prepare(`select value, count(distinct groupId) from matched join facets on facets.id = matched.id
    where facet = ? group by 1 order by 2 desc limit 500`)
  return {
    name: 'SQLite FTS5',
    ask(input, wanted) {
      const { low, high, brand, inStock } = conditionsOf(input)
      const words = (input.query ?? '')
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .map((word) => `"${word}"`)
      clear.run()
      // The last word may be a prefix, as it is for the others.
      find.run(`${words.join(' ')}*`, low, high, brand, brand, inStock ? 1 : 0)
      const hits = page.all().map((row) => JSON.parse(String(row.json)) as unknown)
      for (const name of wanted) count.all(facets.indexOf(name))
      return hits.length
    },
    close: () => database.close(),
  }
}

export function openMiniSearch(documents: readonly SearchDocument[]): Other {
  const mini = new MiniSearch({ fields, idField: 'objectID' })
  mini.addAll(documents)
  const byId = new Map(documents.map((document) => [document.objectID, document]))
  return {
    name: 'MiniSearch',
    ask(input, wanted) {
      const { low, high, brand, inStock } = conditionsOf(input)
      const found = mini
        .search(input.query ?? '', {
          combineWith: 'AND',
          prefix: (_, index, terms) => index === terms.length - 1,
          boost: { title: 4, thing: 16 },
        })
        .map((hit) => byId.get(String(hit.id))!)
        .filter(
          (one) =>
            Number(one.price_b2c) >= low &&
            Number(one.price_b2c) <= high &&
            (brand === null || one.brandName === brand) &&
            (!inStock || one.inStock === true),
        )
      for (const name of wanted) {
        const groups = new Map<string, Set<unknown>>()
        for (const document of found)
          for (const value of valuesOf(document, name)) groups.set(value, (groups.get(value) ?? new Set()).add(document.groupId))
      }
      return new Set(found.map(({ groupId }) => groupId)).size
    },
    close: () => mini.removeAll(),
  }
}
