import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { enqueue, every, job, newId, on, postponeSchedule, purgePages, type CallContext, type Db, type JobScope } from '#platform'
import { forgetReference, readProductsWithCode, readSellerProductIds, referenceTag } from '#catalogue'
import { ratesChangeToday, vatRules } from '#pricing'
import { forgetSellers, sellersTag } from '#sellers'
import { rebuildIndex } from './rebuild-index.ts'
import { checkDriftPage, driftStart, type DriftPage, type DriftPlace } from './check-drift.ts'
import { offersIndex, productsIndex, queriesIndex } from './document.ts'
import { searchEngine } from './ports.ts'
import { reindexProducts } from './reindex-products.ts'
import { reindexSoon } from './reindex-soon.ts'

/**
 * Readers of the index poll for changes a few times a second. Pages are purged only after that: purged at once, a page
 * could be rendered again from the old index and stay outdated for minutes.
 */
const readersFollowMs = 450

async function purgeOnceVisible(scope: JobScope, tags: string[]): Promise<void> {
  if (tags.length === 0) return
  await enqueue(scope.db, { name: 'listing.purge', key: newId(), payload: { tags }, runAt: new Date(Date.now() + readersFollowMs) })
}

const reindexOffer = {
  call: ({ db }: CallContext, { productId, market }: { productId: string; market: Market }) => reindexSoon(db, productId, market),
  commit: async (scope: JobScope, { productId }: { productId: string }, tags: string[]) => {
    // The product's own page reads the database, so it may be rendered again at once.
    await purgePages(scope.db, [`product:${productId}`])
    await purgeOnceVisible(scope, tags)
  },
}

export const handlers = [
  on('offer.changed', 'listing.offer-changed', reindexOffer),
  on('stock.changed', 'listing.stock-changed', reindexOffer),
  on('product.changed', 'listing.product-changed', {
    call: ({ db }, { productId }) => reindexSoon(db, productId, null),
    commit: reindexOffer.commit,
  }),
  on('category.changed', 'listing.category-changed', {
    commit: async (scope, { categoryId }) => {
      forgetReference()
      await purgePages(scope.db, [referenceTag, 'listing', `category:${categoryId}`])
      await startDriftCheck(scope)
    },
  }),
  on('seller.changed', 'listing.seller-changed', {
    commit: async (scope, { sellerId }) => {
      forgetSellers()
      await purgePages(scope.db, [sellersTag, `seller:${sellerId}`])
      await enqueue(scope.db, { name: 'listing.reindex-seller', key: String(sellerId), payload: { sellerId, after: '0' } })
    },
  }),
  on('coupon.hidden', 'listing.coupon-hidden', { commit: (scope, hidden) => reindexCode(scope, hidden) }),
]

interface HiddenCode {
  market: Market
  code: string
  after?: string
}

async function reindexCode({ db }: JobScope, { market, code, after = '0' }: HiddenCode): Promise<void> {
  await enqueue(db, { name: 'listing.reindex-code', key: `${market} ${code} ${after}`, payload: { market, code, after } })
}

const productsAtOnce = 200

