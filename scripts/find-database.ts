import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, launchPostgres } from '@purlin/server/foundation/platform/index.ts'
import { checkDatabase } from '@purlin/server/foundation/platform/reach.ts'
import { claimDataDir } from '@purlin/server/foundation/platform/single.ts'

export interface FoundDatabase {
  url: string
  close: () => Promise<void>
}

/** The database of DATABASE_URL, else that of the running shop; null when there is neither. */
export async function runningDatabase({ databaseUrl, dataDir }: Settings): Promise<FoundDatabase | null> {
  const note = join(dataDir, 'running.json')
  const running = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as { databaseUrl?: string }) : undefined
  const url = databaseUrl ?? running?.databaseUrl
  if (!url) return null
  await checkDatabase(url)
  return { url, close: async () => undefined }
}

/** The same, or the data folder's own database, started for as long as it is needed. */
export async function anyDatabase(settings: Settings): Promise<FoundDatabase> {
  const running = await runningDatabase(settings)
  if (running) return running
  const claim = claimDataDir(settings.dataDir, { pid: process.pid, port: settings.port })
  const server = await launchPostgres({ dataDir: settings.dataDir })
  return {
    url: server.connectionString,
    close: async () => {
      await server.stop()
      claim.release()
    },
  }
}
