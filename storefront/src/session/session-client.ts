import { callApi } from './api-client.ts'
import { authState, changeState, takeSession, type AuthState, type SessionJson } from './auth-state.ts'
import { pageFacts } from './page-facts.ts'

/** Our own client of the session service; does what next-auth's does, and what that leaves to others. */

const base = '/api/auth/'
/** Broadcast to the other tabs of this browser. */
const broadcastKey = 'purlin.session'
const callbackKey = 'purlin.callback'
const newSession = 'purlin_new_session'
const patienceMs = 5000

declare global {
  interface Window {
    dataLayer?: object[]
  }
}

type Loader = (state: AuthState) => Promise<Partial<AuthState>>
const loaders: Loader[] = []

/** Loaded after sign-in, such as segments; each can succeed or fail independently. */
export function loadAfterSignIn(loader: Loader): void {
  loaders.push(loader)
}

function form(path: string, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ json: 'true', ...fields })
  return fetch(base + path, { method: 'POST', body })
}

/** Never throws: a failed report is not worth a second error. */
export function reportToServer(code: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  form('_log', { level: 'error', code, error: message, url: location.pathname }).catch(() => undefined)
}

async function read<Body>(path: string): Promise<Body> {
  const answer = await callApi(base + path)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return (await answer.json()) as Body
}

async function csrfToken(): Promise<string> {
  return (await read<{ csrfToken: string }>('csrf')).csrfToken
}

/** Sends a form with a callback; without it if that is refused. Returns where to go, and throws if the service refuses both. */
async function addressFrom(path: string, callbackUrl: string): Promise<string> {
  const csrf = await csrfToken()
  let answer: Response | undefined
  for (const callback of [callbackUrl, '/']) {
    answer = await form(path, { csrfToken: csrf, callbackUrl: callback })
    if (answer.ok) return ((await answer.json()) as { url: string }).url
  }
  throw new Error(`${path} answered ${answer?.status}`)
}

/** Loads the current session. An error clears the state and is reported to the server. */
export async function fetchSession(): Promise<AuthState> {
  const before = authState().userId
  try {
    takeSession(await read<SessionJson>('session'))
  } catch (error) {
    takeSession(null)
    reportToServer('CLIENT_FETCH_ERROR', error)
  }
  const state = authState()
  if (state.isAuthenticated) sayLogin(state)
  if (state.userId && state.userId !== before) void loadRest(state)
  if (state.error === 'RefreshAccessTokenError') await leave()
  return authState()
}

async function loadRest(state: AuthState): Promise<void> {
  const answers = await Promise.allSettled(loaders.map((load) => load(state)))
  if (authState().userId !== state.userId) return
  for (const answer of answers) {
    if (answer.status === 'fulfilled') changeState(answer.value)
    else reportToServer('CUSTOMER_FETCH_ERROR', answer.reason)
  }
}

/** Once after a sign-in: the cookie that signals it is deleted. */
function sayLogin({ provider }: AuthState): void {
  if (!document.cookie.includes(`${newSession}=`)) return
  document.cookie = `${newSession}=; path=/; max-age=0`
  try {
    sessionStorage.removeItem(callbackKey)
  } catch {}
  ;(window.dataLayer ??= []).push({ event: 'login', method: provider })
  broadcast()
}

function broadcast(): void {
  // Private windows may have no storage; the other tabs then notice when they become visible.
  try {
    // With milliseconds and a nonce, so that two messages within a second differ.
    localStorage.setItem(broadcastKey, JSON.stringify({ at: Date.now(), nonce: Math.random() }))
  } catch {}
}

let first: Promise<unknown> | undefined
let refreshing: Promise<boolean> | undefined

/** Refreshes the session; concurrent callers share one refresh. True when the customer is still signed in. */
export function refreshSession(): Promise<boolean> {
  return (refreshing ??= update({ type: 'refresh' })
    .catch(() => false)
    .finally(() => (refreshing = undefined)))
}

/** `update` of the session: `refresh` or `role`. */
export async function update(data: { type: 'refresh' | 'role' }): Promise<boolean> {
  const answer = await callApi(`${base}session`, { body: { csrfToken: await csrfToken(), data } })
  if (!answer.ok) throw new Error(`session answered ${answer.status}`)
  takeSession((await answer.json()) as SessionJson)
  broadcast()
  return authState().isAuthenticated
}

/** Redirects to the sign-in page and back to this address, which is also stored in this tab. */
export function goToSignIn(error?: string): void {
  try {
    sessionStorage.setItem(callbackKey, location.href)
  } catch {}
  location.assign(`${base}signin?${new URLSearchParams({ callbackUrl: location.href, ...(error && { error }) })}`)
}

/** At the provider with this name; for an unknown one, at the sign-in page. */
export async function signIn(provider?: string, callbackUrl = location.href): Promise<void> {
  const providers = await read<Record<string, object>>('providers').catch(() => ({}))
  if (Object.keys(providers).length === 0) return location.assign(`${base}error`)
  if (!provider || !Object.hasOwn(providers, provider)) return goToSignIn()
  location.assign(await addressFrom(`signin/${provider}`, callbackUrl).catch(() => `${base}error`))
}

/** Signs out here, and at the identity provider without a redirect. Returns where to go; throws if nobody was signed out. */
export async function signOut({ redirect = true, callbackUrl = location.href } = {}): Promise<string> {
  const url = await addressFrom('signout', callbackUrl)
    .then((address) => {
      // A refused CSRF token, which is no error for the service.
      if (address.endsWith(`${base}signout?csrf=true`)) throw new Error('signout refused the token')
      return address
    })
    .catch((error: unknown) => {
      // The page that asks whether to sign out: it shows that the session lives on, and can end it without scripts.
      if (redirect) location.assign(`${base}signout`)
      throw error
    })
  broadcast()
  if (redirect) location.assign(url)
  else await fetchSession()
  return url
}

/** Leaves a protected page when the session ends; elsewhere visitors continue as guests. */
export async function leave(): Promise<void> {
  if (pageFacts().isProtected) return goToSignIn('SessionRequired')
  await signOut({ redirect: false }).catch(() => takeSession(null))
}

/** A page that needs a session requires a sign-in. */
export async function requireSession(): Promise<void> {
  if (!(await fetchSession()).isAuthenticated) goToSignIn('SessionRequired')
}

/**
 * A call on behalf of a signed-in customer: after a 401 the session is refreshed and the call repeated once; after a
 * second 401 they are signed out.
 */
export async function authorized<Answer>(call: () => Promise<Answer>, isRefused: (answer: Answer) => boolean): Promise<Answer> {
  const answer = await call()
  if (!isRefused(answer)) return answer
  // Called before the session has been loaded.
  await first
  if (!authState().isAuthenticated) return answer
  const again = (await refreshSession()) ? await call() : answer
  if (isRefused(again)) await leave()
  return again
}

/** Keeps the session up to date: now, when the tab becomes visible, and when another tab changes it. */
export function followSession(): void {
  const waiting = setTimeout(() => reportToServer('AUTH_WAIT', `no session after ${patienceMs} ms`), patienceMs)
  first = fetchSession().finally(() => clearTimeout(waiting))
  document.addEventListener('visibilitychange', () => void (document.visibilityState === 'visible' && fetchSession()))
  addEventListener('storage', ({ key }) => void (key === broadcastKey && fetchSession()))
}