export const jobs = [
  job<{ tags: string[] }>('listing.purge', { commit: (scope, { tags }) => purgePages(scope.db, tags) }),
  // One page at a time: each is a transaction of its own and enqueues the next.
  job<{ sellerId: number; after: string }, { tags: string[]; last: string | null }>('listing.reindex-seller', {
    call: async ({ db, now }, { sellerId, after }) => {
      forgetSellers()
      const ids = await readSellerProductIds(db, sellerId, after, productsAtOnce)
      const tags = await reindexProducts({ db, engine: searchEngine(), now }, ids)
      return { tags, last: ids.length < productsAtOnce ? null : (ids.at(-1) ?? null) }
    },
    commit: async (scope, { sellerId }, { tags, last }) => {
      await purgeOnceVisible(scope, tags)
      if (last) await enqueue(scope.db, { name: 'listing.reindex-seller', key: `${sellerId}:${last}`, payload: { sellerId, after: last } })
    },
  }),
  job<Required<HiddenCode>, { tags: string[]; last: string | null }>('listing.reindex-code', {
    call: async ({ db, now }, { market, code, after }) => {
      const ids = await readProductsWithCode(db, { market, code }, after, productsAtOnce)
      const tags = await reindexProducts({ db, engine: searchEngine(), now }, ids, [market])
      return { tags, last: ids.length < productsAtOnce ? null : (ids.at(-1) ?? null) }
    },
    commit: async (scope, { market, code }, { tags, last }) => {
      await purgeOnceVisible(scope, tags)
      if (last) await reindexCode(scope, { market, code, after: last })
    },
  }),
  job<{ market: Market }>('listing.rebuild', {
    run: async ({ db, now, log, checkpoint, progress }, { market }) => {
      const built = await rebuildIndex({ db, engine: searchEngine(), markets: [market], now, progress: (_, done) => progress(done, done) })
      log.warn({ market, products: built[market] }, 'the index was rebuilt because files of it were lost or damaged')
      await checkpoint('built', async (scope) => {
        // A commit point that was lost took the operators' settings with it.
        await enqueue(scope.db, { name: 'merchandising.restore-levers', key: market, payload: { market } })
        await purgeOnceVisible(scope, ['listing'])
      })
    },
  }),
  job<{ market: Market; place: DriftPlace }, DriftPage>('listing.check-drift', {
    call: ({ db, now }, { market, place }) => checkDriftPage({ db, engine: searchEngine(), now }, market, place),
    commit: async (scope, { market }, { found, tags, next }) => {
      if (found.missing + found.stale + found.surplus > 0) {
        scope.log.warn({ market, ...found }, 'the index had drifted from the database and was repaired')
      }
      await purgeOnceVisible(scope, tags)
      if (next) {
        const key = `${market}:${next.phase === 'products' ? next.after : `${next.phase.charAt(0)}${next.cursor ?? ''}`}`
        await enqueue(scope.db, { name: 'listing.check-drift', key, payload: { market, place: next } })
      }
    },
  }),
]

/**
 * Enqueues the rebuilding of indexes whose files were lost or damaged, at the start of their writer, which is when damage
 * is found. Searches meanwhile find what is left. (V-86)
 */
export async function rebuildDamaged(db: Db): Promise<Market[]> {
  const indexes = await searchEngine().listIndexes()
  const isWhole = (name: string) => indexes.some((index) => index.name === name && !index.isDamaged)
  const damaged = marketCodes.filter((market) => ![productsIndex(market), offersIndex(market), queriesIndex(market)].every(isWhole))
  for (const market of damaged) await enqueue(db, { name: 'listing.rebuild', key: market, payload: { market } })
  return damaged
}

/** Enqueues the comparison of index and database, market by market. */
export async function startDriftCheck(scope: Pick<JobScope, 'db'>, markets: readonly Market[] = marketCodes): Promise<void> {
  for (const market of markets) {
    await enqueue(scope.db, { name: 'listing.check-drift', key: market, payload: { market, place: driftStart } })
  }
}

const hourMs = 3_600_000
const driftEveryMs = 6 * hourMs

/** An index that has just been built needs no comparison until the next turn. */
export async function postponeDriftCheck(db: Db): Promise<void> {
  await postponeSchedule(db, 'listing.drift', driftEveryMs)
}

export const schedules = [
  // Also covers changes by date alone: the end of a promotion or of a reduction.
  every(driftEveryMs, 'listing.drift', (scope) => startDriftCheck(scope)),
  // Net prices of a whole market change on the first day of a VAT rule: listings must not lag hours behind the cart.
  every(hourMs, 'listing.vat', async (scope) => {
    const rules = await vatRules(scope)
    await startDriftCheck(
      scope,
      marketCodes.filter((market) => ratesChangeToday(rules, market, scope.now)),
    )
  }),
]
