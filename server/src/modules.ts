/**
 * The modules, foundations first. The order is the rule: a module may use those above it, by their
 * face (`#name`), never those below; it hears of what happens below through events.
 */
export const modules = [
  'markets',
  'accounts',
  'sellers',
  'catalogue',
  'pricing',
  'listing',
  'merchandising',
  'content',
  'cart',
  'orders',
  'ledger',
  'payments',
  'checkout',
  'notify',
] as const
export type ModuleName = (typeof modules)[number]
