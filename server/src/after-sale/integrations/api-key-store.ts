import type { Db } from '#platform'

/** A key of the public API as operators see it: never the key itself. */
export interface ApiKey {
  id: string
  name: string
  prefix: string
  costPerMinute: number
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

const columns = `id::text, name, prefix, cost_per_minute as "costPerMinute", created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

const all = {
  name: 'integrations.api-keys',
  text: `select ${columns} from integrations.api_key order by created_at desc, id desc limit 500`,
}
/** All keys, newest first. */
export function readApiKeys(db: Db): Promise<ApiKey[]> {
  return db.rows<ApiKey>(all)
}

// The count and the insert are one statement; two at the same moment may exceed the limit by one.
const insert = {
  name: 'integrations.insert-api-key',
  text: `insert into integrations.api_key (id, name, prefix, hash, cost_per_minute, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, $7
    where (select count(*) from integrations.api_key where revoked_at is null and expires_at > $6) < $8
    returning ${columns}`,
}
export type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'costPerMinute' | 'createdAt' | 'expiresAt'> & { hash: Buffer }

/** Undefined when there is the maximum number of valid keys. */
export function insertApiKey(db: Db, key: NewApiKey, maxKeys: number): Promise<ApiKey | undefined> {
  const { id, name, prefix, hash, costPerMinute, createdAt, expiresAt } = key
  return db.row<ApiKey>(insert, [id, name, prefix, hash, costPerMinute, createdAt, expiresAt, maxKeys])
}

const revoke = {
  name: 'integrations.revoke-api-key',
  text: 'update integrations.api_key set revoked_at = coalesce(revoked_at, $2) where id = $1',
}
/** False for an unknown key. */
export async function revokeApiKey(db: Db, id: string, now: Date): Promise<boolean> {
  return (await db.run(revoke, [id, now])) === 1
}

const byHash = {
  name: 'integrations.api-key-by-hash',
  text: `select ${columns} from integrations.api_key where hash = $1 and revoked_at is null and expires_at > $2`,
}
/** The key with this hash, unless it is revoked or expired. */
export function findApiKey(db: Db, hash: Buffer, now: Date): Promise<ApiKey | undefined> {
  return db.row<ApiKey>(byHash, [hash, now])
}

const used = { name: 'integrations.api-key-used', text: 'update integrations.api_key set last_used_at = $2 where id = $1' }
export async function noteApiKeyUse(db: Db, id: string, now: Date): Promise<void> {
  await db.run(used, [id, now])
}
