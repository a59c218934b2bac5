import type { AuthProvider } from '@purlin/contract/identity.ts'
import { every, job } from '#platform'
import { endAtProvider } from './identity-client.ts'
import { followSignIn, type SignIn } from './ports.ts'
import { unseal } from './secrets.ts'
import { forgetExchangeTokens, forgetTokens } from './store.ts'

export const jobs = [
  job<{ provider: AuthProvider; sealed: string }>('auth.revoke', {
    call: async (_context, { provider, sealed }) => {
      const refreshToken = await unseal('token', sealed)
      if (refreshToken !== null) await endAtProvider(provider, refreshToken)
    },
    commit: async () => undefined,
  }),
  job<SignIn>('auth.follow-late', { commit: (scope, signIn) => followSignIn(scope, signIn) }),
]

export const schedules = [
  every(10 * 60_000, 'auth.forget-tokens', async ({ db }) => {
    await forgetTokens(db)
    await forgetExchangeTokens(db)
  }),
]
