import { takeQuota } from '#platform'
import { reachOf, type PersonalAction } from '@purlin/contract/actions.ts'
import type { SellerMember } from '@purlin/contract/principal.ts'
import type { Db } from '#platform'
import type { KeyScope } from './key-scopes.ts'
import { presentedHash } from './seller-key.ts'
import { findValidKey, noteUse } from './store.ts'

/** A request with a key: its seller, as a member of staff who cannot manage keys. */
export interface KeyHolder {
  keyId: string
  principal: SellerMember
}
export type Admitted =
  | { ok: true; holder: KeyHolder }
  | {
      ok: false
      status: 401 | 403 | 429
      code: 'key-invalid' | 'scope-missing' | 'not-allowed' | 'too-many-requests'
      retryAfterSeconds?: number
    }
export type KeyDoor = (
  authorization: string | undefined,
  call: { scope: KeyScope; action: PersonalAction },
  now?: Date,
) => Promise<Admitted>

const maxUnnotedMs = 60_000

/**
 * Decides whether a key may make a call: it must be valid, within its rate limit, have the call's scope, and its seller's
 * staff must be allowed the action by the table.
 */
export function keyDoor(db: Db): KeyDoor {
  return async (authorization, { scope, action }, now = new Date()) => {
    const hash = presentedHash(authorization)
    const key = hash && (await findValidKey(db, hash, now))
    if (!key) return { ok: false, status: 401, code: 'key-invalid' }
    const byKey = await takeQuota('key-call', { key: key.id })
    const taken = byKey.ok ? await takeQuota('seller-call', { key: String(key.sellerId) }) : byKey
    if (!taken.ok) return { ok: false, status: 429, code: 'too-many-requests', retryAfterSeconds: taken.retryAfterSeconds }
    if (now.getTime() - (key.lastUsedAt?.getTime() ?? 0) > maxUnnotedMs) await noteUse(db.alone, key.id, now)
    if (!key.scopes.includes(scope)) return { ok: false, status: 403, code: 'scope-missing' }
    const principal: SellerMember = {
      kind: 'sellerMember',
      id: key.id,
      email: '',
      name: key.name,
      sellerId: key.sellerId,
      roles: [{ role: 'seller', market: null }],
    }
    if (reachOf(principal, action, null) === null) return { ok: false, status: 403, code: 'not-allowed' }
    return { ok: true, holder: { keyId: key.id, principal } }
  }
}
