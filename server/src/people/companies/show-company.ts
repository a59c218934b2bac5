import { authorize, companyOf, customerIdOf, readCompany, readMembers } from '#accounts'
import type { Scope } from '#platform'
import { readOpenInvitations } from './invitation-store.ts'
import { readRegistration } from './store.ts'

/** The company of the member who asks, with its members; invitations are shown to those who send them. */
export async function showCompany(scope: Scope) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const canManage = authorize(scope, 'company.manage', { companyId })
  const [company, members, invitations] = await Promise.all([
    readCompany(scope.db, companyId),
    readMembers(scope.db, companyId),
    canManage ? readOpenInvitations(scope.db, companyId) : [],
  ])
  if (!company) return null
  const own = customerIdOf(scope)
  return { name: company.name, canManage, members: members.map((member) => ({ ...member, isYou: member.id === own })), invitations }
}

/** How far the check of a registered company has come; null once it is confirmed, and for companies that were opened by one. */
export async function showReview(scope: Scope) {
  const companyId = companyOf(scope)
  const registration = companyId === null ? undefined : await readRegistration(scope.db, companyId)
  if (!registration || registration.state === 'converted') return null
  const { state, reason, customerId } = registration
  const isOwn = customerId === customerIdOf(scope)
  if (state === 'refused') return { state: 'refused' as const, isOwn }
  return { state: reason === null ? ('checking' as const) : ('in-review' as const), isOwn }
}
