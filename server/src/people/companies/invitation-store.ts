import type { MemberRole } from '@purlin/contract/principal.ts'
import { wasTheirs, type OwnAddress } from '#accounts'
import type { Db } from '#platform'

export interface Invitation {
  id: string
  companyId: string
  email: string
  role: MemberRole
  expiresAt: Date
  /** The admin who sent it. */
  invitedBy: string
  /** Neither accepted, nor revoked, nor expired. */
  isOpen: boolean
}

const columns = `id, company_id as "companyId", email, role, expires_at as "expiresAt", invited_by as "invitedBy",
  accepted_at is null and revoked_at is null and expires_at > now() as "isOpen"`
const open = {
  name: 'companies.open-invitations',
  text: `select ${columns} from companies.invitation where company_id = $1 and accepted_at is null and revoked_at is null
    order by created_at desc, id limit 100`,
}
const byToken = { name: 'companies.invitation-by-token', text: `select ${columns} from companies.invitation where token_hash = $1` }
// A second invitation of the same address takes the place of the first, whose link ends.
const put = {
  name: 'companies.put-invitation',
  text: `insert into companies.invitation (id, company_id, email, role, token_hash, invited_by) values ($1, $2, $3, $4, $5, $6)
    on conflict (company_id, lower(email)) where accepted_at is null and revoked_at is null
    do update set role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by, created_at = now(),
      expires_at = excluded.expires_at`,
}
const accept = {
  name: 'companies.accept-invitation',
  text: `update companies.invitation set accepted_at = now(), accepted_by = $2
    where token_hash = $1 and accepted_at is null and revoked_at is null and expires_at > now()`,
}
const revoke = {
  name: 'companies.revoke-invitation',
  text: 'update companies.invitation set revoked_at = now() where id = $1 and company_id = $2 and accepted_at is null and revoked_at is null',
}

const remove = {
  name: 'companies.delete-invitations',
  text: `delete from companies.invitation where accepted_by = $1 or invited_by = $1 or ${wasTheirs('email', 'created_at', '$2')}`,
}

const forgetMails = {
  name: 'companies.forget-invitation-mails',
  text: `delete from companies.invitation_mail where sent_at < now() - interval '1 day'`,
}
// Companies that invite the same person at the same moment count one after the other.
const lockRecipient = {
  name: 'companies.lock-invitation-recipient',
  text: `select pg_advisory_xact_lock(hashtextextended('companies.invitation ' || $1, 0))`,
}
const countMails = {
  name: 'companies.count-invitation-mails',
  text: `select count(*) filter (where company_id = $1)::int as "ofCompany", count(*) filter (where recipient = $2)::int as "toRecipient"
    from companies.invitation_mail where (company_id = $1 or recipient = $2) and sent_at > now() - interval '1 day'`,
}
const noteMail = {
  name: 'companies.note-invitation-mail',
  text: 'insert into companies.invitation_mail (company_id, recipient) values ($1, $2)',
}

/** Invitation mails of the last day, of this company and to this recipient. */
export async function countInvitationMails(
  db: Db,
  companyId: string,
  recipient: string,
): Promise<{ ofCompany: number; toRecipient: number }> {
  await db.run(lockRecipient, [recipient])
  return (await db.row(countMails, [companyId, recipient])) ?? { ofCompany: 0, toRecipient: 0 }
}

export async function noteInvitationMail(db: Db, companyId: string, recipient: string): Promise<void> {
  await db.run(noteMail, [companyId, recipient])
}

export async function forgetInvitationMails(db: Db): Promise<void> {
  await db.run(forgetMails)
}

export function readOpenInvitations(db: Db, companyId: string): Promise<Invitation[]> {
  return db.rows<Invitation>(open, [companyId])
}

export function readInvitation(db: Db, tokenHash: string): Promise<Invitation | undefined> {
  return db.row<Invitation>(byToken, [tokenHash])
}

interface NewInvitation extends Pick<Invitation, 'id' | 'companyId' | 'email' | 'role' | 'invitedBy'> {
  tokenHash: string
}

export async function putInvitation(db: Db, { id, companyId, email, role, tokenHash, invitedBy }: NewInvitation): Promise<void> {
  await db.run(put, [id, companyId, email, role, tokenHash, invitedBy])
}

/** True once: the link is used up. */
export async function useInvitation(db: Db, tokenHash: string, customerId: string): Promise<boolean> {
  return (await db.run(accept, [tokenHash, customerId])) === 1
}

/** False when this company has no such open invitation. */
export async function revokeInvitationOf(db: Db, companyId: string, id: string): Promise<boolean> {
  return (await db.run(revoke, [id, companyId])) === 1
}

/** Invitations a customer who leaves has sent or accepted, and those to addresses that are theirs alone. */
export async function removeInvitationsOf(db: Db, customerId: string, addresses: readonly OwnAddress[]): Promise<void> {
  await db.run(remove, [customerId, JSON.stringify(addresses)])
}
