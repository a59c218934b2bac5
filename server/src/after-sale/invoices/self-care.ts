import { findOrder, lockPart, quantityStates, type SellerOrder } from '#orders'
import type { Scope } from '#platform'
import { creditRefunds } from './credit-refund.ts'
import { issueInvoice, sentPieces } from './issue-invoice.ts'
import { showInvoice } from './show-invoice.ts'
import { readInvoicesOfOrder, type Invoice } from './store.ts'

/**
 * Where the invoice of a seller's part stands. `not-yet`: nothing has been sent · `requestable`: sent, but not invoiced ·
 * `preparing`: issued, its files are being made · `ready` · `cancelled`: there is nothing to invoice.
 */
export type PartInvoiceState = 'not-yet' | 'requestable' | 'preparing' | 'ready' | 'cancelled'

function partState({ state }: Pick<SellerOrder, 'state'>, invoices: readonly Invoice[], sent: number): PartInvoiceState {
  if (sent > piecesOn(invoices)) return 'requestable'
  if (invoices.length === 0) return state === 'refused' || state === 'cancelled' ? 'cancelled' : 'not-yet'
  return invoices.every(({ files }) => files.pdf !== undefined) ? 'ready' : 'preparing'
}

function piecesOn(invoices: readonly Invoice[]): number {
  const sales = invoices.filter(({ kind }) => kind === 'sale')
  return sales.flatMap(({ document }) => document.lines).reduce((all, { quantity }) => all + quantity, 0)
}

/** The order an address means: a customer order by its id, or by that of one of its parts. */
async function findParts(scope: Scope, action: 'invoice.see' | 'invoice.request', orderId: string) {
  const whole = await findOrder(scope, action, orderId)
  if (whole) return { order: whole, parts: whole.sellerOrders }
  const order = await findOrder(scope, action, orderId.replace(/-\d+$/, ''))
  const parts = order?.sellerOrders.filter(({ id }) => id === orderId) ?? []
  return order && parts.length > 0 ? { order, parts } : undefined
}

/** The invoices of an order, or of one seller's part of it; null unless the principal may see the order. */
export async function showSelfCareInvoice(scope: Scope, orderId: string) {
  const found = await findParts(scope, 'invoice.see', orderId)
  if (!found || found.order.state === 'draft') return null
  const { order, parts } = found
  const [invoices, sent] = await Promise.all([readInvoicesOfOrder(scope.db, order.id), readSent(scope, parts)])
  return {
    customerOrderId: order.id,
    placedAt: order.placedAt,
    parts: parts.map((part) => {
      const own = invoices.filter(({ sellerOrderId }) => sellerOrderId === part.id)
      const state = partState(part, own, sent.get(part.id) ?? 0)
      return {
        sellerOrderId: part.id,
        sellerName: part.seller.name,
        state,
        invoices: own.map((invoice) => showInvoice(invoice, scope.market)),
      }
    }),
  }
}

export type InvoiceRequest = { ok: true } | { ok: false; reason: 'unknown-order' | 'not-yet' }

/** Issues every invoice of the order that can be issued and has not been. Asking again changes nothing. */
export async function requestInvoice(scope: Scope, orderId: string): Promise<InvoiceRequest> {
  const found = await findParts(scope, 'invoice.request', orderId)
  if (!found) return { ok: false, reason: 'unknown-order' }
  const { order, parts } = found
  const sent = await readSent(scope, parts)
  const open = parts.filter(({ id }) => (sent.get(id) ?? 0) > 0)
  // Each issues in a series of its own seller; always in the same order, so that two requests never wait for each other.
  for (const { id } of open.toSorted((a, b) => a.sellerId - b.sellerId)) {
    const part = { customerOrderId: order.id, sellerOrderId: id }
    // As for a parcel that is sent: the part before the series.
    await lockPart(scope.db, id)
    await issueInvoice(scope, part)
    await creditRefunds(scope, part)
  }
  return open.length > 0 ? { ok: true } : { ok: false, reason: 'not-yet' }
}

/** The number of pieces that have left each seller. */
async function readSent({ db }: Scope, parts: readonly SellerOrder[]): Promise<Map<string, number>> {
  const lines = await quantityStates(
    db,
    parts.map(({ id }) => id),
  )
  const sum = (own: typeof lines) => [...sentPieces(own).values()].reduce((all, quantity) => all + quantity, 0)
  return new Map(parts.map(({ id }) => [id, sum(lines.filter(({ sellerOrderId }) => sellerOrderId === id))]))
}
