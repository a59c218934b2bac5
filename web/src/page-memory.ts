import { createConversions, type Conversions } from './conversions.ts'
import { createHtmlCache, defaultCacheBytes, type HtmlCache } from './html-cache.ts'
import type { PagesOptions } from './pages-options.ts'

/** Copies for clients that do not accept brotli: behind a proxy that asks for gzip alone, every page has one about as large as itself. */
const copiesShare = 1 / 2

/** The page cache and the copies of its pages in other encodings, in one memory: what the copies do not use belongs to the pages. */
export function createPageMemory({
  cacheBytes = defaultCacheBytes,
  conversions: limits,
  now,
}: Pick<PagesOptions<never, never, never>, 'cacheBytes' | 'conversions' | 'now'>): { cache: HtmlCache; conversions: Conversions } {
  const conversions: Conversions = createConversions({ bytes: cacheBytes * copiesShare, ...limits, onGrowth: () => cache.trim() })
  const cache = createHtmlCache({ maximumBytes: cacheBytes, copiedBytes: conversions.bytes, now })
  return { cache, conversions }
}
