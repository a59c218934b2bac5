/**
 * npm run build: the bundles of the storefront and of the identity provider for browser and server, and the compiled sources, unless
 * they are up to date.
 */
import { ensurePages } from '@purlin/services/identity-provider/build.ts'
import { ensureBuilt } from '@purlin/storefront/server/build.ts'
import { compileSources } from '../start/compile.ts'

const { built, version } = await ensureBuilt((line) => process.stdout.write(`${line}\n`))
await ensurePages((line) => process.stdout.write(`${line}\n`))
await compileSources()
process.stdout.write(`${built ? 'Built' : 'Up to date'}: ${version.slice(0, 12)}\n`)
