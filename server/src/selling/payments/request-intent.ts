import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { readCompany } from '#accounts'
import { PermanentError, type Db } from '#platform'
import type { Debtor } from './credit-provider.ts'
import { intentRequest, type IntentPayment } from './intent-request.ts'
import { keyOf } from './keys.ts'
import type { ProviderPayment } from './provider.ts'
import { readProviderCustomer } from './saved-card-store.ts'
import { creditProvider, paymentProvider } from './settings.ts'

export interface IntentResult {
  intent: ProviderPayment
  /** A customer newly created at the provider, to be stored. */
  newCustomer: { customerId: string; reference: string } | null
}

/** Requests the intent of a payment from the provider; for a signed-in customer, under their provider-side customer. */
export async function requestIntent(db: Db, payment: IntentPayment, signal: AbortSignal): Promise<IntentResult> {
  if (payment.companyId !== null) return { intent: await requestCredit(db, payment, payment.companyId, signal), newCustomer: null }
  const { customerId } = payment
  const provider = paymentProvider()
  const known = customerId === null ? null : await readProviderCustomer(db, customerId, provider.name)
  const customer =
    known ?? (customerId === null ? null : await provider.createCustomer(customerId, { key: `customer-${customerId}`, signal }))
  const intent = await provider.createIntent(intentRequest(payment, customer), { key: keyOf(payment, 'intent'), signal })
  const isNew = customerId !== null && customer !== null && known === undefined
  return { intent, newCustomer: isNew ? { customerId, reference: customer } : null }
}

/** Asks the credit provider whether it pays for a company. */
async function requestCredit(db: Db, payment: IntentPayment, companyId: string, signal: AbortSignal): Promise<ProviderPayment> {
  const debtor = await readDebtor(db, companyId)
  // It had a number when the order was placed; companies are closed, never deleted.
  if (!debtor) throw new PermanentError(`Company ${companyId} cannot pay by invoice`)
  const { id: paymentId, customerOrderId, amount, currency, market, origin } = payment
  const returnUrl = origin + publicUrl('paymentReturn', {}, { order: customerOrderId })
  const request = { paymentId, customerOrderId, amount, currency, market, debtor, returnUrl }
  return creditProvider().requestCredit(request, { key: keyOf(payment, 'intent'), signal })
}

/** A company as a credit provider is told of it; undefined without a registration number. */
export async function readDebtor(db: Db, companyId: string): Promise<Debtor | undefined> {
  const company = await readCompany(db, companyId)
  if (!company?.vatNumber) return undefined
  return { companyId, name: company.name, registrationNumber: company.vatNumber.replaceAll(/\s/g, ''), country: company.country }
}
