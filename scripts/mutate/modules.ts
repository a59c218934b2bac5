/** The modules to mutate, and the folders whose tests run against the mutants; the module's own come first. */
export interface MutatedModule {
  sources: string
  /** Path prefixes of test files. */
  tests: string[]
}

const server = 'server/src'

export const mutatedModules: Record<string, MutatedModule> = {
  pricing: {
    sources: `${server}/goods/pricing`,
    tests: [
      `${server}/goods/pricing/`,
      `${server}/goods/listing/card.test`,
      `${server}/goods/listing/build-documents`,
      `${server}/edges/gateway/price-fields`,
      `${server}/goods/content/shop.graphql`,
    ],
  },
  listing: {
    sources: `${server}/goods/listing`,
    tests: [`${server}/goods/listing/`, `${server}/goods/content/`, `${server}/edges/gateway/card-fields`],
  },
  contract: {
    sources: 'contract/src',
    tests: ['contract/src/', 'storefront/src/routes.test.ts', `${server}/foundation/markets/`, `${server}/people/addresses/`],
  },
  cart: { sources: `${server}/selling/cart`, tests: [`${server}/selling/cart/`, `${server}/selling/checkout/`] },
  orders: { sources: `${server}/selling/orders`, tests: [`${server}/selling/orders/`, `${server}/selling/checkout/`] },
  payments: { sources: `${server}/selling/payments`, tests: [`${server}/selling/payments/`, `${server}/selling/checkout/`] },
  checkout: { sources: `${server}/selling/checkout`, tests: [`${server}/selling/checkout/`, `${server}/selling/payments/`] },
  accounts: { sources: `${server}/people/accounts`, tests: [`${server}/people/accounts/`, `${server}/edges/gateway/`] },
}
