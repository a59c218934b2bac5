import type { AuthProvider } from '@purlin/contract/identity.ts'
import { forgetIdentity, readCustomer, signInsAlive } from '#accounts'
import { every, job } from '#platform'
import { endSealed, revokeJob } from './end-session.ts'
import { removeAccount } from './identity-client.ts'
import { followAddress, followAddressJob, followSignIn, type SignIn } from './ports.ts'
import { forgetExchangeTokens, forgetLogoutTokens, forgetTokens, readOldSignIns, takeTokens } from './store.ts'

export const jobs = [
  job<{ provider: AuthProvider; sealed: string }, void>(
    revokeJob,
    { call: ({ signal }, { provider, sealed }) => unlessAborted(signal, endSealed(provider, sealed)), commit: async () => undefined },
    'services',
  ),
  job<{ issuer: string; subject: string }, void>(
    'auth.remove-identity',
    {
      call: ({ signal }, { issuer, subject }) => unlessAborted(signal, removeAccount(issuer, subject)),
      commit: ({ db }, { issuer, subject }) => forgetIdentity(db, issuer, subject),
    },
    'services',
  ),
  job<SignIn>('auth.follow-late', { commit: (scope, signIn) => followSignIn(scope, signIn) }),
  job<{ customerId: string }>(followAddressJob, {
    commit: async (scope, { customerId }) => {
      const customer = await readCustomer(scope.db, customerId)
      if (customer && !customer.isClosed) await followAddress(scope, { into: `c:${customerId}`, email: customer.email })
    },
  }),
]

export const schedules = [
  every(10 * 60_000, 'auth.forget-tokens', async ({ db }) => {
    await forgetTokens(db)
    const ended = await readOldSignIns(db)
    const alive = new Set(await signInsAlive(db, ended))
    await takeTokens(
      db,
      ended.filter((id) => !alive.has(id)),
    )
    await forgetExchangeTokens(db)
    await forgetLogoutTokens(db)
  }),
]

/** Rejects when the signal aborts. What has been sent to the provider ends by its own timeout. */
function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return Promise.race([work, promise])
}
