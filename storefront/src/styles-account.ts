/** Style sheet of a visitor's own pages: account, wishlists, quick order, messages, support and the offices. */
export const modules = import.meta.glob(
  ['./{account,invoices,messages,office,quick-order,support}/*.module.css', './wishlist/wishlist.module.css'],
  {
    eager: true,
  },
)
