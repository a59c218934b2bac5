import { doubtSessionsOfIdentity, failSessionsOfIdentity } from '#accounts'
import type { Db } from '#platform'
import { followConfirmedEmail } from './ports.ts'
import { refreshError } from './refresh-session.ts'

/** Changes that the embedded identity provider reports in its own transactions, so that the shop need not wait for the next refresh. */

interface Identity {
  issuer: string
  subject: string
}

/** All sessions have ended at the provider: those of the shop end with them. */
export async function sessionsEnded(db: Db, { issuer, subject }: Identity): Promise<void> {
  await failSessionsOfIdentity(db, issuer, subject, refreshError)
}

/** Some sessions have ended at the provider: the next request of each asks it. */
export async function someSessionsEnded(db: Db, { issuer, subject }: Identity): Promise<void> {
  await doubtSessionsOfIdentity(db, issuer, subject)
}

/** The provider has confirmed another e-mail address. */
export async function emailChanged(db: Db, { issuer, subject }: Identity, email: string): Promise<void> {
  await followConfirmedEmail(db, issuer, subject, email)
}
