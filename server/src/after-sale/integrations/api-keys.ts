import * as v from 'valibot'
import { type Db, type JobScope, newId, takeQuota, TooManyError } from '#platform'
import { type ApiKey, findApiKey, insertApiKey, noteApiKeyUse } from './api-key-store.ts'
import { hashOfKey, newKey } from './seller-key.ts'

/** Maximum number of valid keys. */
const maxKeys = 200
const dayMs = 86_400_000
const maxUnnotedMs = 60_000
/** Counted for the network of a presented key before it is looked up, as the cost of a query: strangers may try keys, but not thousands. */
const lookUpCost = 10_000

export const apiKeyInput = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60)),
  /** At least the cost of the most expensive operation that is allowed. */
  costPerMinute: v.optional(v.pipe(v.number(), v.integer(), v.minValue(50_000), v.maxValue(10_000_000)), 200_000),
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(730)), 365),
})

/** A new key of the public API, the only time it is shown; undefined when there are too many. */
export async function createApiKey(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  { name, costPerMinute, days }: v.InferOutput<typeof apiKeyInput>,
): Promise<{ key: ApiKey; secret: string } | undefined> {
  const { key: secret, prefix, hash } = newKey('pka')
  const expiresAt = new Date(now.getTime() + days * dayMs)
  const key = await insertApiKey(db, { id: newId(), name, prefix, hash, costPerMinute, createdAt: now, expiresAt }, maxKeys)
  return key && { key, secret }
}

/** The holder of a key, and the cost that its operations may add up to in a minute. */
export type ApiKeyHolder = Pick<ApiKey, 'id' | 'costPerMinute'>
export type ApiKeyDoor = (presented: string, remoteAddress: string, now?: Date) => Promise<ApiKeyHolder | null>

/** Finds the holder of the key that a request presents; null if it is unknown, revoked or expired. */
export function apiKeyDoor(db: Db): ApiKeyDoor {
  return async (presented, remoteAddress, now = new Date()) => {
    const hash = hashOfKey('pka', presented)
    if (!hash) return null
    const taken = await takeQuota('query', { address: remoteAddress }, lookUpCost)
    if (!taken.ok) throw new TooManyError(taken.retryAfterSeconds)
    const key = await findApiKey(db, hash, now)
    if (!key) return null
    await taken.giveBack()
    if (now.getTime() - (key.lastUsedAt?.getTime() ?? 0) > maxUnnotedMs) await noteApiKeyUse(db.alone, key.id, now)
    return key
  }
}
