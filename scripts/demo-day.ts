/**
 * npm run demo:day: plays a day of the demo shop, running or stopped, and prints what happened. A running shop's worker sends the
 * mails and the refunds that follow; a stopped shop does so when it starts.
 */
import { existsSync } from 'node:fs'
import { createPool, processSettings, readNote, readSettings, StartError, startSentence } from '@purlin/server/foundation/platform/index.ts'
import { playDay } from '../start/play-day.ts'
import { anyDatabase } from './find-database.ts'

if (existsSync('.env')) process.loadEnvFile('.env')

async function play(): Promise<void> {
  const settings = readSettings()
  const found = await anyDatabase(settings)
  const pool = createPool({ connectionString: found.url, limits: false, name: 'purlin demo day' })
  try {
    if (!(await readNote(pool.db, 'demo-shop'))) throw new StartError('This shop has no demo data: nobody plays a day in it.')
    const day = await playDay(pool, settings)
    const lines: [string, number][] = [
      ['orders accepted', day.accepted],
      ['parcels shipped', day.shipped],
      ['parcels delivered', day.delivered],
      ['parcels late', day.late],
      ['returns requested', day.returnsRequested],
      ['returns settled', day.returnsSettled],
      ['reviews written', day.reviews],
      ['payout runs started', day.payoutRuns],
    ]
    process.stdout.write(`${lines.map(([name, count]) => `${String(count).padStart(6)}  ${name}`).join('\n')}\n`)
  } finally {
    await pool.end()
    await found.close()
  }
}

try {
  await play()
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${startSentence(error, processSettings().dataDir)}\n`)
  process.exit(1)
}
