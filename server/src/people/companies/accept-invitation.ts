import { actForCompany, customerIdOf, emailOf, joinCompany, lockCompany, readCompany, readMembers } from '#accounts'
import type { Scope } from '#platform'
import { readInvitation, useInvitation } from './invitation-store.ts'
import { hashOf } from './invite-member.ts'

export type Acceptance = { ok: true } | { ok: false; reason: 'invitation-over' | 'other-email' }

/** An invitation as its link shows it; null for a link that never was one. */
export async function showInvitation(scope: Scope, token: string) {
  const invitation = isToken(token) ? await readInvitation(scope.db, hashOf(token)) : undefined
  const company = invitation && (await readCompany(scope.db, invitation.companyId))
  if (!invitation || !company) return null
  const { email, role, isOpen } = invitation
  return { companyName: company.name, role, isOpen, email: isOpen ? email : null, isForYou: isOpen && isSame(emailOf(scope), email) }
}

/** Joins the company. A forwarded link is of no use to others: the account must have the invited address, confirmed at the sign-in. */
export async function acceptInvitation(scope: Scope, token: string): Promise<Acceptance> {
  const { db } = scope
  const customerId = customerIdOf(scope)
  const invitation = isToken(token) ? await readInvitation(db, hashOf(token)) : undefined
  if (customerId === null || !invitation?.isOpen) return { ok: false, reason: 'invitation-over' }
  if (!isSame(emailOf(scope), invitation.email)) return { ok: false, reason: 'other-email' }
  const { companyId, role, invitedBy } = invitation
  await lockCompany(db, companyId)
  const members = await readMembers(db, companyId)
  // Who is no longer an admin lets nobody in.
  if (!members.some((member) => member.id === invitedBy && member.role === 'admin')) return { ok: false, reason: 'invitation-over' }
  if (!(await readCompany(db, companyId)) || !(await useInvitation(db, hashOf(token), customerId)))
    return { ok: false, reason: 'invitation-over' }
  // An invitation takes no role away from somebody who has joined meanwhile.
  const isMember = members.some(({ id }) => id === customerId)
  if (!isMember) await joinCompany(db, customerId, companyId, role)
  await actForCompany(db, customerId, companyId)
  return { ok: true }
}

function isToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token)
}

function isSame(one: string | null, other: string): boolean {
  return one !== null && one.toLowerCase() === other.toLowerCase()
}
