/** What the processes that answer requests share: connections, the search index as a reader, and the data that they keep in memory. */
import { contentTag, forgetContent } from '@purlin/server/goods/content/index.ts'
import { forgetHeader, headerTag } from '@purlin/server/goods/header/index.ts'
import { connectRecommendations, connectSearch, forgetTagged, watchSearches } from '@purlin/server/goods/listing/index.ts'
import { flushQueries, flushSearches, noteSearch } from '@purlin/server/goods/merchandising/index.ts'
import { createGateway, type Gateway, type GatewayOptions } from '@purlin/server/edges/gateway/index.ts'
import { forgetSwitches, switchesTag } from '@purlin/server/foundation/flags/index.ts'
import { loadCouponWorth } from '@purlin/server/selling/cart/index.ts'
import { experimentsTag, loadExperiments, reloadExperiments } from '@purlin/server/selling/experiments/index.ts'
import {
  forgetRecommendations,
  loadRecommendations,
  recommendationService,
  recommendationsTag,
} from '@purlin/server/selling/recommendations/index.ts'
import { connectObjectStore, openObjectStore } from '@purlin/server/foundation/files/index.ts'
import { type Settings, createPool, log, readNote, settings, watchPurges } from '@purlin/server/foundation/platform/index.ts'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { connectDemoDocuments, connectDemoPictures } from './demo.ts'
import { whenReachable } from './when-reachable.ts'

/** An index is megabytes, and opened again within a tenth of a second. */
const idleIndexMs = 600_000

interface ShopOptions extends Pick<GatewayOptions, 'metrics' | 'trustProxy' | 'documents'> {
  /** Of its database connections. */
  name: string
  connections: Settings['connections']
}

export interface OpenShop {
  gateway: Gateway
  /** Told when data in caches is out of date: its tags, or null for everything. */
  onPurge(forget: (tags: readonly string[] | null) => void): void
  /** Closes the gateway and everything below it. */
  close(stopAccepting: () => Promise<void>): Promise<void>
}

export async function openShop({ name, connections, ...options }: ShopOptions): Promise<OpenShop> {
  const { hosts, databaseUrl = '', searchDir, files } = settings()
  const pool = createPool({ connectionString: databaseUrl, sizes: connections, name, planOnce: true })
  // Stored documents stay in their files, which the system caches once for all processes.
  const engine = await openSearchEngine({ directory: searchDir, mode: 'reader', idleMs: idleIndexMs, limits: { documentMemory: 0 } })
  connectSearch(engine)
  connectObjectStore(openObjectStore(files))
  // A shop without demo data shows pictures from the object store and draws nothing.
  if (await whenReachable(() => readNote(pool.db, 'demo-shop'))) {
    connectDemoPictures()
    connectDemoDocuments()
  }
  const counting = setInterval(
    () => void flushSearches(pool.db).catch((error: unknown) => log.warn({ err: error }, 'searches were not counted')),
    5_000,
  )
  const issuing = setInterval(
    () => void flushQueries(pool.db).catch((error: unknown) => log.warn({ err: error }, 'ids of searches were not stored')),
    500,
  )

  await whenReachable(() => loadExperiments(pool.db))
  connectRecommendations(recommendationService(pool.db))
  await whenReachable(() => loadRecommendations(pool.db))

  await whenReachable(() => loadCouponWorth(pool.db))
  const couponWorth = setInterval(
    () => void loadCouponWorth(pool.db).catch((error: unknown) => log.warn({ err: error }, 'coupons were not read again')),
    60_000,
  )

  const gateway = await createGateway({ pool, hosts, ...options })
  const forgetters: ((tags: readonly string[] | null) => void)[] = []
  const stopWatching = watchPurges(pool, (tags) => {
    forgetTagged(tags)
    if (!tags || tags.includes(contentTag)) forgetContent()
    if (!tags || tags.includes(switchesTag)) forgetSwitches()
    if (!tags || tags.includes(headerTag)) forgetHeader()
    if (!tags || tags.includes(recommendationsTag)) forgetRecommendations()
    if (!tags || tags.includes(experimentsTag)) reloadExperiments(pool.db)
    for (const forget of forgetters) forget(tags)
  })

  // Reference data for listings is loaded before the first visitor, so that listings survive a database that stalls later.
  const warming = '{ listing(input: { kind: search, query: "" }) { total } categoryTree { id } }'
  await Promise.all(hosts.sites.map(({ host }) => gateway.execute({ query: warming, headers: { host } })))
  watchSearches(noteSearch)
  return {
    gateway,
    onPurge: (forget) => void forgetters.push(forget),
    close: async (stopAccepting) => {
      stopWatching()
      clearInterval(counting)
      clearInterval(issuing)
      clearInterval(couponWorth)
      await stopAccepting()
      await gateway.close()
      await engine.close()
      await pool.end()
    },
  }
}
