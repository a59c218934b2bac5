import type { Db } from '#platform'
import type { KeyScope } from './key-scopes.ts'
import type { SellerKey } from './seller-key.ts'

const columns = `id::text, seller_id as "sellerId", name, prefix, scopes, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

const ofSeller = {
  name: 'integrations.keys-of-seller',
  text: `select ${columns} from integrations.seller_key where seller_id = $1 order by created_at desc, id desc limit 100`,
}
/** A seller's keys, newest first. */
export function readKeys(db: Db, sellerId: number): Promise<SellerKey[]> {
  return db.rows<SellerKey>(ofSeller, [sellerId])
}

// The count and the insert are one statement; two at the same moment may exceed the limit by one.
const insert = {
  name: 'integrations.insert-key',
  text: `insert into integrations.seller_key (id, seller_id, name, prefix, hash, scopes, created_by, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9
    where (select count(*) from integrations.seller_key where seller_id = $2 and revoked_at is null and expires_at > $8) < $10
    returning ${columns}`,
}
export interface NewKey {
  id: string
  sellerId: number
  name: string
  prefix: string
  hash: Buffer
  scopes: readonly KeyScope[]
  createdBy: string
  expiresAt: Date
}
/** Undefined when the seller has the maximum number of valid keys. */
export function insertKey(db: Db, key: NewKey, now: Date, maxKeys: number): Promise<SellerKey | undefined> {
  const { id, sellerId, name, prefix, hash, scopes, createdBy, expiresAt } = key
  return db.row<SellerKey>(insert, [id, sellerId, name, prefix, hash, scopes, createdBy, now, expiresAt, maxKeys])
}

const revoke = {
  name: 'integrations.revoke-key',
  text: 'update integrations.seller_key set revoked_at = coalesce(revoked_at, $3) where id = $1 and seller_id = $2',
}
/** False for an unknown key, and for another seller's. */
export async function revokeKey(db: Db, id: string, sellerId: number, now: Date): Promise<boolean> {
  return (await db.run(revoke, [id, sellerId, now])) === 1
}

const byHash = {
  name: 'integrations.key-by-hash',
  text: `select ${columns} from integrations.seller_key where hash = $1 and revoked_at is null and expires_at > $2`,
}
/** The key with this hash, unless it is revoked or expired. */
export function findValidKey(db: Db, hash: Buffer, now: Date): Promise<SellerKey | undefined> {
  return db.row<SellerKey>(byHash, [hash, now])
}

const used = { name: 'integrations.key-used', text: 'update integrations.seller_key set last_used_at = $2 where id = $1' }
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db.run(used, [id, now])
}
