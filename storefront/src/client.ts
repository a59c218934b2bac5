/** The browser's script: the small scripts of all pages in one file, since a request for each would cost more than it brings; islands apart. */
import { startParts, type Enhancers } from '@purlin/web/client.ts'

startParts(
  import.meta.glob<Enhancers[string]>(['./**/*.enhance.ts', '../../ui/src/**/*.enhance.ts'], { eager: true }),
  import.meta.glob<Record<string, unknown>>(['./**/*.island.tsx', '../../ui/src/**/*.island.tsx']),
)
