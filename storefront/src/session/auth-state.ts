import type { CustomerProfileFragment, GetCustomerSegmentsQuery } from '../generated/documents.ts'

export type CustomerSegments = NonNullable<GetCustomerSegmentsQuery['customerSegments']>

/** Auth state of the browser. Source: spec §3, R-299…R-305. */
export interface AuthState {
  isAuthenticated: boolean
  /** True until the session has been loaded for the first time. */
  isAuthenticating: boolean
  isB2B: boolean
  isB2C: boolean
  isGuest: boolean
  userId: string | null
  email: string | null
  given_name: string | null
  provider: string | null
  /** Whether the last call for the session received it. */
  hasRetrievedAuthStatus: boolean
  hasRetrievedCustomerSegments: boolean
  optin_status: { email: boolean; sms: boolean } | null
  segments: Readonly<CustomerSegments> | null
  /** RefreshAccessTokenError or MissingToken. */
  error: string | null
  /** The customer's own details; null after a failed request, absent until the first. */
  customerManagement?: { profile: CustomerProfileFragment | null }
  /** The customer's purchase band, with the segments. */
  cluster?: CustomerSegments['cluster']
  /** The saved card whose deletion is to be confirmed. */
  savedCardModal?: { id: string; name: string } | null
}

/** The body of `GET session`. */
export interface SessionJson {
  user?: { id: string; email: string; given_name: string }
  role?: string
  provider?: string
  error?: string
}

const nobody: AuthState = {
  isAuthenticated: false,
  isAuthenticating: true,
  isB2B: false,
  isB2C: false,
  isGuest: true,
  userId: null,
  email: null,
  given_name: null,
  provider: null,
  hasRetrievedAuthStatus: false,
  hasRetrievedCustomerSegments: false,
  optin_status: null,
  segments: null,
  error: null,
}

let state = nobody
const listeners = new Set<(state: AuthState) => void>()

export function authState(): AuthState {
  return state
}

/** Calls back at once and at every change; returns a function that stops it. */
export function onAuthState(listener: (state: AuthState) => void): () => void {
  listeners.add(listener)
  listener(state)
  return () => void listeners.delete(listener)
}

export function changeState(change: Partial<AuthState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener(state)
}

/**
 * Sets the state from a session; an empty one clears it. So does null, for a call that failed: whether anybody is signed in
 * is unknown then, and `hasRetrievedAuthStatus` is false.
 */
export function takeSession(session: SessionJson | null): void {
  const { user, role, provider, error } = session ?? {}
  const known = { isAuthenticating: false, hasRetrievedAuthStatus: session !== null }
  const isEnded = !user || error === 'RefreshAccessTokenError'
  // Nothing of one customer is left for the next, or for a guest.
  if (isEnded || (state.userId && state.userId !== user.id)) state = nobody
  if (isEnded) return changeState({ ...known, error: error ?? null })
  changeState({
    ...known,
    isAuthenticated: true,
    isGuest: false,
    isB2B: role === 'b2b',
    isB2C: role === 'b2c',
    userId: user.id,
    email: user.email,
    given_name: user.given_name,
    provider: provider ?? null,
    error: error ?? null,
  })
}
