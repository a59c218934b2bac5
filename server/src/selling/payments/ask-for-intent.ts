import type { Db } from '#platform'
import { intentWish, type AskedPayment } from './intent-wish.ts'
import { keyOf } from './keys.ts'
import type { ProviderPayment } from './provider.ts'
import { readProviderCustomer } from './saved-card-store.ts'
import { paymentProvider } from './settings.ts'

export interface AskedIntent {
  intent: ProviderPayment
  /** A customer the provider did not know before, to be written down. */
  newCustomer: { customerId: string; reference: string } | null
}

/** Asks the provider for the intent of a payment; for somebody signed in, in the name of their customer there. */
export async function askForIntent(db: Db, payment: AskedPayment, signal: AbortSignal): Promise<AskedIntent> {
  const { customerId } = payment
  const provider = paymentProvider()
  const known = customerId === null ? null : await readProviderCustomer(db, customerId, provider.name)
  const customer =
    known ?? (customerId === null ? null : await provider.createCustomer(customerId, { key: `customer-${customerId}`, signal }))
  const intent = await provider.createIntent(intentWish(payment, customer), { key: keyOf(payment, 'intent'), signal })
  const isNew = customerId !== null && customer !== null && known === undefined
  return { intent, newCustomer: isNew ? { customerId, reference: customer } : null }
}
