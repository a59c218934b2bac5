import { browserConsent } from '../consent/browser-consent.ts'
import { authState, onAuthState, type AuthState } from '../session/auth-state.ts'
import { reportToServer } from '../session/session-client.ts'

const patienceMs = 5000

/** The auth state once the session has been loaded; after five seconds as it is then. */
export async function knownAuth(): Promise<AuthState> {
  const isKnown = await new Promise<boolean>((resolve) => {
    let stop: (() => void) | undefined
    const end = (value: boolean) => {
      clearTimeout(late)
      stop?.()
      resolve(value)
    }
    const late = setTimeout(() => end(false), patienceMs)
    stop = onAuthState(({ hasRetrievedAuthStatus }) => hasRetrievedAuthStatus && end(true))
  })
  if (!isKnown && browserConsent().allows('statistics')) reportToServer('PAGE_VIEW_AUTH_WAIT', `no session after ${patienceMs} ms`)
  return authState()
}
