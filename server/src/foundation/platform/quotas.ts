import cluster from 'node:cluster'
import { createHash } from 'node:crypto'
import type { Pool } from './pool.ts'
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { TooManyError } from './errors.ts'
import { log } from './log.ts'
import { mailboxOf } from './mailbox-of.ts'
import { metrics } from './metrics.ts'
import { isLocal, limitsOf, type Counted, type QuotaName, type SubjectsOf } from './quota-limits.ts'
import { lineHashOf, senderHashOf } from './sender.ts'

export type Taken = { ok: true; giveBack(): Promise<void> } | { ok: false; retryAfterSeconds: number }

/** The limits are ours (`quota-limits.ts`): a counter only counts within a period. */
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 60 }
const local = new RateLimiterMemory({ ...counting, keyPrefix: 'local' })
let shared: RateLimiterAbstract | undefined

/** Processes of one machine count in their parent; a process by itself, in its memory. */
function sharedCounter(): RateLimiterAbstract {
  shared ??= cluster.isWorker ? new RateLimiterCluster({ ...counting, keyPrefix: 'shop', timeoutMs: 1000 }) : local
  return shared
}

let parent: RateLimiterClusterMaster | undefined
/** In the parent of the web processes: counts for all of them. */
export function serveQuotas(): void {
  parent ??= new RateLimiterClusterMaster()
}

/** Several machines count in the database. While it does not answer, each process counts by itself. */
export function countQuotasIn(pool: Pick<Pool, 'query'>): void {
  shared = new RateLimiterPostgres({
    ...counting,
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'platform',
    tableName: 'quota',
    tableCreated: true,
    keyPrefix: 'q',
    insuranceLimiter: local,
  })
}

/**
 * Counts units against every limit of a quota, before the work they stand for, so that parallel requests cannot pass together.
 * A refused request counts as well, except against limits of what it names: a session, a key or a recipient. `ownLimit` replaces the limit of a
 * key. `giveBack` undoes it for what turned out not to count, such as a right guess.
 */
export async function takeQuota<Name extends QuotaName>(
  name: Name,
  subjects: SubjectsOf<Name>,
  units = 1,
  ownLimit?: number,
): Promise<Taken> {
  const counter = isLocal(name) ? local : sharedCounter()
  const taken: { key: string; seconds: number }[] = []
  let waitMs = 0
  for (const { by, limit } of limitsOf(name)) {
    // Anybody can invent a visitor's id and type a recipient: a refused sender uses up nobody else's quota, and no memory.
    if (waitMs > 0 && by !== 'customer') continue
    const who = subjectKey(by, subjects[by])
    if (who === null) continue
    const key = `${name}:${by}:${who}`
    const counted = await count(counter, key, units, limit.seconds)
    if (!counted) continue
    taken.push({ key, seconds: limit.seconds })
    if (counted.consumedPoints > (by === 'key' ? (ownLimit ?? limit.units) : limit.units))
      waitMs = Math.max(waitMs, counted.msBeforeNext, 1000)
  }
  if (waitMs > 0) metrics.refused.inc({ by: 'quota', name })
  if (waitMs > 0) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1000) }
  return {
    ok: true,
    giveBack: async () => {
      for (const { key, seconds } of taken) await count(counter, key, -units, seconds)
    },
  }
}

/** @throws TooManyError: 429 with Retry-After, on pages with a text of their own */
export async function requireQuota<Name extends QuotaName>(
  name: Name,
  subjects: SubjectsOf<Name>,
  units = 1,
  ownLimit?: number,
): Promise<Extract<Taken, { ok: true }>> {
  const taken = await takeQuota(name, subjects, units, ownLimit)
  if (!taken.ok) throw new TooManyError(taken.retryAfterSeconds)
  return taken
}

/** Null when the counter does not answer: a shop that cannot count goes on selling. */
async function count(counter: RateLimiterAbstract, key: string, units: number, seconds: number): Promise<RateLimiterRes | null> {
  try {
    return await counter.penalty(key, units, { customDuration: seconds })
  } catch (error) {
    log.warn({ err: error, key: key.split(':', 2).join(':') }, 'a quota could not be counted')
    return null
  }
}

/** Addresses and mail recipients are kept as hashes only. Machines of our own network are not counted. */
function subjectKey(by: Counted, value: string | null | undefined): string | null {
  if (!value) return null
  if (by === 'address') return senderHashOf(value)
  if (by === 'line') return lineHashOf(value)
  if (by === 'session' || by === 'customer') return value
  const text = value.trim().toLowerCase()
  return createHash('sha256')
    .update(by === 'email' ? mailboxOf(value) : text)
    .digest('base64url')
}
