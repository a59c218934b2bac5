import { followSession, loadAfterSignIn } from '../session/session-client.ts'

/** Every page follows the session of its visitor, whom the page itself does not know. What follows a sign-in no guest ever loads. */
export function enhance(): void {
  const requests = () => import('../session/customer-requests.ts')
  loadAfterSignIn(async () => (await requests()).loadSegments())
  loadAfterSignIn(async () => (await requests()).loadOptInStatus())
  followSession()
}
