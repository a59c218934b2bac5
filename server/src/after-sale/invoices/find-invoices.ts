import { authorize } from '#accounts'
import { findOrder } from '#checkout'
import { isId, type Scope } from '#platform'
import { readInvoice, type Invoice } from './store.ts'

/**
 * An invoice the principal may see: of an order they may see, or of their seller. Otherwise undefined, whether it exists or
 * not (A3).
 */
export async function findInvoice(scope: Scope, id: string): Promise<Invoice | undefined> {
  const invoice = isId(id) ? await readInvoice(scope.db, id) : undefined
  if (!invoice) return undefined
  const { customerOrderId, kind, sellerId } = invoice
  const isForBuyer = kind === 'sale' || kind === 'credit-note'
  if (isForBuyer && customerOrderId !== null && (await findOrder(scope, 'invoice.see', customerOrderId))) return invoice
  return authorize(scope, 'invoice.see', { sellerId }) ? invoice : undefined
}
