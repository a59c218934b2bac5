import { randomUUID } from 'node:crypto'
import { sendMail } from '@purlin/server/foundation/mail/index.ts'
import { type SecurityChange, securityChangeMail } from '@purlin/server/people/identity/index.ts'
import type { Account } from './accounts.ts'
import { mailKeyOf } from './mail-links.ts'
import { mailSiteOf } from './visit.ts'

/** Notifies the owner that the credentials of their account have changed. */
export async function notifyOwner(
  visit: Parameters<typeof mailSiteOf>[0],
  db: Parameters<typeof sendMail>[0]['db'],
  account: Account,
  change: SecurityChange,
): Promise<void> {
  const { email, givenName } = account
  const order = { to: email, site: mailSiteOf(visit), payload: { name: givenName, change }, key: mailKeyOf(account, randomUUID()) }
  await sendMail({ db }, securityChangeMail, order)
}
