import type { EventPayloads } from '#events'
import { creditProvider, isCaptured, ProviderRefusal, readPaymentOfOrder, type Payment, type ProviderClaim } from '#payments'
import type { JobScope, CallContext } from '#platform'
import { writeClaim } from './store.ts'

type Issued = EventPayloads['invoice.issued']
export type Reported = { payment: Payment } & ({ claim: ProviderClaim } | { refused: string })

/** Captures the invoice of a parcel with the provider that authorised the order. Null for orders that were paid otherwise. */
export async function reportInvoice({ db, signal }: Pick<CallContext, 'db' | 'signal'>, issued: Issued): Promise<Reported | null> {
  const payment = await readPaymentOfOrder(db, issued.customerOrderId)
  if (payment?.method !== 'invoice' || payment.providerReference === null || !isCaptured(payment.state)) return null
  const { invoiceId: claimId, number, sellerOrderId, gross: amount, issuedOn } = issued
  const invoice = { claimId, number, sellerOrderId, amount, currency: payment.currency, issuedOn }
  try {
    return { payment, claim: await creditProvider().invoice(payment.providerReference, invoice, { key: `claim-${claimId}`, signal }) }
  } catch (error) {
    if (error instanceof ProviderRefusal) return { payment, refused: error.code }
    throw error
  }
}

export async function keepReported(scope: JobScope, issued: Issued, reported: Reported | null): Promise<void> {
  if (!reported) return
  const { payment } = reported
  const { companyId, customerId, market, mode, origin, currency, customerOrderId } = payment
  if (companyId === null) throw new Error(`Payment ${payment.id} has no company`)
  const { invoiceId: id, number, sellerOrderId, gross: amount, issuedOn } = issued
  const facts = { id, number, paymentId: payment.id, customerOrderId, sellerOrderId, companyId, customerId, market, mode, origin }
  const owed = { ...facts, currency, amount, issuedOn }
  if ('refused' in reported) {
    scope.log.error({ number, code: reported.refused }, 'the credit provider refuses an invoice')
    return writeClaim(scope.db, { ...owed, credited: 0, repaid: 0, reversed: 0, reference: null, refused: reported.refused, dueOn: null })
  }
  const { reference, dueOn, credited, repaid, reversed } = reported.claim
  return writeClaim(scope.db, { ...owed, credited, repaid, reversed, reference, refused: null, dueOn })
}
