/** The browser's entry: the islands, each in a file of its own. */
import { startIslands } from '@purlin/web/client.ts'

startIslands({
  islands: import.meta.glob<Record<string, unknown>>(['./**/*.island.tsx', '../../ui/src/**/*.island.tsx']),
  enhancers: () => import('./enhancers.ts'),
  hydrate: () => import('@purlin/web/hydrate.tsx'),
})
