import { authProviders, type Realm } from '@purlin/contract/identity.ts'
import * as v from 'valibot'
import { identitiesOf, readCustomer } from '#accounts'
import { settings, type Db } from '#platform'
import { adminOf, providerOfIssuer, ProviderUnavailable } from './identity-client.ts'

const removals = v.array(
  v.object({
    by: v.string(),
    reference: v.string(),
    requestedAt: v.string(),
    dueAt: v.string(),
    endedAt: v.nullable(v.string()),
    outcome: v.nullable(v.picklist(['removed', 'kept', 'called-off'])),
  }),
)

/** Requests to remove the second step of one of a customer's accounts. */
export interface AccountRemovals {
  realm: Realm
  requests: v.InferOutput<typeof removals>
}

export type Removals = { ok: true; accounts: AccountRemovals[] } | { ok: false; reason: 'unknown-customer' | 'not-here' | 'nothing-to-do' }

/** PUT: the member of staff who has checked the person, and the case in which it is written down how. */
export type RemovalCall = { method: 'GET' | 'DELETE' } | { method: 'PUT'; body: { by: string; reference: string } }

/**
 * Requests, lists or calls off the removal of a customer's second step, at each of their accounts that has one. The embedded provider waits a
 * week with it (decision 111); an account at a Keycloak is changed there. @throws ProviderUnavailable
 */
export async function callRemovals(db: Db, customerId: string, call: RemovalCall): Promise<Removals> {
  if (!(await readCustomer(db, customerId))) return { ok: false, reason: 'unknown-customer' }
  if (!settings().identity.isEmbedded) return { ok: false, reason: 'not-here' }
  const accounts: AccountRemovals[] = []
  for (const { issuer, subject } of await identitiesOf(db, customerId)) {
    const provider = providerOfIssuer(issuer)
    if (!provider) continue
    const admin = await adminOf(provider)
    const path = `users/${encodeURIComponent(subject)}/second-step-removal`
    const response = await admin(call.method, path, call.method === 'PUT' ? call.body : undefined)
    // Closed, without a second step, or without a request.
    if (response.status === 404 || response.status === 409) continue
    if (response.status !== 200) throw new ProviderUnavailable(`A removal of a second step was answered with ${response.status}`)
    const requests = call.method === 'DELETE' ? [] : v.parse(removals, await response.json())
    accounts.push({ realm: authProviders[provider], requests })
  }
  return accounts.length > 0 ? { ok: true, accounts } : { ok: false, reason: 'nothing-to-do' }
}
