import { companyOf, customerIdOf, endPunchOutSessions, lockCompany, readMembers } from '#accounts'
import { isId, newId, type JobScope, type Scope } from '#platform'
import { newSecret, type Credential, type Protocol } from './credential.ts'
import { deleteVisits, insertCredential, readCredentials, revokeCredential, revokeCredentialsOf } from './store.ts'

const maxCredentials = 10
const maxName = 60
export const orderingRoles: readonly string[] = ['admin', 'approver', 'buyer']

export type CredentialRefusal = {
  ok: false
  reason: 'name-invalid' | 'member-cannot-order' | 'too-many-credentials' | 'unknown-credential'
}

export interface ShownCredential extends Credential {
  memberName: string
  isUsable: boolean
}

/** The company's credentials, and the members in whose name orders may arrive. */
export async function showCredentials(scope: Scope) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const [credentials, members] = await Promise.all([readCredentials(scope.db, companyId), readMembers(scope.db, companyId)])
  const orderers = members.filter(({ role }) => orderingRoles.includes(role))
  return {
    origin: scope.origin,
    members: orderers.map(({ id, name, email }) => ({ id, name: name || email })),
    credentials: credentials.map((credential): ShownCredential => {
      const member = members.find(({ id }) => id === credential.memberId)
      const isUsable = credential.revokedAt === null && orderers.some(({ id }) => id === credential.memberId)
      return { ...credential, memberName: member?.name ?? '', isUsable }
    }),
  }
}

/** A new credential for this market. This is the only time its secret is shown. */
export async function createCredential(
  scope: Scope,
  { name: typed, protocol, memberId }: { name: string; protocol: Protocol; memberId: string },
): Promise<{ ok: true; identity: string; secret: string } | CredentialRefusal> {
  const [companyId, createdBy] = [companyOf(scope), customerIdOf(scope)]
  if (companyId === null || createdBy === null) throw new Error('Only members of companies create credentials')
  const name = typed.trim().replace(/\s+/g, ' ')
  if (name === '' || name.length > maxName || /\p{Cc}/u.test(name)) return { ok: false, reason: 'name-invalid' }
  await lockCompany(scope.db, companyId)
  const members = await readMembers(scope.db, companyId)
  if (!members.some(({ id, role }) => id === memberId && orderingRoles.includes(role))) return { ok: false, reason: 'member-cannot-order' }
  const { identity, secret, hash } = newSecret()
  const made = { id: newId(), companyId, memberId, market: scope.market, protocol, name, identity, hash, createdBy }
  return (await insertCredential(scope.db, made, maxCredentials))
    ? { ok: true, identity, secret }
    : { ok: false, reason: 'too-many-credentials' }
}

/** At once and for good: sessions that it opened end with it. */
export async function dropCredential(scope: Scope, id: string): Promise<{ ok: true } | CredentialRefusal> {
  const companyId = companyOf(scope)
  const sessions = companyId !== null && isId(id) ? await revokeCredential(scope.db, id, companyId, scope.now) : undefined
  if (!sessions) return { ok: false, reason: 'unknown-credential' }
  await endPunchOutSessions(scope.db, sessions)
  return { ok: true }
}

/**
 * Revokes the credentials of a member who leaves the shop and of the companies closed with them, and deletes their visits, also those in
 * which a colleague's purchasing system named the person by e-mail address. A visit that names the buyer otherwise ends with its month.
 */
export async function forgetPunchOutOf(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  memberId: string,
  { companyIds, addresses }: { companyIds: readonly string[]; addresses: readonly string[] },
): Promise<void> {
  const credentials = await revokeCredentialsOf(db, memberId, companyIds, now)
  await endPunchOutSessions(db, await deleteVisits(db, credentials, addresses))
}
