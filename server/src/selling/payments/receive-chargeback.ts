import { newId, type JobScope } from '#platform'
import { writeChargeback } from './chargeback-store.ts'
import type { ProviderChargeback } from './provider.ts'
import { readPaymentByReference } from './store.ts'

/** A bank takes money back, or has decided about it. Messages come in any order and more than once: a decision is final. */
export async function receiveChargeback(
  scope: JobScope,
  provider: string,
  reported: ProviderChargeback,
): Promise<'applied' | 'known' | 'foreign'> {
  const { chargebackReference, reference, state, amount, currency, reason } = reported
  const payment = await readPaymentByReference(scope.db, provider, reference)
  if (!payment || payment.currency !== currency) {
    scope.log.error({ reference, chargebackReference, state }, 'a chargeback of a payment that is not ours')
    return 'foreign'
  }
  const { id: paymentId, customerOrderId, market } = payment
  const about = { id: newId(), provider, reference: chargebackReference, paymentId, customerOrderId, market }
  const chargebackId = await writeChargeback(scope.db, { ...about, state, amount, currency, reason }, scope.now)
  if (chargebackId === undefined) return 'known'
  scope.emit('chargeback.changed', { chargebackId, customerOrderId, state })
  return 'applied'
}
