import { followSession, loadAfterSignIn } from '../session/session-client.ts'

/** Every page loads its visitor's session, which the page itself does not know. Code for signed-in customers is never loaded by guests. */
export function enhance(): void {
  const requests = () => import('../session/customer-requests.ts')
  loadAfterSignIn(async () => (await requests()).loadSegments())
  loadAfterSignIn(async () => (await requests()).loadOptInStatus())
  followSession()
}
