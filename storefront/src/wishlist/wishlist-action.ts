import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import {
  AddToWishlistDocument,
  ChangeWishlistNoticesDocument,
  CreateWishlistDocument,
  DeleteWishlistDocument,
  MoveToCartDocument,
  RemoveFromWishlistDocument,
  RenameWishlistDocument,
  ShareWishlistDocument,
  type WishlistAnswerFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { GatewayClient, ShopContext } from '../shell/context.ts'
import { wishlistForm, type WishlistInput } from './wishlist-form.ts'

function send(client: GatewayClient, input: WishlistInput): Promise<{ result: WishlistAnswerFragment } | null> {
  switch (input.do) {
    case 'add':
      return client.mutate(AddToWishlistDocument, { productId: input.productId, listId: null })
    case 'create':
      return client.mutate(CreateWishlistDocument, { name: input.name })
    case 'rename':
      return client.mutate(RenameWishlistDocument, { id: input.id, name: input.name })
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
      return client.mutate(MoveToCartDocument, { listId: input.id, productId: input.productId })
  }
}

/** Flash message shown by the next page on success. */
const told = {
  add: 'flash.wishlist-added',
  create: 'flash.wishlist-created',
  rename: 'flash.wishlist-renamed',
  share: 'flash.wishlist-shared',
  unshare: 'flash.wishlist-private',
  notify: 'flash.wishlist-notices',
  silence: 'flash.wishlist-silent',
  delete: 'flash.wishlist-deleted',
  remove: 'flash.wishlist-removed',
  'to-cart': 'flash.wishlist-moved',
} as const satisfies Record<WishlistInput['do'], string>

/** One form, one command, then a redirect to the list, so that a reload repeats nothing. */
export const wishlistAction = formAction(wishlistForm, async (context: ShopContext, input) => {
  const { refusal, id } = (await send(context.client, input))?.result ?? {}
  if (refusal) return refuse(refusal)
  const to = id && input.do !== 'delete' ? paths.wishlist({ id }) : paths.wishlists()
  return redirect(303, to, { severity: 'success', key: told[input.do] })
})
