import { reachOf } from '@purlin/contract/actions.ts'
import * as v from 'valibot'
import { isId, newId, type Scope } from '#platform'
import { sellerIdOf } from '#accounts'
import { keyScopes } from './key-scopes.ts'
import { newKey, type SellerKey } from './seller-key.ts'
import { insertKey, readKeys, revokeKey } from './store.ts'

/** Maximum number of valid keys of a seller. */
const maxKeys = 20
const dayMs = 86_400_000

const input = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60)),
  scopes: v.pipe(v.array(v.picklist(keyScopes)), v.minLength(1), v.maxLength(keyScopes.length)),
  days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)),
})

export type CreatedKey =
  | { ok: true; key: SellerKey; secret: string }
  | { ok: false; reason: 'not-an-owner' | 'key-invalid' | 'too-many-keys' }

/** A key counts in every market, so a role in a single one is not enough to manage it. */
function ownedSeller(scope: Scope): number | null {
  return reachOf(scope.principal, 'sellerKey.manage', null) === 'seller' ? sellerIdOf(scope) : null
}

/** The keys of the principal's seller. */
export async function listKeys(scope: Scope): Promise<SellerKey[]> {
  const sellerId = ownedSeller(scope)
  return sellerId === null ? [] : readKeys(scope.db, sellerId)
}

/** A new key of the principal's seller. This is the only time it is shown. */
export async function createKey(scope: Scope, asked: { name: string; scopes: readonly string[]; days: number }): Promise<CreatedKey> {
  const sellerId = ownedSeller(scope)
  if (sellerId === null || !('id' in scope.principal)) return { ok: false, reason: 'not-an-owner' }
  const parsed = v.safeParse(input, asked)
  if (!parsed.success) return { ok: false, reason: 'key-invalid' }
  const { name, scopes, days } = parsed.output
  const { key: secret, prefix, hash } = newKey()
  const expiresAt = new Date(scope.now.getTime() + days * dayMs)
  const made = { id: newId(), sellerId, name, prefix, hash, scopes: [...new Set(scopes)], createdBy: scope.principal.id ?? '', expiresAt }
  const key = await insertKey(scope.db, made, scope.now, maxKeys)
  return key ? { ok: true, key, secret } : { ok: false, reason: 'too-many-keys' }
}

/** Revokes a key at once and for good; false for one of another seller. */
export async function dropKey(scope: Scope, id: string): Promise<boolean> {
  const sellerId = ownedSeller(scope)
  return sellerId !== null && isId(id) && (await revokeKey(scope.db, id, sellerId, scope.now))
}
