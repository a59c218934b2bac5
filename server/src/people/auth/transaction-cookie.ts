import { isAuthProvider, type AuthProvider } from '@purlin/contract/identity.ts'
import * as v from 'valibot'
import { seal, unseal } from './secrets.ts'

/** A sign-in in progress, as kept by the browser: encrypted, for ten minutes, one cookie per tab. */
export interface SignInTransaction {
  provider: AuthProvider
  state: string
  nonce: string
  verifier: string
  /** Path on this site. */
  callback: string
  /** Milliseconds; a cookie can outlive its expiry. */
  until: number
}

export const transactionSeconds = 600
/** Maximum number of tabs signing in concurrently; more cookies would fill the header. */
export const maxTransactions = 3

const shape = v.object({
  provider: v.custom<AuthProvider>(isAuthProvider),
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  callback: v.string(),
  until: v.number(),
})

/** Suffix of the cookie's name, so that tabs do not interfere with each other. */
export function transactionName(state: string): string {
  return `sign-in-${/^[\w-]{10,}$/.test(state) ? state.slice(0, 10) : ''}`
}

export function sealTransaction(transaction: SignInTransaction): Promise<string> {
  return seal('sign-in', JSON.stringify(transaction))
}

/** Null for values not sealed here, expired, or belonging to another sign-in. */
export async function openTransaction(
  cookie: string,
  { state, provider, now }: { state: string; provider: AuthProvider; now: number },
): Promise<SignInTransaction | null> {
  const text = cookie === '' ? null : await unseal('sign-in', cookie)
  const parsed = text === null ? null : v.safeParse(shape, JSON.parse(text))
  if (!parsed?.success) return null
  const transaction = parsed.output
  return transaction.state === state && transaction.provider === provider && transaction.until > now ? transaction : null
}
