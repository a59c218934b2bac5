/** npm run seed -- --products N: extends the stopped shop to N products and rebuilds its index; in the database of DATABASE_URL or of the data folder. */
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
  // A running shop would keep serving the old index.
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
  if (!isDemo) throw new StartError('This shop has products of its own: only a demo shop can be extended with demo products.')
}

try {
  await seed()
  progress.done('done')
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${startSentence(error, processSettings().dataDir)}\n`)
  process.exit(1)
}
