import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable, log } from '@purlin/server/foundation/platform/index.ts'
import { retryPauseMs } from '@purlin/server/edges/worker/retry-pause.ts'

/**
 * Repeats a step of a starting process while the database is unreachable or a disk is full: a process that ends would only be started
 * again.
 */
export async function whenReachable<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) && !isDiskFull(error)) throw error
      if (attempt === 0)
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'a starting process waits for its database or its disk',
        )
      await sleep(retryPauseMs(attempt, { firstMs: 100, maxMs: 2000 }))
    }
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
