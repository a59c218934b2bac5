import type { Market } from '@purlin/contract/markets.ts'
import { enqueue, newId, settings, type JobScope } from '#platform'
import { takeInClaim } from '#tax'
import { patienceMs } from './request-conversion.ts'
import { insertConversion } from './store.ts'

export interface Registration {
  companyId: string
  customerId: string
  market: Market
  name: string
  country: string
  vatNumber: string | null
}

/**
 * Takes in the registration of a professional. The company exists from then on, but the VAT number they entered is theirs only when
 * its register or an operator confirms it, by the same rules as for a consumer who asks to convert. Without a number nothing is decided.
 */
export async function takeInRegistration(scope: JobScope, registration: Registration): Promise<void> {
  const { companyId, customerId, market, name, country } = registration
  const vatNumber = await takeInClaim(scope, registration)
  if (vatNumber === null) return
  const id = newId()
  const { origin } = settings().hosts.site(market, 'b2b')
  const request = { id, customerId, reason: null, companyName: name, country, vatNumber, registerNumber: null }
  await insertConversion(scope.db, { ...request, registeredCompanyId: companyId, market, mode: 'b2b', origin })
  await enqueue(scope.db, { name: 'companies.still-waiting', key: id, payload: { id }, runAt: new Date(scope.now.getTime() + patienceMs) })
}
