import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSearchEngine, type IndexedQuery, type SearchEngine } from '@purlin/search'

export interface TestEngine extends SearchEngine {
  /** Set to delay every search by this long. */
  delayMs: number
  /** Set to make every search fail with this error. */
  failure: string | null
  /** Queries received so far. */
  asked: IndexedQuery[]
}

/** The embedded engine on a folder of its own, removed when the test file ends, which can be made slow or failing. */
export async function testEngine(): Promise<TestEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'purlin-listing-'))
  const engine = await openSearchEngine({ directory, mode: 'writer', threads: 0 })
  after(async () => {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const told: TestEngine = {
    ...engine,
    delayMs: 0,
    failure: null,
    asked: [],
    async multiSearch(queries, signal) {
      told.asked.push(...queries)
      if (told.delayMs > 0) await sleep(told.delayMs)
      if (told.failure) throw new Error(told.failure)
      return engine.multiSearch(queries, signal)
    },
  }
  return told
}
