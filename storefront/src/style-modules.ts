/** CSS modules of the sheet of all pages, the design system's before those of the pages. */
export const modules = [
  import.meta.glob('../../ui/src/**/*.module.css', { eager: true }),
  // The others belong to the sheets of the account, of the checkout and of pages that are read.
  import.meta.glob(
    [
      './**/*.module.css',
      '!./{account,invoices,messages,office,pro,quick-order,subscription,support}/**',
      '!./wishlist/wishlist.module.css',
      '!./{checkout,orders}/**',
      '!./cart/cart.module.css',
      '!./advice/{calculator,comparison,entry,hub,shopping-list}.module.css',
      '!./{compare,credit,information,paint}/**',
      '!./discovery/{inspiration,partner-ad}.module.css',
    ],
    { eager: true },
  ),
]
