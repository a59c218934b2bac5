import { authState, onAuthState, type AuthState } from '../session/auth-state.ts'
import { happensWithin, report } from './happens-within.ts'

const patienceMs = 5000

/** The auth state once the session has been loaded, or could not be; after five seconds as it is then. */
export async function knownAuth(): Promise<AuthState> {
  const isKnown = await happensWithin(patienceMs, (known) => onAuthState(({ isAuthenticating }) => !isAuthenticating && known()))
  if (!isKnown) report('PAGE_VIEW_AUTH_WAIT', `${patienceMs} ms`)
  return authState()
}
