import type { Db } from '#platform'
import { intentRequest, type IntentPayment } from './intent-request.ts'
import { keyOf } from './keys.ts'
import type { ProviderPayment } from './provider.ts'
import { readProviderCustomer } from './saved-card-store.ts'
import { paymentProvider } from './settings.ts'

export interface IntentResult {
  intent: ProviderPayment
  /** A customer newly created at the provider, to be stored. */
  newCustomer: { customerId: string; reference: string } | null
}

/** Requests the intent of a payment from the provider; for a signed-in customer, under their provider-side customer. */
export async function requestIntent(db: Db, payment: IntentPayment, signal: AbortSignal): Promise<IntentResult> {
  const { customerId } = payment
  const provider = paymentProvider()
  const known = customerId === null ? null : await readProviderCustomer(db, customerId, provider.name)
  const customer =
    known ?? (customerId === null ? null : await provider.createCustomer(customerId, { key: `customer-${customerId}`, signal }))
  const intent = await provider.createIntent(intentRequest(payment, customer), { key: keyOf(payment, 'intent'), signal })
  const isNew = customerId !== null && customer !== null && known === undefined
  return { intent, newCustomer: isNew ? { customerId, reference: customer } : null }
}
