import type { EventPayloads } from '#events'
import { enqueue, newId, settings, type JobScope } from '#platform'
import { takeInClaim } from '#tax'
import { registerNumberOf } from './conversion.ts'
import { patienceMs } from './request-conversion.ts'
import { sayReceived } from './say-decision.ts'
import { insertConversion } from './store.ts'

/**
 * Takes in the registration of a professional. The company exists from then on, but the VAT number they entered is theirs only when
 * its register or an operator confirms it, by the same rules as for a consumer who asks to convert. A company without one is looked up
 * by an operator under its register number. Without any number nothing is decided.
 */
export async function takeInRegistration(scope: JobScope, registration: EventPayloads['company.applied']): Promise<void> {
  const { companyId, customerId, market, name, country } = registration
  const vatNumber = await takeInClaim(scope, registration)
  const registerNumber = registration.registerNumber ? registerNumberOf(country, registration.registerNumber) : null
  if (vatNumber === null && registerNumber === null) return
  const id = newId()
  const { origin } = settings().hosts.site(market, 'b2b')
  const reason = vatNumber === null ? 'register-number' : null
  const request = { id, customerId, reason, companyName: name, country, vatNumber, registerNumber } as const
  await insertConversion(scope.db, { ...request, registeredCompanyId: companyId, market, mode: 'b2b', origin })
  if (vatNumber === null) return sayReceived(scope, id)
  await enqueue(scope.db, { name: 'companies.still-waiting', key: id, payload: { id }, runAt: new Date(scope.now.getTime() + patienceMs) })
}
