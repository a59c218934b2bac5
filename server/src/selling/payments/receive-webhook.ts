import type { JobScope } from '#platform'
import { applyToLocked, isOldNews } from './apply-provider-state.ts'
import { receiveChargeback } from './receive-chargeback.ts'
import { isElsewhere, type FailedRefund, type PaymentEvent, type PaymentProvider, type ProviderPayment } from './provider.ts'
import { keepFailure, keepWebhookEvent, readPayment, readPaymentByReference } from './store.ts'

export type Received = 'applied' | 'ignored' | 'foreign' | 'known' | 'unheard'

/**
 * Handles a provider message: verified, stored once in the inbox and applied, all in one transaction. The response is
 * sent after the commit; on an error the provider sends the message again. @throws ForgedMessage
 */
export async function receiveWebhook(
  scope: JobScope,
  provider: PaymentProvider,
  rawBody: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<Received> {
  const event = provider.verifyWebhook(rawBody, headers)
  if (!event) return 'unheard'
  if ('setupId' in event) {
    // Only the provider's own answer counts; the message says when to ask.
    scope.emit('card.set-up-reported', { setupId: event.setupId })
    return 'applied'
  }
  if ('chargebackReference' in event) return receiveChargeback(scope, provider.name, event)
  if ('refundReference' in event) return failRefund(scope, provider.name, event)
  return receiveEvent(scope, provider.name, event)
}

/** A refund that was made has failed: whoever requested it takes the money back. Of several messages about it only the first counts. */
async function failRefund(scope: JobScope, provider: string, failed: FailedRefund): Promise<Received> {
  const { refundReference, reference, amount, reason } = failed
  const payment = await readPaymentByReference(scope.db, provider, reference)
  if (!payment) {
    scope.log.error({ reference, reason }, 'a refund failed of a payment that is not ours')
    return 'foreign'
  }
  if (!(await keepFailure(scope.db, provider, failed))) return 'known'
  const { id: paymentId, customerOrderId } = payment
  scope.emit('refund.failed', { paymentId, customerOrderId, refundReference, amount, reason })
  return 'applied'
}

/** The same for a message that has been verified. */
export async function receiveEvent(scope: JobScope, provider: string, event: PaymentEvent): Promise<Received> {
  if (isElsewhere(event.payment)) return 'unheard'
  // The message may arrive before the response to our own call; then only our id in it identifies the payment.
  const id = event.payment.paymentId ?? (await readPaymentByReference(scope.db.reads, provider, event.payment.reference))?.id
  if (id === undefined || !isUuid(id)) {
    scope.log.warn({ reference: event.payment.reference }, 'a message about a payment that is not ours')
    return 'foreign'
  }
  // The effects of our own calls are known from their responses; only news is worth a transaction.
  if (ownDoing.has(event.payment.status)) {
    const known = await readPayment(scope.db.reads, id)
    if (known && isOldNews(known, event.payment)) return 'ignored'
  }
  const payment = await keepWebhookEvent(scope.db, provider, event, id)
  if (payment && !payment.isNew) return 'known'
  return applyToLocked(scope, payment, event.payment, `webhook ${event.type}`)
}

const ownDoing: ReadonlySet<ProviderPayment['status']> = new Set(['captured', 'voided', 'refunded', 'part-refunded'])

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
