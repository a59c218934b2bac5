import type { Scope } from '#platform'
import { setGuestEmail } from './store.ts'

/** The guest of this session says who they are. The address has been checked before. */
export async function rememberGuest({ db, principal, session }: Scope, email: string): Promise<void> {
  if (principal.kind !== 'guest' || !session) throw new Error('Only a guest with a session is remembered by an e-mail address')
  await setGuestEmail(db.alone, session, email)
  principal.email = email
}
