import { randomBytes } from 'node:crypto'
import { readProducts } from '#catalogue'
import { findSite } from '#companies'
import { cardsOf } from '#listing'
import { newId, type Scope } from '#platform'
import { priceWithVat } from '#pricing'
import {
  addItem,
  copyItems,
  insertList,
  placeList,
  readList,
  readLists,
  removeList,
  renameList,
  setShareToken,
  takeItem,
  takeTurn,
  writeQuantity,
  type Whose,
} from './store.ts'
import { companyOfLists, companyOwner, own, within } from './whose.ts'
import { isProductId, isQuantity, isWishlistId, nameOf, wishlistLimits, type Wishlist } from './wishlist.ts'

export type WishlistRefusal =
  | 'unknown-wishlist'
  | 'unknown-site'
  | 'unknown-product'
  | 'wishlist-name'
  | 'wishlist-quantity'
  | 'too-many-wishlists'
  | 'wishlist-full'
export type WishlistChange = { ok: true; id: string | null } | { ok: false; reason: WishlistRefusal }

const refused = (reason: WishlistRefusal) => ({ ok: false, reason }) as const

/** The default list, used when none is named; created on first use. */
async function defaultList(scope: Scope, mine: Whose & { owner: string }): Promise<Pick<Wishlist, 'id' | 'count'>> {
  const known = (await readLists(scope.db, mine)).find(({ isDefault }) => isDefault)
  if (known) return known
  const id = newId()
  await insertList(scope.db, mine, { id, name: null, isDefault: true })
  return { id, count: 0 }
}

/** Adds a product to a list, by default the first one. Idempotent; a quantity replaces that of a product on the list. */
export async function addToWishlist(
  scope: Scope,
  productId: string,
  listId: string | null,
  quantity: number | null = null,
): Promise<WishlistChange> {
  const mine = own(scope)
  if (quantity !== null && !isQuantity(quantity)) return refused('wishlist-quantity')
  if (!isProductId(productId) || (await readProducts(scope.db, [productId])).length === 0) return refused('unknown-product')
  if (listId !== null && !isWishlistId(listId)) return refused('unknown-wishlist')
  await takeTurn(scope.db, mine.owner)
  const list = listId === null ? await defaultList(scope, mine) : await lockedList(scope, listId)
  if (!list) return refused('unknown-wishlist')
  if (list.count >= wishlistLimits.items) return refused('wishlist-full')
  const [card] = await cardsOf(scope, [productId])
  await addItem(scope.db, list.id, productId, { price: card ? priceWithVat(card.prices) : null, mode: scope.mode, quantity })
  return { ok: true, id: list.id }
}

/** A list the viewer may fill; of a building site's, which colleagues fill as well, one change waits for another. */
async function lockedList(scope: Scope, id: string): Promise<Wishlist | undefined> {
  const list = isWishlistId(id) ? await readList(scope.db, within(scope), id) : undefined
  if (!list || list.siteId === null) return list
  await takeTurn(scope.db, `list ${list.id}`)
  return readList(scope.db, within(scope), id)
}

/** Removes a product from one list, or from all of the viewer's own. Removing an absent product does nothing. */
export async function removeFromWishlist(scope: Scope, productId: string, listId: string | null): Promise<WishlistChange> {
  if (!isProductId(productId)) return refused('unknown-product')
  if (listId !== null && !isWishlistId(listId)) return refused('unknown-wishlist')
  const taken = await takeItem(scope.db, listId === null ? own(scope) : within(scope), listId, productId)
  return taken || listId === null ? { ok: true, id: listId } : refused('unknown-wishlist')
}

/** The pieces wanted of a product on a list. */
export async function setWishlistQuantity(scope: Scope, id: string, productId: string, quantity: number): Promise<WishlistChange> {
  if (!isProductId(productId)) return refused('unknown-product')
  if (!isQuantity(quantity)) return refused('wishlist-quantity')
  const isSet = isWishlistId(id) && (await writeQuantity(scope.db, within(scope), id, productId, quantity))
  return isSet ? { ok: true, id } : refused('unknown-wishlist')
}

