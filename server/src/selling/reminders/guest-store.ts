import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface GuestReminder {
  id: string
  owner: string
  market: Market
  mode: Mode
  /** Null once the reminder has been sent. */
  email: string | null
  emailHash: string
  token: string
  /** What was agreed to. */
  wording: string
  agreedAt: Date
  /** Null until the owner of the address has confirmed it, where that is needed. */
  confirmedAt: Date | null
  remindedAt: Date | null
}

/** An address that nobody has confirmed by then was somebody else's, or is not wanted. */
const confirmDays = 7
/** A basket that still changes after this is not the one that was left. */
export const consentDays = 30
/** As long as the session that holds the basket. */
const proofDays = 60
/** An address gets one reminder in so many days, whatever the number of baskets. */
const pauseDays = 7

const columns = `id, owner, market, mode, email, email_hash as "emailHash", token, wording, agreed_at as "agreedAt", confirmed_at as "confirmedAt",
  reminded_at as "remindedAt"`
const put = {
  name: 'reminders.guest-agrees',
  text: `insert into reminders.guest as g (id, owner, market, mode, email, email_hash, token, wording, agreed_at, confirmed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (owner) do update set id = excluded.id, market = excluded.market, mode = excluded.mode, email = excluded.email,
      email_hash = excluded.email_hash, token = excluded.token, wording = excluded.wording, agreed_at = excluded.agreed_at,
      confirmed_at = excluded.confirmed_at, reminded_at = null`,
}
const ofOwner = { name: 'reminders.guest-of-owner', text: `select ${columns} from reminders.guest where owner = $1 for update` }
const agreed = { name: 'reminders.guest-agreed', text: 'select 1 from reminders.guest where owner = $1 and reminded_at is null' }
const byId = { name: 'reminders.guest-by-id', text: `select ${columns} from reminders.guest where id = $1 for update` }
const confirm = {
  name: 'reminders.guest-confirms',
  text: `update reminders.guest set confirmed_at = $2 where token = $1 and confirmed_at is null and reminded_at is null
      and agreed_at > $2::timestamptz - interval '${confirmDays} days' returning id`,
}
const reminded = {
  name: 'reminders.guest-reminded',
  text: 'update reminders.guest set reminded_at = $2, email = null where id = $1',
}
const pause = {
  name: 'reminders.guest-pause',
  text: `insert into reminders.guest_pause as p (email_hash, until) values ($1, $2::timestamptz + interval '${pauseDays} days')
    on conflict (email_hash) do update set until = excluded.until where p.until <= $2 returning email_hash`,
}
const endPause = { name: 'reminders.end-pause', text: 'delete from reminders.guest_pause where email_hash = $1' }
const endPauses = { name: 'reminders.end-pauses', text: 'delete from reminders.guest_pause where until < $1' }
const removeById = { name: 'reminders.delete-guest-by-id', text: 'delete from reminders.guest where id = $1' }
const remove = { name: 'reminders.delete-guest', text: 'delete from reminders.guest where owner = $1 returning id' }
const removeByToken = {
  name: 'reminders.delete-guest-by-token',
  text: 'delete from reminders.guest where email_hash = (select email_hash from reminders.guest where token = $1) returning id',
}
const removeByHash = {
  name: 'reminders.delete-guest-by-email',
  text: `delete from reminders.guest where email_hash = $1 and agreed_at <= coalesce($2, 'infinity'::timestamptz) returning id`,
}
const ofEmail = {
  name: 'reminders.guest-of-email',
  text: `select ${columns} from reminders.guest where email_hash = $1 and agreed_at <= coalesce($2, 'infinity'::timestamptz) order by agreed_at, id`,
}
const forget = {
  name: 'reminders.forget-guests',
  text: `delete from reminders.guest where (reminded_at is null and confirmed_at is null and agreed_at < $1::timestamptz - interval '${confirmDays} days')
      or (reminded_at is null and agreed_at < $1::timestamptz - interval '${consentDays} days')
      or reminded_at < $1::timestamptz - interval '${proofDays} days' returning id`,
}

/** Stores a guest's consent; it replaces that for the basket before. */
export async function writeGuest(db: Db, guest: Omit<GuestReminder, 'remindedAt'>): Promise<void> {
  const { id, owner, market, mode, email, emailHash, token, wording, agreedAt, confirmedAt } = guest
  await db.run(put, [id, owner, market, mode, email, emailHash, token, wording, agreedAt, confirmedAt])
}

export const readGuestOf = (db: Db, owner: string): Promise<GuestReminder | undefined> => db.row(ofOwner, [owner])
export const readGuest = (db: Db, id: string): Promise<GuestReminder | undefined> => db.row(byId, [id])

/** Whether a guest's basket will be reminded of. */
export async function hasGuestAgreed(db: Db, owner: string): Promise<boolean> {
  return (await db.row(agreed, [owner])) !== undefined
}

/** Returns the id of the consent that the link of a mail has confirmed. */
export async function confirmGuest(db: Db, token: string, now: Date): Promise<string | null> {
  return (await db.row<{ id: string }>(confirm, [token, now]))?.id ?? null
}

/** Notes the reminder and clears the address. */
export async function noteGuestReminder(db: Db, id: string, at: Date): Promise<void> {
  await db.run(reminded, [id, at])
}

/** Whether the address may get a reminder now: true once in the days of the pause, whichever basket it is. */
export async function claimReminder(db: Db, emailHash: string, now: Date): Promise<boolean> {
  return (await db.row(pause, [emailHash, now])) !== undefined
}

export async function deleteGuest(db: Db, id: string): Promise<void> {
  await db.run(removeById, [id])
}

// These return the ids of what they deleted.
export const deleteGuestOf = (db: Db, owner: string): Promise<string[]> => ids(db.rows(remove, [owner]))
export const deleteGuestsByToken = (db: Db, token: string): Promise<string[]> => ids(db.rows(removeByToken, [token]))
export async function deleteGuestsByEmail(db: Db, emailHash: string, until: Date | null): Promise<string[]> {
  await db.run(endPause, [emailHash])
  return ids(db.rows(removeByHash, [emailHash, until]))
}
export const readGuestsByEmail = (db: Db, emailHash: string, until: Date | null): Promise<GuestReminder[]> =>
  db.rows(ofEmail, [emailHash, until])

/** Deletes what has expired, and returns the ids. */
export async function deleteExpired(db: Db, now: Date): Promise<string[]> {
  await db.run(endPauses, [now])
  return ids(db.rows(forget, [now]))
}

const ids = async (rows: Promise<{ id: string }[]>): Promise<string[]> => (await rows).map(({ id }) => id)
