import { actForCompany, authorize, companyOf, customerIdOf, lockCompany, ownerOf, readMember, readMemberships } from '#accounts'
import { isId, type Scope } from '#platform'

export type Switched = { ok: true } | { ok: false; reason: 'unknown-company' }

/** The companies a member may act for. */
export async function showMemberships(scope: Scope) {
  const customerId = customerIdOf(scope)
  if (customerId === null) return []
  const current = companyOf(scope)
  return (await readMemberships(scope.db, customerId)).map((membership) => ({ ...membership, isCurrent: membership.id === current }))
}

/**
 * Acts for another of the member's companies from the next request on, and after later sign-ins. The cart is the person's own and stays; its
 * prices, sites and permissions are those of the company (decision 096).
 */
export async function switchCompany(scope: Scope, companyId: string): Promise<Switched> {
  const customerId = customerIdOf(scope)
  const isAllowed = isId(companyId) && authorize(scope, 'company.switch', { owner: ownerOf(scope) })
  if (customerId === null || !isAllowed) return { ok: false, reason: 'unknown-company' }
  const isMember = async () => (await readMember(scope.db, customerId, companyId)) !== undefined
  // Nobody locks a stranger's company.
  if (!(await isMember())) return { ok: false, reason: 'unknown-company' }
  await lockCompany(scope.db, companyId)
  // It may have ended while this waited for the lock.
  if (!(await isMember())) return { ok: false, reason: 'unknown-company' }
  await actForCompany(scope.db, customerId, companyId)
  return { ok: true }
}
