import { existsSync } from 'node:fs'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { applyLevers } from '@purlin/server/goods/merchandising/index.ts'
import { connectSearch, documentsVersion, postponeDriftCheck, productsIndex, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import {
  type Pool,
  type Settings,
  StartError,
  createPool,
  isNeeded,
  migrate,
  newId,
  readNote,
  writeNote,
} from '@purlin/server/foundation/platform/index.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { fillContent, fillSynonyms } from './demo.ts'
import { fillInsights } from './fill-insights.ts'
import { fillSettings } from './fill-settings.ts'
import { enrolDemoPeople } from './enrol-demo-people.ts'
import type { Progress } from './progress.ts'
import { searchLease } from './search-lease.ts'

/** Prepares a database and its index for opening the shop: tables, demo products in an empty one, search. */
export async function prepare(databaseUrl: string, settings: Settings, progress: Progress): Promise<{ hasDemoPeople: boolean }> {
  await bringUpToDate(databaseUrl, settings, progress)
  const pool = createPool({ connectionString: databaseUrl, limits: false, name: 'purlin prepare' })
  try {
    const shop = await shopId(pool)
    if (settings.demo && (await waitsForDemo(pool))) await fill(databaseUrl, pool, settings, progress)
    const isDemo = settings.demo && (await readNote(pool.db, 'demo-shop')) !== undefined
    if (isDemo) await writeContent(pool, progress)
    const hasDemoPeople = isDemo && settings.identity.isEmbedded
    if (hasDemoPeople) await fillAccounts(pool, settings, progress)
    await buildIndex(pool, shop, settings, progress)
    return { hasDemoPeople }
  } finally {
    await pool.end()
  }
}

/** Contractions wait if another machine may still run the previous release. */
async function bringUpToDate(url: string, { databaseUrl }: Pick<Settings, 'databaseUrl'>, progress: Progress): Promise<void> {
  const contract = databaseUrl ? {} : { contract: true }
  const migrated = await migrate(url, contract)
  const ran = migrated.ran.length
  // This release needs migrations after a contraction: then the backfills before it are not left to the worker.
  const { left } = migrated.left.some(isNeeded)
    ? await migrate(url, { ...contract, backfill: 'now', progress: (line) => progress.step(line) })
    : migrated
  const needed = left.find(isNeeded)
  if (needed)
    throw new StartError(
      `${needed.id} waits for a contraction: end every process of older releases, then run npm run migrate -- up --contract.`,
    )
  if (ran > 0) progress.done(`${ran} migrations`)
}

const contents = {
  name: 'start.contents',
  text: `select exists(select 1 from catalogue.category) or exists(select 1 from catalogue.product) as "hasGoods",
    to_regclass('demo.seed_state') is not null as "isDemo"`,
}

/** An empty database, or one whose demo seeding was interrupted. A shop with its own data is left alone. */
async function waitsForDemo(pool: Pool): Promise<boolean> {
  if (await readNote(pool.db, 'demo-shop')) return false
  const found = await pool.db.row<{ hasGoods: boolean; isDemo: boolean }>(contents)
  return found !== undefined && (!found.hasGoods || found.isDemo)
}

/** Identifies this database, so that an earlier database's index is not used for it. */
async function shopId(pool: Pool): Promise<string> {
  const known = await readNote<string>(pool.db, 'shop-id')
  if (known) return known
  const id = newId()
  await writeNote(pool.db, 'shop-id', id)
  return id
}

/** The demo people and, once, their purchases; with a real payment provider there are none. */
async function fillAccounts(pool: Pool, settings: Settings, progress: Progress): Promise<void> {
  await enrolDemoPeople(pool.db, settings.identity.url)
  if (settings.payments.provider !== 'embedded' || (await readNote(pool.db, 'demo-past'))) return
  progress.step('Giving the people of the demo a past')
  // With it comes the embedded identity provider, which has words of its own for other runtimes.
  const { makeDemoPast } = await import('./make-demo-past.ts')
  await makeDemoPast(pool, settings)
  const { makeDemoPrices } = await import('./make-demo-prices.ts')
  await makeDemoPrices(pool)
  const { makeDemoQuotes } = await import('./make-demo-quotes.ts')
  await makeDemoQuotes(pool, settings)
  await writeNote(pool.db, 'demo-past', {})
}

/** Creates the demo shop, or its missing part. */
async function fill(connectionString: string, pool: Pool, { products }: Pick<Settings, 'products'>, progress: Progress): Promise<void> {
  const { seedDemoShop } = (await import('@purlin/demo/seed.ts')) as { seedDemoShop: SeedDemoShop }
  await seedDemoShop({ connectionString, products, progress: (done) => progress.step('Making the demo shop', done, products) })
  await fillSynonyms(pool.db)
  await fillInsights(pool)
  await fillSettings(pool)
  await writeNote(pool.db, 'demo-shop', { products })
  progress.done(`${products.toLocaleString('en')} products`)
}
/** Guides and the like, as the files say today. */
async function writeContent(pool: Pool, progress: Progress): Promise<void> {
  const written = await fillContent(pool)
  if (written > 0) progress.done(`${written} guides, comparisons and other pages`)
}
type SeedDemoShop = (options: { connectionString: string; products: number; progress?: (done: number) => void }) => Promise<unknown>

/** Builds the search index unless there is one for this shop, with the current document version. */
async function buildIndex(
  pool: Pool,
  shop: string,
  { searchDir, databaseUrl }: Pick<Settings, 'searchDir' | 'databaseUrl'>,
  progress: Progress,
): Promise<void> {
  const built = await readNote<{ shop: string; directory: string; documents?: number }>(pool.db, 'search-index')
  const isToday = built?.shop === shop && built.directory === searchDir && built.documents === documentsVersion
  if (isToday && existsSync(searchDir)) {
    const reader = await openSearchEngine({ directory: searchDir, mode: 'reader' })
    const names = new Set((await reader.listIndexes()).map(({ name }) => name))
    await reader.close()
    if (marketCodes.every((market) => names.has(productsIndex(market)))) return
  }
  const engine = await openSearchEngine({ directory: searchDir, mode: 'writer', lease: searchLease(pool) })
  connectSearch(engine)
  connectModules()
  try {
    const done = await rebuildIndex({
      db: pool.db,
      engine,
      progress: (market, count) => progress.step(`Building the search index (${market})`, count),
    })
    for (const market of marketCodes) await applyLevers({ db: pool.db, engine }, market)
    await writeNote(pool.db, 'search-index', { shop, directory: searchDir, documents: documentsVersion })
    // Into a database of others, processes of another machine may have written meanwhile.
    if (!databaseUrl) await postponeDriftCheck(pool.db)
    progress.done(
      `search index: ${Object.entries(done)
        .map(([market, count]) => `${market} ${count}`)
        .join(', ')}`,
    )
  } finally {
    await engine.close()
  }
}
