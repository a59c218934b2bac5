import { isEmail } from '@purlin/contract/email.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { companyOf, customerIdOf, lockCompany, readCompany, readCustomer, readMembers } from '#accounts'
import { sendMail, withoutLinks } from '#mail'
import { isId, mailboxOf, newId, type Scope } from '#platform'
import { countInvitationMails, noteInvitationMail, putInvitation, readOpenInvitations, revokeInvitationOf } from './invitation-store.ts'
import { invitationMail } from './mails.ts'
import { isRefusedCompany } from './store.ts'

/** Open invitations of a company: a form that sends mails to strangers must not send many. */
export const maxInvitations = 20

/** Mails in a day, also for invitations that were revoked or repeated: of a company, and of all companies to one person. */
export const maxMailsOfCompany = 40
export const maxMailsToRecipient = 3

export type InvitationRefusal = {
  ok: false
  reason:
    | 'email-invalid'
    | 'already-member'
    | 'registration-refused'
    | 'too-many-invitations'
    | 'too-many-invitations-today'
    | 'unknown-invitation'
}

/**
 * Invites somebody into the company by mail. The link works once, for a week, and only for an account with that e-mail address.
 * As with orders, a company need not wait for its check; after a refusal it sends nothing in the marketplace's name until it is confirmed.
 */
export async function inviteMember(
  scope: Scope,
  { email: typed, role }: { email: string; role: MemberRole },
): Promise<{ ok: true } | InvitationRefusal> {
  const { db, market, mode, origin } = scope
  const [companyId, inviterId] = [companyOf(scope), customerIdOf(scope)]
  if (companyId === null || inviterId === null) throw new Error('Only members of companies invite')
  const email = typed.trim().toLowerCase()
  if (!isEmail(email)) return { ok: false, reason: 'email-invalid' }
  await lockCompany(db, companyId)
  if (await isRefusedCompany(db, companyId)) return { ok: false, reason: 'registration-refused' }
  const [company, inviter, members, open] = await Promise.all([
    readCompany(db, companyId),
    readCustomer(db, inviterId),
    readMembers(db, companyId),
    readOpenInvitations(db, companyId),
  ])
  if (members.some((member) => member.email.toLowerCase() === email)) return { ok: false, reason: 'already-member' }
  if (open.length >= maxInvitations) return { ok: false, reason: 'too-many-invitations' }
  const recipient = hashOf(mailboxOf(email))
  const { ofCompany, toRecipient } = await countInvitationMails(db, companyId, recipient)
  if (ofCompany >= maxMailsOfCompany || toRecipient >= maxMailsToRecipient) return { ok: false, reason: 'too-many-invitations-today' }
  await noteInvitationMail(db, companyId, recipient)
  const id = newId()
  const token = randomBytes(32).toString('base64url')
  await putInvitation(db, { id, companyId, email, role, tokenHash: hashOf(token), invitedBy: inviterId })
  const payload = { company: withoutLinks(company?.name ?? ''), inviter: withoutLinks(inviter?.name ?? ''), token }
  // The mail names the inviter: with their id in its key it is found when they erase their account.
  const key = `invitation:${inviterId}:${hashOf(token)}`
  await sendMail(scope, invitationMail, { to: email, site: { market, mode, origin }, payload, key })
  return { ok: true }
}

export async function revokeInvitation(scope: Scope, id: string): Promise<{ ok: true } | InvitationRefusal> {
  const companyId = companyOf(scope)
  const isRevoked = companyId !== null && isId(id) && (await revokeInvitationOf(scope.db, companyId, id))
  return isRevoked ? { ok: true } : { ok: false, reason: 'unknown-invitation' }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
