import { listMigrations, type Migration } from '@purlin/server/foundation/platform/timeline.ts'

/** The migrations of the first release. They are never edited, so they still create what they created then. */
const ids = [
  'platform/001-platform.sql',
  'platform/002-note.sql',
  'accounts/001-accounts.sql',
  'sellers/001-seller.sql',
  'catalogue/001-catalogue.sql',
  'catalogue/002-offers-of-a-seller.sql',
  'pricing/001-pricing.sql',
  'pricing/002-vat-rule-ids.sql',
  'merchandising/001-merchandising.sql',
  'merchandising/002-old-events.sql',
  'cart/001-cart.sql',
  'orders/001-orders.sql',
  'ledger/001-ledger.sql',
  'payments/001-payments.sql',
  'notify/001-notify.sql',
  'notify/002-mail-without-tries.sql',
]

export function firstRelease(): Migration[] {
  const all = new Map(listMigrations().map((migration) => [migration.id, migration]))
  return ids.map((id) => {
    const migration = all.get(id)
    if (!migration) throw new Error(`${id} of the first release is missing`)
    return migration
  })
}
