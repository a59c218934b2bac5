import { authProviders, identityClientId, issuerOf, type AuthProvider } from '@purlin/contract/identity.ts'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as v from 'valibot'
import { failSessions } from '#accounts'
import { settings, type Db, type JobScope } from '#platform'
import { keysOf, providerOfIssuer } from './identity-client.ts'
import { sessionsEnded, someSessionsEnded } from './provider-news.ts'
import { refreshError } from './refresh-session.ts'
import { receiveLogoutToken, signInsBySid, takeTokens } from './store.ts'

/**
 * OpenID Connect Back-Channel Logout 1.0: an identity provider such as Keycloak reports by a signed token that a session has ended
 * there, or all of a person's. The embedded provider has a way of its own (`provider-news.ts`).
 */

/** Without an `exp` that is sooner, a token counts for this long. */
const maxAge = '5 minutes'
const toleranceSeconds = 30
const maxTokenLength = 8192
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(255))
const claims = v.pipe(
  v.object({
    jti: text,
    sub: v.optional(text),
    sid: v.optional(text),
    events: v.object({ [logoutEvent]: v.record(v.string(), v.unknown()) }),
    // An ID token has one, and must not pass for a logout token.
    nonce: v.optional(v.undefined()),
  }),
  v.check(({ sub, sid }) => sub !== undefined || sid !== undefined),
)

export interface LogoutToken {
  provider: AuthProvider
  issuer: string
  jti: string
  sub: string | undefined
  sid: string | undefined
}

/** A token that proves nothing. */
export class InvalidLogoutToken extends Error {}

/** The verified contents of a logout token. @throws InvalidLogoutToken, ProviderUnavailable */
export async function verifyLogoutToken(token: unknown): Promise<LogoutToken> {
  if (typeof token !== 'string' || token.length > maxTokenLength) throw new InvalidLogoutToken('There is no token')
  const provider = providerOfIssuer(issuerIn(token))
  // A made-up issuer must not make this server call anything.
  if (!provider) throw new InvalidLogoutToken('The issuer is not ours')
  const issuer = issuerOf(settings().identity.url, authProviders[provider])
  const keys = createLocalJWKSet(await keysOf(provider))
  const verified = await jwtVerify(token, keys, {
    issuer,
    audience: identityClientId,
    algorithms,
    maxTokenAge: maxAge,
    clockTolerance: toleranceSeconds,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: unknown) => {
    throw new InvalidLogoutToken(String(error))
  })
  const { typ } = verified.protectedHeader
  if (typ !== undefined && !/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ))
    throw new InvalidLogoutToken(`A token of type ${typ.slice(0, 40)}`)
  const parsed = v.safeParse(claims, verified.payload)
  if (!parsed.success) throw new InvalidLogoutToken('The claims are not those of a logout token')
  const { jti, sub, sid } = parsed.output
  return { provider, issuer, jti, sub, sid }
}

function issuerIn(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return ''
  }
}

/** Ends the sessions that a token names; false for one that has been received before. */
export async function endSessionsByToken({ db }: Pick<JobScope, 'db'>, { provider, issuer, jti, sub, sid }: LogoutToken): Promise<boolean> {
  if (!(await receiveLogoutToken(db, issuer, jti))) return false
  if (sid !== undefined) await endSid(db, { provider, issuer, sub, sid })
  else if (sub !== undefined) await sessionsEnded(db, { issuer, subject: sub })
  return true
}

async function endSid(db: Db, { provider, issuer, sub, sid }: Omit<LogoutToken, 'jti' | 'sid'> & { sid: string }): Promise<void> {
  const signInIds = await signInsBySid(db, provider, sid)
  for (const signInId of signInIds) await failSessions(db, signInId, refreshError)
  await takeTokens(db, signInIds)
  // A sign-in of before its session was noted: the next request of each of the person's sessions asks the provider.
  if (signInIds.length === 0 && sub !== undefined) await someSessionsEnded(db, { issuer, subject: sub })
}
