import { randomBytes } from 'node:crypto'
import { customerIdOf, ownerOf } from '#accounts'
import type { Scope } from '#platform'
import type { WishlistChange } from './change-wishlists.ts'
import { startNotices, stopNotices, stopNoticesBy } from './notices-store.ts'
import { readList } from './store.ts'
import { isWishlistId } from './wishlist.ts'

/** Mails about prices and stock of a list, wanted or not. They go to the address of the account, so a guest's list has none. */
export async function changeNotices(scope: Scope, id: string, isWanted: boolean): Promise<WishlistChange> {
  const { db, market, mode } = scope
  const owner = ownerOf(scope)
  if (owner === null || customerIdOf(scope) === null || !isWishlistId(id) || !(await readList(db, { owners: [owner], market }, id)))
    return { ok: false, reason: 'unknown-wishlist' }
  if (isWanted) await startNotices(db, { owners: [owner], market }, id, randomBytes(18).toString('base64url'), mode)
  else await stopNotices(db, { owners: [owner], market }, id)
  return { ok: true, id }
}

/** Ends the mails of the list behind this link, for any holder of a mail. A used or invalid link gets the same response. */
export async function endNotices(scope: Pick<Scope, 'db'>, token: string): Promise<void> {
  if (/^[\w-]{24}$/.test(token)) await stopNoticesBy(scope.db, token)
}
