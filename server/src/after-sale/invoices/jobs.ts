import { lockPart } from '#orders'
import { every, job, on } from '#platform'
import { announceInvoice } from './announce-invoice.ts'
import { drawFiles, keepFiles } from './archive-invoice.ts'
import { invoiceCommissions } from './commission-invoices.ts'
import { creditRefunds, invoiceDropped } from './credit-refund.ts'
import { issueInvoice } from './issue-invoice.ts'
import { creditSubscription, invoiceSubscription } from './invoice-subscription.ts'
import { readInvoice } from './store.ts'

export const handlers = [
  on('seller-order.shipped', 'invoices.issue', {
    commit: async (scope, { customerOrderId, sellerOrderId, lines }) => {
      await lockPart(scope.db, sellerOrderId)
      const pieces = new Map(lines.map(({ offerId, quantity }) => [offerId, quantity]))
      await issueInvoice(scope, { customerOrderId, sellerOrderId, pieces })
      await creditRefunds(scope, { customerOrderId, sellerOrderId })
    },
  }),
  on('subscription.charged', 'invoices.issue-subscription', {
    commit: async (scope, charged) => void (await invoiceSubscription(scope, charged)),
  }),
  on('subscription.refunded', 'invoices.credit-subscription', {
    commit: async (scope, { chargeId }) => void (await creditSubscription(scope, chargeId)),
  }),
  on('refund.requested', 'invoices.credit', { commit: creditRefunds }),
  // Nothing more of the part may be invoiced now: what has waited for that is credited.
  on('seller-order.cancelled', 'invoices.credit-cancelled', { commit: creditRefunds }),
  on('seller-order.refused', 'invoices.credit-refused', { commit: creditRefunds }),
  on('refund.dropped', 'invoices.invoice-again', {
    commit: async (scope, { refundId, customerOrderId, sellerOrderId }) => {
      await invoiceDropped(scope, refundId)
      await creditRefunds(scope, { customerOrderId, sellerOrderId })
    },
  }),
]

export const schedules = [every(6 * 3_600_000, 'invoices.commissions', invoiceCommissions)]

export const jobs = [
  job<{ invoiceId: string }>('invoices.archive', {
    run: async (context, { invoiceId }) => {
      const invoice = await readInvoice(context.db, invoiceId)
      if (!invoice) return
      const drawn = invoice.files.pdf === undefined && !invoice.isSealed ? await drawFiles(context.db.alone, invoice) : []
      await context.checkpoint('kept', async (scope) => {
        await keepFiles(scope.db, invoiceId, drawn)
        await announceInvoice(scope, invoice)
      })
    },
  }),
]
