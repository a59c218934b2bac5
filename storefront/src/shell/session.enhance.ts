import { followSession } from '../session/session-client.ts'

/** Every page follows the session of its visitor, whom the page itself does not know. */
export function enhance(): void {
  followSession()
}
