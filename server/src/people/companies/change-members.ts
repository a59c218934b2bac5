import type { MemberRole } from '@purlin/contract/principal.ts'
import { authorize, companyOf, customerIdOf, endMembership, lockCompany, readMembers, setMemberRole } from '#accounts'
import type { Scope } from '#platform'

export type MemberRefusal = { ok: false; reason: 'unknown-member' | 'last-admin' }
export type MemberChange = { ok: true } | MemberRefusal

/** Gives a member of the company another role. */
export function changeMemberRole(scope: Scope, memberId: string, role: MemberRole): Promise<MemberChange> {
  return changeMember(scope, memberId, 'company.manage', role === 'admin', (companyId) =>
    setMemberRole(scope.db, memberId, companyId, role),
  )
}

/** Ends a membership, somebody's or one's own: at once, in every session. */
export function removeMember(scope: Scope, memberId: string): Promise<MemberChange> {
  return changeMember(scope, memberId, 'member.remove', false, (companyId) => endMembership(scope.db, memberId, companyId))
}

/** A company always keeps an admin: two who remove each other at once come one after the other. */
async function changeMember(
  scope: Scope,
  memberId: string,
  action: 'company.manage' | 'member.remove',
  staysAdmin: boolean,
  change: (companyId: string) => Promise<void>,
): Promise<MemberChange> {
  const companyId = companyOf(scope)
  if (companyId === null || !authorize(scope, action, { companyId, owner: `c:${memberId}` })) return { ok: false, reason: 'unknown-member' }
  await lockCompany(scope.db, companyId)
  const members = await readMembers(scope.db, companyId)
  const actor = members.find(({ id }) => id === customerIdOf(scope))
  const member = members.find(({ id }) => id === memberId)
  // The actor may have lost the role while waiting for the lock; of what is left to the others, they may only leave.
  const isLeaving = actor === member && action === 'member.remove'
  if (!member || !actor || (actor.role !== 'admin' && !isLeaving)) return { ok: false, reason: 'unknown-member' }
  const admins = members.filter(({ role }) => role === 'admin')
  if (member.role === 'admin' && admins.length === 1 && !staysAdmin) return { ok: false, reason: 'last-admin' }
  await change(companyId)
  return { ok: true }
}
