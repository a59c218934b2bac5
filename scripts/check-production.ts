/** npm run check:production: lists what these settings lack for a shop on real domains; exit code 1 if anything. */
import { existsSync } from 'node:fs'
import { StartError, readSettings } from '@purlin/server/foundation/platform/index.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
try {
  const { hosts } = readSettings(undefined, [], { forProduction: true })
  process.stdout.write(`Ready for production on ${hosts.sites.length} sites.\n`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`Not ready for production. ${error.message}\n`)
  process.exitCode = 1
}
