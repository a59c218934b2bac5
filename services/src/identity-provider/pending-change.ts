import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'
import { type LinkData, linkMinutes } from './mail-links.ts'
import { spendPurposeOf } from './tokens.ts'

/** A change of address that waits for one side or both. An account has one at most. */
export interface PendingChange {
  email: string
  data: LinkData
  requestedAt: Date
  /** When the new address confirmed it. */
  confirmedAt: Date | null
  /** When the present address agreed to it. */
  agreedAt: Date | null
  /** When it takes effect unless the present address refuses it; null until the new one has confirmed it. */
  dueAt: Date | null
}

type Owner = Pick<Account, 'realm' | 'id'>

/** Days from the confirmation to the reminder, and from the reminder to the change: the second count begins when the mail is written. */
const reminderDays = 4
const lastDays = 3

const columns = `email, data, requested_at as "requestedAt", confirmed_at as "confirmedAt", agreed_at as "agreedAt",
  coalesce(reminded_at + interval '${lastDays} days', confirmed_at + interval '${reminderDays + lastDays} days') as "dueAt"`
const isOpen = `(confirmed_at is not null or requested_at > now() - interval '${linkMinutes.email} minutes')`

const start = {
  name: 'identity.change-start',
  text: `insert into identity.email_change (realm, account_id, email, data) values ($1, $2, $3, $4)
    on conflict (realm, account_id) do update set email = excluded.email, data = excluded.data, requested_at = now(),
      confirmed_at = null, agreed_at = null, reminded_at = null`,
}
const find = {
  name: 'identity.change',
  text: `select ${columns} from identity.email_change where realm = $1 and account_id = $2 and ${isOpen}`,
}
const lock = { name: 'identity.change-lock', text: `${find.text} for update` }
const confirm = {
  name: 'identity.change-confirm',
  text: 'update identity.email_change set confirmed_at = now() where realm = $1 and account_id = $2',
}
const agree = {
  name: 'identity.change-agree',
  text: 'update identity.email_change set agreed_at = now() where realm = $1 and account_id = $2',
}
const remove = { name: 'identity.change-remove', text: 'delete from identity.email_change where realm = $1 and account_id = $2' }

/** Puts a change in place of one that waits already, whose links end. */
export async function startChange(db: Db, owner: Owner, { email, data }: Pick<PendingChange, 'email' | 'data'>): Promise<void> {
  await db.run(start, [owner.realm, owner.id, email, data])
  await spendLinks(db, owner)
}

export function pendingChange(db: Db, { realm, id }: Owner): Promise<PendingChange | undefined> {
  return db.row<PendingChange>(find, [realm, id])
}

/** The change, locked until the end of the transaction. Comes before its links, so that both sides at the same moment wait for each other. */
export function lockChange(db: Db, { realm, id }: Owner): Promise<PendingChange | undefined> {
  return db.row<PendingChange>(lock, [realm, id])
}

/** The new address has confirmed the change. */
export async function noteConfirmed(db: Db, { realm, id }: Owner): Promise<void> {
  await db.run(confirm, [realm, id])
}

/** The present address has agreed to the change: its other links have nothing more to decide. */
export async function noteAgreed(db: Db, owner: Owner): Promise<void> {
  await db.run(agree, [owner.realm, owner.id])
  await spendPurposeOf(db, owner, 'agree-email')
}

/** Ends the change that waits, if there is one, with all its links. True if the new address had a link that it could still use. */
export async function endChange(db: Db, owner: Owner): Promise<boolean> {
  await db.run(remove, [owner.realm, owner.id])
  return spendLinks(db, owner)
}

async function spendLinks(db: Db, owner: Owner): Promise<boolean> {
  await spendPurposeOf(db, owner, 'agree-email')
  return (await spendPurposeOf(db, owner, 'email')) > 0
}

const removeLapsed = { name: 'identity.change-remove-lapsed', text: `delete from identity.email_change where not ${isOpen}` }

/** Removes changes that the new address has not confirmed in time. */
export async function removeLapsedChanges(db: Db): Promise<void> {
  await db.run(removeLapsed)
}

const mayRemind = `reminded_at is null and confirmed_at < now() - interval '${reminderDays} days'`
const waiting = {
  name: 'identity.changes-waiting',
  text: `select realm, account_id as id from identity.email_change
    where ${mayRemind} or reminded_at < now() - interval '${lastDays} days' order by confirmed_at limit $1`,
}
const remind = {
  name: 'identity.change-remind',
  text: `update identity.email_change set reminded_at = now() where realm = $1 and account_id = $2 and ${mayRemind}`,
}

/** Changes whose present address has not answered by the day of the reminder, or by the last day. */
export function changesWaiting(db: Db, most: number): Promise<Owner[]> {
  return db.rows<Owner>(waiting, [most])
}

/** True once for each change: its present address is to be reminded now. */
export async function noteReminded(db: Db, { realm, id }: Owner): Promise<boolean> {
  return (await db.run(remind, [realm, id])) === 1
}
