import type { AuthProvider } from '@purlin/contract/identity.ts'
import { isPasswordFault, type CredentialsRefusal } from '@purlin/contract/credentials.ts'
import * as v from 'valibot'
import { settings } from '#platform'
import { adminOf, knowsPassword, ProviderUnavailable, type AdminCall } from './identity-client.ts'

export interface PasswordChange {
  /** The account at the provider. */
  subject: string
  email: string
  current: string
  next: string
  /** The provider's session that continues. */
  sid: string | undefined
}

/**
 * Changes a password at the provider, which counts wrong ones, judges the new one, and ends the account's other sessions; null when it is
 * changed. @throws ProviderUnavailable
 */
export async function changePasswordAt(provider: AuthProvider, change: PasswordChange): Promise<CredentialsRefusal | null> {
  return settings().identity.isEmbedded ? atEmbedded(provider, change) : atKeycloak(provider, change)
}

const refusal = v.object({ error: v.string(), minutes: v.optional(v.number()) })

/** The embedded provider verifies the current password in the same call. */
async function atEmbedded(provider: AuthProvider, { subject, current, next, sid }: PasswordChange): Promise<CredentialsRefusal | null> {
  const admin = await adminOf(provider)
  const response = await admin('PUT', `users/${subject}/reset-password`, { type: 'password', value: next, currentPassword: current, sid })
  if (response.status === 204) return null
  const { error, minutes } = v.parse(refusal, await bodyOf(response))
  return { reason: isPasswordFault(error) ? error : 'unavailable', ...(minutes !== undefined && { minutes }) }
}

/**
 * A Keycloak verifies the current password by a grant of its own, which its brute force detection counts; then it judges the new one by
 * the realm's policy.
 */
async function atKeycloak(
  provider: AuthProvider,
  { subject, email, current, next, sid }: PasswordChange,
): Promise<CredentialsRefusal | null> {
  if (!(await knowsPassword(provider, email, current))) return { reason: 'current-wrong' }
  const admin = await adminOf(provider)
  const user = `users/${encodeURIComponent(subject)}`
  const response = await admin('PUT', `${user}/reset-password`, { type: 'password', value: next, temporary: false })
  if (response.status === 400) return { reason: policyFault(v.parse(refusal, await bodyOf(response)).error) }
  if (response.status !== 204) throw new ProviderUnavailable(`The change of a password was answered with ${response.status}`)
  await endOtherSessionsAt(admin, user, sid)
  return null
}

const sessionList = v.array(v.object({ id: v.string() }))

async function endOtherSessionsAt(admin: AdminCall, user: string, sid: string | undefined): Promise<void> {
  const sessions = v.parse(sessionList, await bodyOf(await admin('GET', `${user}/sessions`)))
  for (const { id } of sessions) if (id !== sid) await admin('DELETE', `sessions/${encodeURIComponent(id)}`)
}

/** Keycloak's names of password policies. */
function policyFault(error: string): CredentialsRefusal['reason'] {
  if (error.includes('MinLength')) return 'too-short'
  if (error.includes('MaxLength')) return 'too-long'
  if (error.includes('Blacklisted')) return 'breached'
  return /NotUsername|NotEmail|NotContainsUsername/.test(error) ? 'personal' : 'weak'
}

async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw new ProviderUnavailable('The identity provider did not answer in JSON', { cause: error })
  })
}
