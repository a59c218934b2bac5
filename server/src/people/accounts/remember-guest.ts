import type { Scope } from '#platform'
import { setGuestEmail } from './store.ts'

/** Stores the e-mail address of this session's guest. The caller has validated it. */
export async function rememberGuest({ db, principal, session }: Scope, email: string): Promise<void> {
  if (principal.kind !== 'guest' || !session) throw new Error('Only a guest with a session can be given an e-mail address')
  await setGuestEmail(db.alone, session, email)
  principal.email = email
}
