import { createHash } from 'node:crypto'
import type { Scope } from './scope.ts'

export interface KeyRefused {
  ok: false
  reason: 'idempotency-key-missing' | 'idempotency-key-reused'
}

export interface Keyed {
  /** The key's owner: the session's or the customer's id. */
  owner: string
  key: string
  /** The request; the same key with another body is refused. */
  body: unknown
  /** The successful outcome, if it is known beforehand: it is stored with the claim. */
  success?: object
}

const claim = {
  name: 'platform.claim-key',
  text: `insert into platform.idempotency (owner, key, body_hash, outcome) values ($1, $2, $3, $4) on conflict do nothing`,
}
const look = {
  name: 'platform.look-up-key',
  text: `select body_hash as "bodyHash", outcome from platform.idempotency where owner = $1 and key = $2`,
}
const keep = {
  name: 'platform.keep-outcome',
  text: `update platform.idempotency set outcome = $3 where owner = $1 and key = $2`,
}

/**
 * Runs a command once per key and returns its outcome (JSON) again for later requests with the same key. Concurrent
 * duplicates wait for the first. A refused command is rolled back, and its key with it, so it may be retried.
 * Whatever the caller reads right after the call shares its round trip with the claim.
 */
export async function withIdempotency<Outcome extends object>(
  scope: Pick<Scope, 'db'>,
  { owner, key, body, success }: Keyed,
  command: () => Promise<Outcome>,
): Promise<Outcome | KeyRefused> {
  if (!/^[\w-]{8,128}$/.test(key)) return { ok: false, reason: 'idempotency-key-missing' }
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('base64url')
  // On conflict this waits until the other transaction has ended.
  if (await scope.db.run(claim, [owner, key, bodyHash, success ? JSON.stringify(success) : null])) {
    const outcome = await command()
    if (!success) await scope.db.run(keep, [owner, key, JSON.stringify(outcome)])
    return outcome
  }
  const known = await scope.db.row<{ bodyHash: string; outcome: Outcome | null }>(look, [owner, key])
  if (known && known.bodyHash !== bodyHash) return { ok: false, reason: 'idempotency-key-reused' }
  if (!known?.outcome) throw new Error('An idempotency key without outcome was committed')
  return known.outcome
}
