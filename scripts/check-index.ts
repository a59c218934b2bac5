/**
 * npm run check:index [-- --repair]: compares the search index with the database, product by product and market by market.
 * Read-only; with --repair the running worker, the index's only writer, is asked to fix the differences.
 */
import { existsSync } from 'node:fs'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { checkDrift, startDriftCheck } from '@purlin/server/goods/listing/index.ts'
import { StartError, createPool, processSettings, readSettings, startSentence } from '@purlin/server/foundation/platform/index.ts'
import { runningDatabase } from './find-database.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
const repairs = process.argv.includes('--repair')

async function check(): Promise<number> {
  const settings = readSettings(undefined, [])
  const database = await runningDatabase(settings)
  if (!database) throw new StartError('The shop does not run: start it with npm start, or name its database in DATABASE_URL.')
  connectModules()
  const pool = createPool({ connectionString: database.url, limits: false, name: 'purlin check' })
  const engine = await openSearchEngine({ directory: settings.searchDir, mode: 'reader' })
  try {
    const drifts = await checkDrift({ db: pool.db, engine, now: new Date(), repair: false })
    process.stdout.write('market  missing  stale  surplus\n')
    for (const { market, missing, stale, surplus } of drifts) {
      process.stdout.write(`${market.padEnd(6)}${String(missing).padStart(9)}${String(stale).padStart(7)}${String(surplus).padStart(9)}\n`)
    }
    const wrong = drifts.reduce((sum, { missing, stale, surplus }) => sum + missing + stale + surplus, 0)
    if (wrong > 0 && repairs) {
      await startDriftCheck({ db: pool.db })
      process.stdout.write('The worker was asked to repair it.\n')
    }
    return wrong > 0 && !repairs ? 1 : 0
  } finally {
    await engine.close()
    await pool.end()
  }
}

try {
  process.exit(await check())
} catch (error) {
  process.stderr.write(`${startSentence(error, processSettings().dataDir)}\n`)
  process.exit(1)
}
