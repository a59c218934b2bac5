import { authorize } from '#accounts'
import { findOrder, noOrderId } from '#orders'
import { isId, type Scope } from '#platform'
import { readInvoice, type Invoice } from './store.ts'

/** An invoice of an order the principal may see. Otherwise undefined, whether it exists or not (A3). */
export async function findInvoice(scope: Scope, id: string): Promise<Invoice | undefined> {
  const invoice = isId(id) ? await readInvoice(scope.db, id) : undefined
  const isForBuyer = invoice?.kind === 'sale' || invoice?.kind === 'credit-note'
  // As many statements for an unknown invoice as for another person's.
  const order = await findOrder(scope, 'invoice.see', (isForBuyer && invoice?.customerOrderId) || noOrderId)
  return order && invoice
}

/** An invoice of the seller whose staff the principal belongs to, in this market; customer service sees those of all sellers. (A3, A13) */
export async function findSellerInvoice(scope: Scope, market: string, id: string): Promise<Invoice | undefined> {
  const invoice = isId(id) ? await readInvoice(scope.db, id) : undefined
  if (!invoice || invoice.market !== market) return undefined
  const { principal } = scope
  return authorize({ principal, market: invoice.market }, 'sellerInvoice.see', { sellerId: invoice.sellerId }) ? invoice : undefined
}
