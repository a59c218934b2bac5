import { isEmail } from '@purlin/contract/email.ts'
import { authProviders, maxNameLength, type AuthProvider } from '@purlin/contract/identity.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { linkPerson, retireSession, startSession, type Identity, type SessionFamily } from '#accounts'
import { enqueue, type JobScope } from '#platform'
import { signOut } from './end-session.ts'
import type { Tokens } from './identity-client.ts'
import { followAddress, followSignIn, type SignIn } from './ports.ts'
import { insertToken, type SealedTokens } from './store.ts'

// A name the shop would not store is no reason to refuse the person.
const givenOrFamily = v.fallback(v.pipe(v.string(), v.trim(), v.maxLength(maxNameLength), v.regex(/^[^\p{Cc}\p{Cf}<>]*$/u)), '')

const claims = v.object({
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  email: v.pipe(v.string(), v.trim(), v.check(isEmail)),
  email_verified: v.literal(true),
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
  given_name: givenOrFamily,
  family_name: givenOrFamily,
  company_name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  vat_number: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40))),
  register_number: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40))),
})

export type Identified = { ok: true; identity: Identity } | { ok: false; reason: 'Verification' | 'OAuthCallback' }

/** The identity in a token's claims. An unverified address says nothing about its owner (A43). */
export function identityOf(
  provider: AuthProvider,
  { issuer, claims: given }: Pick<Tokens, 'issuer' | 'claims'>,
  market: Market,
): Identified {
  const parsed = v.safeParse(claims, given)
  if (!parsed.success) return { ok: false, reason: given?.['email_verified'] === true ? 'OAuthCallback' : 'Verification' }
  const { sub, email, name, given_name: givenName, family_name: familyName } = parsed.output
  const { company_name: company, vat_number: vatNumber = null, register_number: registerNumber = null } = parsed.output
  return {
    ok: true,
    identity: {
      realm: authProviders[provider],
      issuer,
      subject: sub,
      email,
      name: name || email.slice(0, email.indexOf('@')),
      ...(givenName && familyName && { names: { givenName, familyName } }),
      market,
      ...(company && { company: { name: company, country: markets[market].country, vatNumber, registerNumber } }),
    },
  }
}

const authTime = v.object({ auth_time: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/** The time at which the person last proved to the provider who they are; null if it does not say, and never in the future. */
export function authTimeOf({ claims: given }: Pick<Tokens, 'claims'>): Date | null {
  const parsed = v.safeParse(authTime, given)
  return parsed.success ? new Date(Math.min(parsed.output.auth_time * 1000, Date.now())) : null
}

export interface FinishSignIn {
  provider: AuthProvider
  family: SessionFamily
  identity: Identity
  /** Sealed: the stored values are useless without the secret. */
  tokens: Omit<SealedTokens, 'provider'>
  freshUntil: Date | null
  /** From the provider's claim `auth_time`. */
  authenticatedAt: Date | null
  /** The provider's session, if its ID token names one. */
  sid: string | null
  /** The session of the guest who signs in. */
  guestSession: string | null
  /** The session of a person already signed in, which this one replaces. */
  endedSession: string | null
}

/** Completes a sign-in: finds or creates the person, starts a session under a new id, and moves what belonged to the guest. */
export async function finishSignIn(
  scope: JobScope,
  { provider, family, identity, tokens, freshUntil, authenticatedAt, sid, guestSession, endedSession }: FinishSignIn,
): Promise<{ ok: true; token: string } | { ok: false; reason: 'AccessDenied' }> {
  const person = await linkPerson(scope, identity)
  if (!person) return { ok: false, reason: 'AccessDenied' }
  const { token, signInId } = await startSession(scope.db, { family, person, provider, freshUntil, authenticatedAt })
  await insertToken(scope.db, signInId, { provider, ...tokens }, sid)
  if (endedSession !== null) await signOut(scope, endedSession, true)
  if (guestSession !== null && person.kind === 'customer' && family !== 'staff') {
    await followGuest(scope, guestSession, { into: `c:${person.id}`, storefront: family, email: identity.email })
  }
  // Their address may have changed since the last sign-in.
  if (person.kind === 'customer') await followAddress(scope, { into: `c:${person.id}`, email: identity.email })
  return { ok: true, token }
}

/** Moves the guest's belongings into the account and ends the guest's session. */
export async function followGuest(scope: JobScope, guestSession: string, customer: Omit<SignIn, 'from'>): Promise<void> {
  const signIn: SignIn = { from: `s:${guestSession}`, ...customer }
  await followSignIn(scope, signIn)
  await retireSession(scope.db, guestSession)
  // A request in another tab may still add to the guest's cart.
  await enqueue(scope.db, { name: 'auth.follow-late', key: guestSession, payload: signIn, runAt: new Date(Date.now() + 75_000) })
}
