import type { Scope } from '#platform'
import { setGuestEmail } from './store.ts'

/** The guest of this session says who they are. The address has been checked before. */
export async function rememberGuest(scope: Scope, email: string): Promise<void> {
  if (!scope.session) throw new Error('A guest is remembered in a session, and there is none')
  await setGuestEmail(scope.db, scope.session, email)
  scope.session.guestEmail = email
}
