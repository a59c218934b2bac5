/** The browser's script: the small scripts of all pages in one file, since a request for each would cost more than it brings. */
import { startEnhancers, type Enhancers } from '@purlin/web/client.ts'

startEnhancers(import.meta.glob<Enhancers[string]>(['./**/*.enhance.ts', '../../ui/src/**/*.enhance.ts'], { eager: true }))
