/** npm run build: the storefront's files for browser and server, unless those of exactly these sources are there. */
import { ensureBuilt } from '@purlin/storefront/server/build.ts'

const { built, version } = await ensureBuilt((line) => process.stdout.write(`${line}\n`))
process.stdout.write(`${built ? 'Built' : 'Up to date'}: ${version.slice(0, 12)}\n`)
