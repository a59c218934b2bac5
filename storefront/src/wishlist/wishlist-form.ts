import { maxCellLength } from '@purlin/contract/order-limits.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import { text, wholeNumber } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

const id = text(200)
const productId = text(20)
const quantity = wholeNumber({ least: 1, most: 9999 })
/** The one shown, on the professional storefront. */
const offerId = text(20)
/** Empty for none. */
const siteId = v.pipe(v.string(), v.trim(), v.maxLength(40))

/** The forms of wishlists, distinguished by `do`; hearts anywhere in the shop send `add` to the lists. */
export const wishlistForm = v.variant('do', [
  v.object({ do: v.literal('add'), productId }),
  v.object({ do: v.literal('save'), id, productId, quantity }),
  v.object({ do: v.literal('quantity'), id, productId, quantity }),
  v.object({ do: v.literal('add-code'), id, code: text(maxCellLength) }),
  v.object({ do: v.literal('create'), name: text(60), siteId: v.optional(siteId) }),
  v.object({ do: v.literal('rename'), id, name: text(60) }),
  v.object({ do: v.literal('place'), id, siteId }),
  v.object({ do: v.literal('copy'), id, intoId: text(200) }),
  v.object({ do: v.literal('all-to-cart'), id }),
  v.object({ do: v.literal('share'), id }),
  v.object({ do: v.literal('unshare'), id }),
  v.object({ do: v.literal('notify'), id }),
  v.object({ do: v.literal('silence'), id }),
  v.object({ do: v.literal('delete'), id }),
  v.object({ do: v.literal('remove'), id, productId }),
  v.object({ do: v.literal('to-cart'), id, productId, offerId: v.optional(offerId) }),
])
export type WishlistInput = v.InferOutput<typeof wishlistForm>

/** Field names of these forms. */
export const wishlistField = namesOf(wishlistForm)
