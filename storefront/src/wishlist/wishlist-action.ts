import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import {
  AddToWishlistDocument,
  AddWishlistToCartDocument,
  ProductOfCodeDocument,
  type RefusalFragment,
  ChangeWishlistNoticesDocument,
  CopyWishlistDocument,
  CreateWishlistDocument,
  DeleteWishlistDocument,
  MoveToCartDocument,
  RemoveFromWishlistDocument,
  RenameWishlistDocument,
  SetWishlistQuantityDocument,
  SetWishlistSiteDocument,
  ShareWishlistDocument,
  type WishlistAnswerFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { GatewayClient, ShopContext } from '../shell/context.ts'
import { wishlistForm, type WishlistInput } from './wishlist-form.ts'

type ListInput = Exclude<WishlistInput, { do: 'all-to-cart' | 'add-code' }>

function send(client: GatewayClient, input: ListInput): Promise<{ result: WishlistAnswerFragment } | null> {
  switch (input.do) {
    case 'add':
      return client.mutate(AddToWishlistDocument, { productId: input.productId, listId: null })
    case 'save':
      return client.mutate(AddToWishlistDocument, { productId: input.productId, listId: input.id, quantity: input.quantity })
    case 'quantity':
      return client.mutate(SetWishlistQuantityDocument, { id: input.id, productId: input.productId, quantity: input.quantity })
    case 'create':
      return client.mutate(CreateWishlistDocument, { name: input.name, siteId: input.siteId || null })
    case 'rename':
      return client.mutate(RenameWishlistDocument, { id: input.id, name: input.name })
    case 'place':
      return client.mutate(SetWishlistSiteDocument, { id: input.id, siteId: input.siteId || null })
    case 'copy':
      return client.mutate(CopyWishlistDocument, { id: input.id, intoId: input.intoId })
    case 'share':
      return client.mutate(ShareWishlistDocument, { id: input.id, isShared: true })
    case 'unshare':
      return client.mutate(ShareWishlistDocument, { id: input.id, isShared: false })
    case 'notify':
      return client.mutate(ChangeWishlistNoticesDocument, { id: input.id, isWanted: true })
    case 'silence':
      return client.mutate(ChangeWishlistNoticesDocument, { id: input.id, isWanted: false })
    case 'delete':
      return client.mutate(DeleteWishlistDocument, { id: input.id })
    case 'remove':
      return client.mutate(RemoveFromWishlistDocument, { productId: input.productId, listId: input.id })
    case 'to-cart':
      return client.mutate(MoveToCartDocument, { listId: input.id, productId: input.productId, offerId: input.offerId ?? null })
  }
}

/** Flash message shown by the next page on success. */
const told = {
  add: 'flash.wishlist-added',
  save: 'flash.wishlist-added-here',
  quantity: 'flash.wishlist-quantity',
  create: 'flash.wishlist-created',
  rename: 'flash.wishlist-renamed',
  place: 'flash.wishlist-placed',
  copy: 'flash.wishlist-copied',
  share: 'flash.wishlist-shared',
  unshare: 'flash.wishlist-private',
  notify: 'flash.wishlist-notices',
  silence: 'flash.wishlist-silent',
  delete: 'flash.wishlist-deleted',
  remove: 'flash.wishlist-removed',
  'to-cart': 'flash.wishlist-moved',
} as const satisfies Record<ListInput['do'], string>

/** One form, one command, then a redirect to the list, so that a reload repeats nothing. */
export const wishlistAction = formAction(wishlistForm, async (context: ShopContext, input) => {
  if (input.do === 'all-to-cart') return allToCart(context, input.id)
  if (input.do === 'add-code') return addCode(context, input)
  const { refusal, id } = (await send(context.client, input))?.result ?? {}
  if (refusal) return refuse(refusal)
  const to = id && input.do !== 'delete' ? paths.wishlist({ id }) : paths.wishlists()
  return redirect(303, to, { severity: 'success', key: told[input.do] })
})

/** Adds everything on the list to the cart and leads there; what is no longer on sale is left out, and the cart says so. */
async function allToCart({ client }: ShopContext, id: string) {
  const added = (await client.mutate(AddWishlistToCartDocument, { id }))?.result
  if (!added) return notFound()
  if (added.refusal) return refuse(added.refusal)
  const isWhole = added.left.length === 0
  return redirect(303, paths.cart(), {
    severity: isWhole ? 'success' : 'warning',
    key: isWhole ? 'flash.list-added' : 'flash.list-added-in-part',
  })
}

/** Adds the product of a part number or EAN to this list; what the quick order does not find is refused in its words. */
async function addCode({ client, t }: ShopContext, { id, code }: Extract<WishlistInput, { do: 'add-code' }>) {
  const [row] = (await client.query(ProductOfCodeDocument, { rows: [{ code, quantity: '1' }] })).quickOrder.rows
  // A quantity that is refused, a pack or the last piece, is no reason: lists have none.
  if (!row?.productId) {
    const message = row?.problem?.message ?? t('form.check')
    return refuse<RefusalFragment>({ reason: 'input-invalid', message, fields: [{ field: 'code', message }] })
  }
  const { refusal } = (await client.mutate(AddToWishlistDocument, { productId: row.productId, listId: id }))?.result ?? {}
  if (refusal) return refuse(refusal)
  return redirect(303, paths.wishlist({ id }), { severity: 'success', key: 'flash.wishlist-added-here' })
}