/** Creates a list of the viewer's own, or for a building site of their company. */
export async function createWishlist(scope: Scope, typed: string, siteId: string | null = null): Promise<WishlistChange> {
  const name = nameOf(typed)
  if (name === null) return refused('wishlist-name')
  const place = await placeFor(scope, siteId)
  if (!place.ok) return place
  const id = newId()
  await insertList(
    scope.db,
    { owner: place.owner, market: scope.market },
    { id, name, siteId, isDefault: place.isFirst && siteId === null },
  )
  return { ok: true, id }
}

/** Whose list it becomes there, if that owner has room for another one; serialised with other changes of their lists. */
async function placeFor(
  scope: Scope,
  siteId: string | null,
  { isCompanys }: { isCompanys: boolean } = { isCompanys: false },
): Promise<{ ok: true; owner: string; isFirst: boolean } | { ok: false; reason: WishlistRefusal }> {
  const companyId = siteId === null ? null : companyOfLists(scope)
  if (siteId !== null && (companyId === null || !(await findSite(scope, siteId)))) return refused('unknown-site')
  const owner = companyId === null ? own(scope).owner : companyOwner(companyId)
  await takeTurn(scope.db, owner)
  const { length } = await readLists(scope.db, { owners: [owner], market: scope.market })
  const most = companyId === null ? wishlistLimits.lists : wishlistLimits.siteLists
  // From one site to another their number stays the same.
  const isMore = companyId === null || !isCompanys
  return isMore && length >= most ? refused('too-many-wishlists') : { ok: true, owner, isFirst: length === 0 }
}

/**
 * Gives a list to a building site of the company, whose buyers then use it with the viewer, or makes it the viewer's own again.
 * A list that belongs to a site is moved by those who manage the company's lists.
 */
export async function setWishlistSite(scope: Scope, id: string, siteId: string | null): Promise<WishlistChange> {
  const list = isWishlistId(id) ? await readList(scope.db, within(scope, 'site-list.manage'), id) : undefined
  if (!list) return refused('unknown-wishlist')
  if (list.siteId === siteId) return { ok: true, id }
  if (list.name === null) return refused('wishlist-name')
  const place = await placeFor(scope, siteId, { isCompanys: list.siteId !== null })
  if (!place.ok) return place
  await placeList(scope.db, list.id, { owner: place.owner, siteId })
  return { ok: true, id }
}

/** Copies the products of a list to another one, as far as it has room. */
export async function copyWishlist(scope: Scope, id: string, intoId: string): Promise<WishlistChange> {
  const mine = own(scope)
  const from = isWishlistId(id) ? await readList(scope.db, within(scope), id) : undefined
  if (!from) return refused('unknown-wishlist')
  await takeTurn(scope.db, mine.owner)
  const into = await lockedList(scope, intoId)
  if (!into || into.id === from.id) return refused('unknown-wishlist')
  if (into.count >= wishlistLimits.items) return refused('wishlist-full')
  await copyItems(scope.db, from.id, into.id, wishlistLimits.items - into.count)
  return { ok: true, id: into.id }
}

export async function renameWishlist(scope: Scope, id: string, typed: string): Promise<WishlistChange> {
  const name = nameOf(typed)
  if (name === null) return refused('wishlist-name')
  if (!isWishlistId(id) || !(await renameList(scope.db, within(scope), id, name))) return refused('unknown-wishlist')
  return { ok: true, id }
}

/** Creates a share link for a list, or revokes it for good. */
export async function shareWishlist(scope: Scope, id: string, isShared: boolean): Promise<WishlistChange> {
  const managed = within(scope, 'site-list.manage')
  const list = isWishlistId(id) ? await readList(scope.db, managed, id) : undefined
  if (!list) return refused('unknown-wishlist')
  const token = isShared ? (list.shareToken ?? randomBytes(18).toString('base64url')) : null
  await setShareToken(scope.db, managed, id, token)
  return { ok: true, id }
}

export async function deleteWishlist(scope: Scope, id: string): Promise<WishlistChange> {
  if (!isWishlistId(id) || !(await removeList(scope.db, within(scope, 'site-list.manage'), id))) return refused('unknown-wishlist')
  return { ok: true, id: null }
}
