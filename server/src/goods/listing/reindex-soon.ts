import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { searchEngine } from './ports.ts'
import { reindexProducts } from './reindex-products.ts'

/** How long changes are batched: a burst of orders becomes a few writes, well within the 2 s a change may take to show. */
const gatherMs = 10
const gatherMax = 200

interface Batch {
  products: Set<string>
  /** Null: the product itself changed, in every market. */
  done: Promise<string[]>
  full: () => void
}
const waiting = new Map<string, Batch>()

/** Reindexes a product in one batch with others requested within a moment; returns the tags of the pages to purge. */
export function reindexSoon(db: Db, productId: string, market: Market | null): Promise<string[]> {
  const key = market ?? 'all'
  const open = waiting.get(key)
  if (open) {
    open.products.add(productId)
    if (open.products.size >= gatherMax) open.full()
    return open.done
  }
  const { promise, resolve: full } = Promise.withResolvers<void>()
  const timer = setTimeout(full, gatherMs)
  const products = new Set([productId])
  const done = promise.then(() => {
    clearTimeout(timer)
    // From here on changes belong to the next batch: this one is about to read.
    waiting.delete(key)
    return reindexProducts({ db, engine: searchEngine(), now: new Date() }, [...products], market ? [market] : undefined)
  })
  waiting.set(key, { products, done, full })
  return done
}
