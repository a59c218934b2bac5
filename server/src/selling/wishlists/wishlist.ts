/** A list of products somebody wants to find again. */
export interface Wishlist {
  id: string
  /** Null for the first list, which the pages name in the visitor's language. */
  name: string | null
  isDefault: boolean
  shareToken: string | null
  count: number
}

export interface WishedItem {
  productId: string
  /** Minor units with VAT. */
  knownPrice: number | null
  addedAt: Date
}

export const wishlistLimits = { lists: 50, items: 500, name: 60 }

/** What an address may name as a list: 1 to 200 characters without quotes, slashes and braces. Source: spec §5, R-489, R-490. */
export function isWishlistId(id: string): boolean {
  return /^[^'"`‘’“”/\\{}]{1,200}$/u.test(id)
}

export function isProductId(id: string): boolean {
  return /^[1-9]\d{0,17}$/.test(id)
}

/** A list's name in one line; null when it cannot be one. */
export function nameOf(typed: string): string | null {
  const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
  return name === '' || name.length > wishlistLimits.name || /[\p{Cc}\p{Cf}<>]/u.test(name) ? null : name
}
