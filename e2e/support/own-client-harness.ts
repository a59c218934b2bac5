/** In the browser: our own client of the session service, for `auth-clients.ts`. */
import { GetOptInStatusDocument } from '../../storefront/src/generated/documents.ts'
import { callApi } from '../../storefront/src/session/api-client.ts'
import { authState, onAuthState } from '../../storefront/src/session/auth-state.ts'
import { loadOptInStatus, loadSegments, updateSegments } from '../../storefront/src/session/customer-requests.ts'
import { customerProfile, loadProfile, profileFetch } from '../../storefront/src/session/customer-flows.ts'
import { ask, CallFailure } from '../../storefront/src/session/graphql-client.ts'
import { followSession, loadAfterSignIn, requireSession, signIn, signOut, update } from '../../storefront/src/session/session-client.ts'
import type { Harness } from './auth-clients.ts'

const harness: Harness = {
  history: [],
  session: null,
  providers: async () => Object.keys((await (await fetch('/api/auth/providers')).json()) as object),
  signIn,
  signOut: () => signOut({ redirect: false }),
  leave: async (callbackUrl) => void (await signOut({ callbackUrl })),
  update: (data) => update(data as { type: 'refresh' }),
}
window.harness = harness
const steps: string[] = []
profileFetch.follow(({ step }) => steps.push(step))
window.customer = {
  initial: authState(),
  state: authState,
  call: (address, options) =>
    callApi(address, options).then(
      async (answer) => `${answer.status} ${await answer.text()}`,
      (error: unknown) => String(error),
    ),
  ask: (timeoutMs) =>
    ask(GetOptInStatusDocument, {}, { ...(timeoutMs !== undefined && { timeoutMs }) }).then(
      (data) => Object.keys(data).join(),
      (error: unknown) => (error instanceof CallFailure ? error.code : String(error)),
    ),
  updateSegments,
  profile: async () => {
    await loadProfile()
    const state = profileFetch.state()
    return { email: customerProfile()?.email ?? null, steps, error: state.step === 'failure' ? String(state.error) : null }
  },
}
// Staff are no customers: their session may load neither.
if (!('office' in document.documentElement.dataset)) {
  loadAfterSignIn(loadSegments)
  loadAfterSignIn(loadOptInStatus)
}

onAuthState(({ isAuthenticating, isAuthenticated, email, provider, error }) => {
  const status = isAuthenticating ? 'loading' : isAuthenticated ? 'authenticated' : 'unauthenticated'
  if (harness.history.at(-1) !== status) harness.history.push(status)
  harness.session = email === null ? null : { user: { email }, ...(provider !== null && { provider }), ...(error !== null && { error }) }
})
if (location.search.includes('required')) void requireSession()
else followSession()
