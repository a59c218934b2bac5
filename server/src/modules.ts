/**
 * The modules by floor, lowest first. The order is binding: a module uses the modules before it through their public
 * index (`#name`), never those after it; it learns about those through events. `platform` and `events`, on the
 * foundation floor, are open to every module; `edges` (gateway, worker, generated) joins all modules and is imported by none.
 */
export const floors = {
  foundation: ['markets', 'files', 'mail', 'flags'],
  people: [
    'accounts',
    'consent',
    'identity',
    'addresses',
    'auth',
    'profile',
    'sms',
    'uploads',
    'tax',
    'companies',
    'newsletter',
    'push',
    'insights',
  ],
  goods: ['sellers', 'catalogue', 'pricing', 'conditions', 'listing', 'merchandising', 'content', 'header', 'discovery'],
  selling: [
    'pickup',
    'payments',
    'credit',
    'ledger',
    'subscriptions',
    'cart',
    'wishlists',
    'orders',
    'refunds',
    'purchasing',
    'checkout',
    'punchout',
    'segments',
    'experiments',
    'history',
    'recommendations',
    'referer',
    'reminders',
  ],
  'after-sale': [
    'fulfilment',
    'messages',
    'returns',
    'invoices',
    'quotes',
    'notify',
    'contact',
    'disputes',
    'payouts',
    'reviews',
    'privacy',
    'integrations',
  ],
} as const

export type ModuleName = (typeof floors)[keyof typeof floors][number]

export const modules: readonly ModuleName[] = Object.values(floors).flat()

/**
 * Modules that the shop sells without: their tables may fail or hang. In processes that serve visitors their statements have connections of
 * their own, and few of their commands run at the same time (decision 104).
 */
const optional: ReadonlySet<string> = new Set<ModuleName>([
  'consent',
  'experiments',
  'flags',
  'header',
  'history',
  'insights',
  'merchandising',
  'newsletter',
  'push',
  'recommendations',
  'reminders',
  'segments',
])
export const isOptional = (module: string): boolean => optional.has(module)

/** Module folders below `server/src`, in order: "goods/catalogue". */
export const moduleFolders: readonly string[] = Object.entries(floors).flatMap(([floor, names]) => names.map((name) => `${floor}/${name}`))
