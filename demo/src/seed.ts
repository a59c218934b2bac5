import pg from 'pg'
import { copyRows } from './copy.ts'
import { dataDigest } from './grammar.ts'
import { defaultSeed, demoShop, productTables, type Row } from './index.ts'

export interface SeedOptions {
  connectionString: string
  /** The number of products the shop should have. */
  products?: number
  seed?: number
  now?: Date
  progress?: (done: number, total: number) => void
}

export interface SeedResult {
  /** Products written now: 0 if the shop existed already. */
  written: number
  /** Products in the shop. */
  products: number
  ms: number
}

/** Products held in memory at once. */
const batchSize = 250

/**
 * Fills a migrated database with the demo shop, or adds missing products to a smaller one.
 * One transaction that also records what was seeded: if it is killed, nothing is written, and the next call starts over.
 * Concurrent calls wait for each other. The search index is not touched: build it afterwards.
 * @throws RangeError when the database holds a demo shop of another seed or other data, or products from elsewhere
 */
export async function seedDemoShop({
  connectionString,
  products = 5000,
  seed = defaultSeed,
  now = new Date(),
  progress,
}: SeedOptions): Promise<SeedResult> {
  const started = performance.now()
  const client = new pg.Client({ connectionString, application_name: 'purlin seed' })
  await client.connect()
  try {
    await prepareNote(client)
    await client.query('begin')
    // Loads faster, and anything lost would be lost with the transaction anyway.
    await client.query('set local synchronous_commit = off')
    await client.query('lock table demo.seed_state in exclusive mode')
    const { products: before, madeFrom } = await stateOf(client, seed)
    if (before >= products) {
      await client.query('rollback')
      return { written: 0, products: before, ms: performance.now() - started }
    }

    // Other data yields different products under the same numbers: existing and added ones would not match.
    if (before > 0 && madeFrom !== dataDigest())
      throw new RangeError('The demo shop has changed since this database was seeded: empty it to seed more.')
    const shop = demoShop({ seed, products, from: before, now })
    if (before === 0) for (const [table, rows] of shop.reference) if (await exists(client, table)) await copyRows(client, table, rows)
    await writeProducts(client, shop.products(), (done) => progress?.(before + done, products))
    await client.query(
      'insert into demo.seed_state (seed, products, made_from) values ($1, $2, $3) on conflict (seed) do update set products = excluded.products, at = now()',
      [seed, products, dataDigest()],
    )
    await client.query('commit')
    await client.query(`analyze ${productTables.filter((table) => table.startsWith('catalogue.')).join(', ')}`)
    if (await exists(client, 'reviews.review')) await client.query('analyze reviews.review')
    return { written: products - before, products, ms: performance.now() - started }
  } finally {
    await client.end()
  }
}

async function writeProducts(
  client: pg.Client,
  made: Iterable<Record<(typeof productTables)[number], Row[]>>,
  told: (done: number) => void,
): Promise<void> {
  const waiting = new Map<string, Row[]>(productTables.map((table) => [table, []]))
  const present: string[] = []
  for (const table of productTables) if (await exists(client, table)) present.push(table)
  let done = 0
  const flush = async () => {
    for (const table of present) await copyRows(client, table, waiting.get(table)?.splice(0) ?? [])
    told(done)
  }
  for (const rows of made) {
    for (const table of productTables) waiting.get(table)?.push(...rows[table])
    done += 1
    if (done % batchSize === 0) await flush()
  }
  if (done % batchSize !== 0) await flush()
}

async function prepareNote(client: pg.Client): Promise<void> {
  // Two concurrent starts may both find it missing.
  await client
    .query(
      `create schema if not exists demo;
       create table if not exists demo.seed_state (seed integer primary key, products integer not null, made_from text not null, at timestamptz not null default now())`,
    )
    .catch((error: unknown) => {
      const code = (error as { code?: string }).code
      if (code !== '23505' && code !== '42P06' && code !== '42P07') throw error
    })
}

/** Existing products of this seed, and the data they were generated from. */
async function stateOf(client: pg.Client, seed: number): Promise<{ products: number; madeFrom: string }> {
  const { rows } = await client.query<{ seed: number; products: number; madeFrom: string }>(
    'select seed, products, made_from as "madeFrom" from demo.seed_state',
  )
  const [state] = rows
  if (!state) {
    const { rowCount } = await client.query('select 1 from catalogue.product limit 1')
    if (rowCount) throw new RangeError('This database holds products that are not of the demo shop: seed an empty one.')
    return { products: 0, madeFrom: '' }
  }
  if (state.seed !== seed) throw new RangeError(`This database holds the demo shop of seed ${state.seed}: seed another one with ${seed}.`)
  return state
}

/** Modules after the catalogue may be missing in tests. */
async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table])
  return rows[0]?.found === true
}
