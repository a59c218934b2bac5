/** The browser's script: the small scripts of all pages in one file, because separate requests would cost more than they save; islands are separate. */
import { startParts, type Enhancers } from '@purlin/web/client.ts'

startParts(
  import.meta.glob<Enhancers[string]>(['./**/*.enhance.ts', '../../ui/src/**/*.enhance.ts'], { eager: true }),
  import.meta.glob<Record<string, unknown>>(['./**/*.island.tsx', '../../ui/src/**/*.island.tsx']),
)
