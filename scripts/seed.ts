/** npm run seed -- --products N: adds goods to the stopped shop until it has N, and builds its index anew; in the database of DATABASE_URL or of the data folder. */
import { existsSync } from 'node:fs'
import {
  StartError,
  createPool,
  launchPostgres,
  migrate,
  processSettings,
  readNote,
  readSettings,
  startSentence,
} from '@purlin/server/foundation/platform/index.ts'
import { checkDatabase } from '@purlin/server/foundation/platform/reach.ts'
import { claimDataDir } from '@purlin/server/foundation/platform/single.ts'
import { prepare } from '../start/prepare.ts'
import { createProgress } from '../start/progress.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
const progress = createProgress()

async function seed(): Promise<void> {
  const settings = readSettings()
  // A shop that runs would serve an index of goods that are gone.
  const claim = claimDataDir(settings.dataDir, { pid: process.pid, port: settings.port })
  const server = settings.databaseUrl ? undefined : await launchPostgres({ dataDir: settings.dataDir })
  try {
    const url = settings.databaseUrl ?? server?.connectionString ?? ''
    if (settings.databaseUrl) await checkDatabase(url)
    await migrate(url)
    const pool = createPool({ connectionString: url, limits: false, name: 'purlin seed' })
    await pool.query(`delete from platform.note where key in ('demo-shop', 'search-index')`)
    await pool.end()
    await prepare(url, { ...settings, demo: true }, progress)
    await checkIsDemo(url)
  } finally {
    await server?.stop()
    claim.release()
  }
}

async function checkIsDemo(connectionString: string): Promise<void> {
  const pool = createPool({ connectionString, limits: false, name: 'purlin seed' })
  const isDemo = await readNote(pool.db, 'demo-shop')
  await pool.end()
  if (!isDemo) throw new StartError('This shop has goods of its own: only a demo shop can be given more of the demo.')
}

try {
  await seed()
  progress.done('done')
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${startSentence(error, processSettings().dataDir)}\n`)
  process.exit(1)
}
