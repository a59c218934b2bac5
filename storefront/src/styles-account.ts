/** Style sheet of a visitor's own pages: account, wishlists, messages, support and the offices. */
export const modules = import.meta.glob(['./{account,invoices,messages,office,support}/*.module.css', './wishlist/wishlist.module.css'], {
  eager: true,
})
