/**
 * npm run migrate                       applied and pending migrations of the database
 * npm run migrate -- up                 runs pending ones alongside the running release; contractions wait
 * npm run migrate -- up --contract      includes contractions: no process of an older release may run any more
 *
 * Uses the database of DATABASE_URL, of the running shop, or of the data folder.
 */
import { existsSync } from 'node:fs'
import {
  StartError,
  describe,
  migrate,
  processSettings,
  readSettings,
  schemaStatus,
  startSentence,
} from '@purlin/server/foundation/platform/index.ts'
import { anyDatabase } from './find-database.ts'

if (existsSync('.env')) process.loadEnvFile('.env')

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

async function showStatus(url: string): Promise<void> {
  const { applied, waiting, foreign, backfills } = await schemaStatus(url)
  say(`${applied.length} migrations have run, ${waiting.length} wait.`)
  for (const { id, phase } of waiting) say(`  ${phase.padEnd(11)}${id}`)
  for (const id of foreign) say(`  unknown    ${id} (of another release)`)
  for (const progress of backfills) say(`  under way  ${describe(progress)}`)
}

async function run([command = 'status', ...flags]: readonly string[]): Promise<void> {
  const isKnown = command === 'status' ? flags.length === 0 : command === 'up' && flags.every((flag) => flag === '--contract')
  if (!isKnown) throw new StartError('npm run migrate -- status, up or up --contract.')
  const database = await anyDatabase(readSettings(undefined, []))
  try {
    if (command === 'up') {
      const contract = flags.includes('--contract')
      await migrate(database.url, { backfill: 'now', progress: say, ...(contract && { contract }) })
    }
    await showStatus(database.url)
  } finally {
    await database.close()
  }
}

try {
  await run(process.argv.slice(2))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${startSentence(error, processSettings().dataDir)}\n`)
  process.exit(1)
}
