import type { Mode } from '@purlin/contract/markets.ts'

/** A list of products a visitor wants to find again. */
export interface Wishlist {
  id: string
  /** Null for the default list, whose name comes from the visitor's language. */
  name: string | null
  isDefault: boolean
  shareToken: string | null
  hasNotices: boolean
  /** The building site it belongs to, if it is the company's. */
  siteId: string | null
  count: number
}

export interface WishedItem {
  productId: string
  /** Minor units with VAT. */
  knownPrice: number | null
  /** The storefront with that price. */
  knownMode: Mode
  isBack: boolean
  /** Pieces wanted; null is one, or one pack. */
  quantity: number | null
  addedAt: Date
}

export const wishlistLimits = { lists: 50, siteLists: 200, items: 500, name: 60, quantity: 9999 }

/** Valid list ids in addresses: 1 to 200 characters without quotes, slashes or braces. Source: spec §5, R-489, R-490. */
export function isWishlistId(id: string): boolean {
  return /^[^'"`‘’“”/\\{}]{1,200}$/u.test(id)
}

export function isProductId(id: string): boolean {
  return /^[1-9]\d{0,17}$/.test(id)
}

export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= wishlistLimits.quantity
}

/** The pieces to order: whole packs, at least one. */
export function piecesOf(quantity: number | null, bulk: number | null): number {
  const pack = bulk ?? 1
  return Math.ceil((quantity ?? 1) / pack) * pack
}

/** Normalises a list's name to one line; null when it is not valid. */
export function nameOf(typed: string): string | null {
  const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
  return name === '' || name.length > wishlistLimits.name || /[\p{Cc}\p{Cf}<>]/u.test(name) ? null : name
}
