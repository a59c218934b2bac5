import { addressReminderMail } from '@purlin/server/people/identity/index.ts'
import { asCommand, type Db } from '@purlin/server/foundation/platform/index.ts'
import { type Account, findAccount } from './accounts.ts'
import { applyChange } from './apply-change.ts'
import { siteOfAddress } from './language.ts'
import { type LinkSender, sendLink } from './mail-links.ts'
import { changesWaiting, endChange, lockChange, noteReminded, removeLapsedChanges } from './pending-change.ts'

const batch = 100

/**
 * Continues changes of address whose present address says nothing: it is reminded, and three days later the change takes effect, so
 * that an owner who has lost that mailbox is not kept from it. Changes that the new address has not confirmed in time end.
 */
export async function continueChanges(context: LinkSender['context'], stopped?: AbortSignal): Promise<void> {
  await removeLapsedChanges(context.pool.db)
  for (const owner of await changesWaiting(context.pool.db, batch)) {
    if (stopped?.aborted) return
    await asCommand(context.pool, ({ db }) => continueChange(context, db, owner))
  }
}

async function continueChange(context: LinkSender['context'], db: Db, owner: Pick<Account, 'realm' | 'id'>): Promise<void> {
  const change = await lockChange(db, owner)
  const account = await findAccount(db, owner.realm, owner.id)
  if (!account) {
    await endChange(db, owner)
    return
  }
  // Decided meanwhile, by a link or by another process.
  if (!change?.dueAt) return
  const { data, dueAt } = change
  const sender: LinkSender = { context, realm: owner.realm, site: siteOfAddress(context.hosts, data.shop) }
  if (await noteReminded(db, owner))
    await sendLink(sender, { purpose: 'agree-email', template: addressReminderMail, email: account.email, account, data }, db)
  else if (dueAt <= new Date()) await applyChange(sender, db, account, change)
}
