/** Wishlists: products a visitor wants to find again, share or buy later. */
export { wishlistsFollowSignIn } from './follow-sign-in.ts'
export { companyOwner } from './whose.ts'
export { readWishesOf, removeWishlistsOf } from './store.ts'
