/** Style sheet of a visitor's own pages: account, wishlists, quick order, the pages of Purlin Pro, messages, support and the offices. */
export const modules = import.meta.glob(
  ['./{account,invoices,messages,office,pro,quick-order,subscription,support}/*.module.css', './wishlist/wishlist.module.css'],
  {
    eager: true,
  },
)
