import { companyOf } from '#accounts'
import type { Scope } from '#platform'
import { isEntitled } from './dunning.ts'
import type { SubscriptionPeriod } from './plan.ts'
import { readEntitlement } from './store.ts'

/** The period of the company's subscription while its benefits apply, in its own market; null for everybody else. */
export async function subscribedPeriod(scope: Pick<Scope, 'db' | 'principal' | 'market' | 'now'>): Promise<SubscriptionPeriod | null> {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const found = await readEntitlement(scope.db, companyId)
  return found && found.market === scope.market && isEntitled(found, scope.now) ? found.period : null
}

/** Whether the acting company has free delivery and free returns. */
export async function hasSubscription(scope: Pick<Scope, 'db' | 'principal' | 'market' | 'now'>): Promise<boolean> {
  return (await subscribedPeriod(scope)) !== null
}
