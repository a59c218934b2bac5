import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import type { SearchDocument, SearchParams } from '../../search/src/index.ts'
import { facets } from './catalogue.ts'

/** The same query for two other engines: 48 hits and twelve facets. */
export interface Other {
  name: string
  ask(params: SearchParams): number
  close(): void
}

/** Price range and brand, as in the benchmark's queries. */
function conditions(params: SearchParams): { low: number; high: number; brand: string | null; inStock: boolean } {
  const text = params.filters ?? ''
  return {
    low: Number(/price >= (\d+)/.exec(text)?.[1] ?? 0),
    high: Number(/price <= (\d+)/.exec(text)?.[1] ?? 1e9),
    brand: /brand:"([^"]+)"/.exec(text)?.[1] ?? null,
    inStock: text.includes('inStock:true'),
  }
}

const scalar = (value: unknown): string | number | null =>
  Array.isArray(value)
    ? value.join(',')
    : typeof value === 'string' || typeof value === 'number'
      ? value
      : value === null || value === undefined
        ? null
        : String(value)

export function openSqlite(documents: readonly SearchDocument[]): Other {
  const database = new DatabaseSync(':memory:')
  database.exec(`create virtual table texts using fts5(title, brand, category, description, tokenize = 'unicode61 remove_diacritics 2');
    create table products (id integer primary key, price real, inStock text, ${facets.join(' text, ')} text, json text);
    create temp table matched (id integer primary key, rank real)`)
  const addText = database.prepare('insert into texts (rowid, title, brand, category, description) values (?, ?, ?, ?, ?)')
  const addProduct = database.prepare(`insert into products values (?, ?, ?, ${facets.map(() => '?').join(', ')}, ?)`)
  database.exec('begin')
  documents.forEach((document, id) => {
    addText.run(id, scalar(document.title), scalar(document.brand), scalar(document.category), scalar(document.description))
    addProduct.run(
      id,
      scalar(document.price),
      String(document.inStock),
      ...facets.map((name) => scalar(document[name])),
      JSON.stringify(document),
    )
  })
  database.exec('commit; create index by_price on products (price)')
  const clear = database.prepare('delete from matched')
  const find = database.prepare(`insert into matched select products.id, texts.rank from texts join products on products.id = texts.rowid
    where texts match ? and price between ? and ? and (? is null or products.brand = ?) and (? = 0 or inStock = 'true')`)
  const page = database.prepare('select json from matched join products using (id) order by rank limit 48')
  const counts = facets.map((name) =>
    database.prepare(`select ${name}, count(*) from matched join products using (id) group by 1 order by 2 desc limit 100`),
  )
  return {
    name: 'SQLite FTS5',
    ask(params) {
      const { low, high, brand, inStock } = conditions(params)
      const words = (params.query ?? '')
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .map((word) => `"${word}"`)
      clear.run()
      // The last word may be a prefix, as it is for the other two.
      find.run(`${words.join(' ')}*`, low, high, brand, brand, inStock ? 1 : 0)
      const hits = page.all().map((row) => JSON.parse(String(row.json)) as unknown)
      for (const count of counts) count.all()
      return hits.length
    },
    close: () => database.close(),
  }
}

export function openMiniSearch(documents: readonly SearchDocument[]): Other {
  const mini = new MiniSearch({ fields: ['title', 'brand', 'category', 'description'], idField: 'objectID' })
  mini.addAll(documents)
  const byId = new Map(documents.map((document) => [document.objectID, document]))
  return {
    name: 'MiniSearch',
    ask(params) {
      const { low, high, brand, inStock } = conditions(params)
      const found = mini
        .search(params.query ?? '', {
          combineWith: 'AND',
          prefix: (_, index, terms) => index === terms.length - 1,
          boost: { title: 4, brand: 3, category: 2 },
        })
        .map((hit) => byId.get(String(hit.id))!)
        .filter(
          (one) =>
            Number(one.price) >= low &&
            Number(one.price) <= high &&
            (brand === null || one.brand === brand) &&
            (!inStock || one.inStock === true),
        )
      for (const name of facets) {
        const counts = new Map<unknown, number>()
        for (const document of found) for (const value of [document[name]].flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      return found.slice(0, 48).length
    },
    close: () => mini.removeAll(),
  }
}
