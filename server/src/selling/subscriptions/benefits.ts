import { companyOf } from '#accounts'
import type { Scope, SiteScope } from '#platform'
import { isEntitled } from './dunning.ts'
import type { SubscriptionPeriod } from './plan.ts'
import { entitlementFromJson, entitlementJsonOf, readEntitlement, type Entitlement } from './store.ts'

/** The period of the company's subscription while its benefits apply, in its own market; null for everybody else. */
export async function subscribedPeriod(scope: Pick<Scope, 'db' | 'principal' | 'market' | 'now'>): Promise<SubscriptionPeriod | null> {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const found = await readEntitlement(scope.db, companyId)
  return found && appliesIn(scope, found) ? found.period : null
}

const appliesIn = ({ market, now }: Pick<SiteScope, 'market' | 'now'>, found: Entitlement) =>
  found.market === market && isEntitled(found, now)

/** Free delivery for statements that read it beside something else. */
export const freeDelivery = {
  facts: entitlementJsonOf,
  isFree: (facts: object | null, site: Pick<SiteScope, 'market' | 'now'>) => facts !== null && appliesIn(site, entitlementFromJson(facts)),
}

/** Whether the acting company has free delivery and free returns. */
export async function hasSubscription(scope: Pick<Scope, 'db' | 'principal' | 'market' | 'now'>): Promise<boolean> {
  return (await subscribedPeriod(scope)) !== null
}
