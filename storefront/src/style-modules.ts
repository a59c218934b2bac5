/** CSS modules of the sheet of all pages, the design system's before those of the pages. */
export const modules = [
  import.meta.glob('../../ui/src/**/*.module.css', { eager: true }),
  // The others belong to the sheets of the account and of the checkout.
  import.meta.glob(
    [
      './**/*.module.css',
      '!./{account,invoices,messages,office,pro,quick-order,subscription,support}/**',
      '!./wishlist/wishlist.module.css',
      '!./{checkout,orders}/**',
      '!./cart/cart.module.css',
    ],
    { eager: true },
  ),
]
