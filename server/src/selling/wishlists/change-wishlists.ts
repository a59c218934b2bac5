import { randomBytes } from 'node:crypto'
import { ownerOf } from '#accounts'
import { readProducts } from '#catalogue'
import { cardsOf } from '#listing'
import { newId, type Scope } from '#platform'
import { addItem, insertList, readList, readLists, removeList, renameList, setShareToken, takeItem, takeTurn, type Whose } from './store.ts'
import { isProductId, isWishlistId, nameOf, wishlistLimits, type Wishlist } from './wishlist.ts'

export type WishlistRefusal = 'unknown-wishlist' | 'unknown-product' | 'wishlist-name' | 'too-many-wishlists' | 'wishlist-full'
export type WishlistChange = { ok: true; id: string | null } | { ok: false; reason: WishlistRefusal }

function whose(scope: Scope): Whose {
  const owner = ownerOf(scope)
  if (owner === null) throw new Error('A wishlist needs a session: the gateway starts one for this command')
  return { owner, market: scope.market }
}

const refused = (reason: WishlistRefusal) => ({ ok: false, reason }) as const

/** The default list, used when none is named; created on first use. */
async function defaultList(scope: Scope, mine: Whose): Promise<Pick<Wishlist, 'id' | 'count'>> {
  const known = (await readLists(scope.db, mine)).find(({ isDefault }) => isDefault)
  if (known) return known
  const id = newId()
  await insertList(scope.db, mine, { id, name: null, isDefault: true })
  return { id, count: 0 }
}

/** Adds a product to a list, by default the first one. Idempotent. */
export async function addToWishlist(scope: Scope, productId: string, listId: string | null): Promise<WishlistChange> {
  const mine = whose(scope)
  if (!isProductId(productId) || (await readProducts(scope.db, [productId])).length === 0) return refused('unknown-product')
  if (listId !== null && !isWishlistId(listId)) return refused('unknown-wishlist')
  await takeTurn(scope.db, mine.owner)
  const list = listId === null ? await defaultList(scope, mine) : await readList(scope.db, mine, listId)
  if (!list) return refused('unknown-wishlist')
  if (list.count >= wishlistLimits.items) return refused('wishlist-full')
  const [card] = await cardsOf(scope, [productId])
  await addItem(scope.db, list.id, productId, card ? Math.round(card.prices.main.asFloat * 100) : null)
  return { ok: true, id: list.id }
}

/** Removes a product from one list, or from all of them. Removing an absent product does nothing. */
export async function removeFromWishlist(scope: Scope, productId: string, listId: string | null): Promise<WishlistChange> {
  if (!isProductId(productId)) return refused('unknown-product')
  if (listId !== null && !isWishlistId(listId)) return refused('unknown-wishlist')
  const wasThere = await takeItem(scope.db, whose(scope), listId, productId)
  return wasThere || listId === null ? { ok: true, id: listId } : refused('unknown-wishlist')
}

export async function createWishlist(scope: Scope, typed: string): Promise<WishlistChange> {
  const mine = whose(scope)
  const name = nameOf(typed)
  if (name === null) return refused('wishlist-name')
  await takeTurn(scope.db, mine.owner)
  const known = await readLists(scope.db, mine)
  if (known.length >= wishlistLimits.lists) return refused('too-many-wishlists')
  const id = newId()
  await insertList(scope.db, mine, { id, name, isDefault: known.length === 0 })
  return { ok: true, id }
}

export async function renameWishlist(scope: Scope, id: string, typed: string): Promise<WishlistChange> {
  const name = nameOf(typed)
  if (name === null) return refused('wishlist-name')
  if (!isWishlistId(id) || !(await renameList(scope.db, whose(scope), id, name))) return refused('unknown-wishlist')
  return { ok: true, id }
}

/** Creates a share link for a list, or revokes it for good. */
export async function shareWishlist(scope: Scope, id: string, isShared: boolean): Promise<WishlistChange> {
  const mine = whose(scope)
  const list = isWishlistId(id) ? await readList(scope.db, mine, id) : undefined
  if (!list) return refused('unknown-wishlist')
  const token = isShared ? (list.shareToken ?? randomBytes(18).toString('base64url')) : null
  await setShareToken(scope.db, mine, id, token)
  return { ok: true, id }
}

export async function deleteWishlist(scope: Scope, id: string): Promise<WishlistChange> {
  if (!isWishlistId(id) || !(await removeList(scope.db, whose(scope), id))) return refused('unknown-wishlist')
  return { ok: true, id: null }
}
