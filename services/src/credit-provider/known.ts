import { randomBytes } from 'node:crypto'
import type { Collection, Invoice, Order, Store } from './store.ts'

/** Confirmed orders with their invoices from before this provider's first start: those of the demo's past. */
export interface KnownCredit {
  orders: readonly Pick<Order, 'uuid' | 'code' | 'description' | 'debtor' | 'amount' | 'currency' | 'market' | 'returnUrl' | 'createdAt'>[]
  invoices: readonly Omit<Invoice, 'isLateTold'>[]
  collections: readonly Collection[]
}

/** Adds missing data. What is known already stays as it is. */
export function learn(store: Store, { orders, invoices, collections }: KnownCredit): void {
  store.together(() => {
    for (const order of orders) {
      if (store.order(order.uuid)) continue
      const facts = { state: 'created', reason: null, confirmed: order.amount, refunded: 0, reduced: 0 } as const
      store.saveOrder({ ...order, ...facts, secret: randomBytes(24).toString('base64url') })
    }
    for (const invoice of invoices) if (!store.invoiceByCode(invoice.code)) store.saveInvoice({ ...invoice, isLateTold: false })
    for (const collection of collections) if (!store.collectionByCode(collection.code)) store.saveCollection(collection)
  })
}
