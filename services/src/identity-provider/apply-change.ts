import { randomUUID } from 'node:crypto'
import { sendMail } from '@purlin/server/foundation/mail/index.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { emailChanged } from '@purlin/server/people/auth/provider-news.ts'
import { type AddressNews, addressNewsMail, movedAddressMail } from '@purlin/server/people/identity/index.ts'
import { type Account, writeEmail } from './accounts.ts'
import { type LinkData, type LinkSender, mailKeyOf, sendLink } from './mail-links.ts'
import { type PendingChange, endChange } from './pending-change.ts'
import { identityOf } from './sessions.ts'
import { spendTokensOf } from './tokens.ts'
import { mailSiteOf } from './visit.ts'

const dayMs = 86_400_000

export interface UndoData extends LinkData {
  /** ISO 8601, a day before the change was requested: factors added since may be somebody else's. */
  at: string
}

/**
 * Writes the new address, with a link to the former one that undoes it. Ends the change either way: false if the new address has an
 * account of its own by now. The change must be locked.
 */
export async function applyChange(sender: LinkSender, db: Db, account: Account, change: PendingChange): Promise<boolean> {
  const { email, data, requestedAt } = change
  await endChange(db, account)
  if (!(await writeEmail(db, account, email))) {
    await sendNews(sender, db, account, account.email, 'failed')
    return false
  }
  await emailChanged(db, identityOf(sender.context, account), email)
  // Links to either address were sent for the account as it was.
  for (const each of [account.email, email]) await spendTokensOf(db, account.realm, each)
  const undo: UndoData = { ...data, at: new Date(requestedAt.getTime() - dayMs).toISOString() }
  await sendLink(sender, { purpose: 'undo-email', template: movedAddressMail, email: account.email, account, data: undo }, db)
  await sendNews(sender, db, account, email, 'changed')
  return true
}

/** A mail without a link about the change of an account's address, to one of the two. */
export async function sendNews(sender: LinkSender, db: Db, account: Account, to: string, news: AddressNews): Promise<void> {
  const payload = { name: to === account.email ? account.givenName : null, news }
  await sendMail({ db }, addressNewsMail, { to, site: mailSiteOf(sender), payload, key: mailKeyOf(account, randomUUID()) })
}
