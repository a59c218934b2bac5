import type { Db } from '#platform'

export interface StoredMail {
  id: string
  key: string
  recipient: string
  sender: string
  subject: string
  text: string
  html: string
  state: 'queued' | 'sent'
  unsubscribeUrl: string | null
}
export interface NewMail extends StoredMail {
  template: string
}

const insert = {
  name: 'mail.insert',
  text: `insert into mail.mail (id, key, template, recipient, sender, subject, body_text, body_html, state, unsubscribe_url, sent_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $9 = 'sent' then now() end) on conflict (key) do nothing`,
}
const find = {
  name: 'mail.find',
  text: `select id, key, recipient, sender, subject, coalesce(body_text, '') as text, coalesce(body_html, '') as html, state,
    unsubscribe_url as "unsubscribeUrl" from mail.mail where id = $1`,
}
const markSent = { name: 'mail.sent', text: `update mail.mail set state = 'sent', sent_at = now() where id = $1 and state = 'queued'` }
const clear = {
  name: 'mail.clear',
  text: `update mail.mail set body_text = null, body_html = null where id in (
    select id from mail.mail where body_text is not null and state = 'sent' and sent_at < now() - interval '30 days' limit 1000)`,
}

/** False when a mail with this key already exists. */
export async function insertMail(db: Db, mail: NewMail): Promise<boolean> {
  const { id, key, template, recipient, sender, subject, text, html, state, unsubscribeUrl } = mail
  return (await db.run(insert, [id, key, template, recipient, sender, subject, text, html, state, unsubscribeUrl])) === 1
}

export function findMail(db: Db, id: string): Promise<StoredMail | undefined> {
  return db.row<StoredMail>(find, [id])
}

export async function markMailSent(db: Db, id: string): Promise<void> {
  await db.run(markSent, [id])
}

/** The body of a sent mail is personal data: it is cleared after a month; the record that it was sent stays. */
export async function clearOldBodies(db: Db): Promise<void> {
  await db.run(clear)
}

export interface MailboxEntry {
  id: string
  sender: string
  recipient: string
  subject: string
  at: Date
}

const list = {
  name: 'mail.mailbox',
  text: `select id, sender, recipient, subject, created_at as at from mail.mail where $1 = '' or recipient = $1 order by created_at desc, id desc limit 100`,
}
const one = {
  name: 'mail.mailbox-one',
  text: `select id, sender, recipient, subject, created_at as at, coalesce(body_text, '') as text, coalesce(body_html, '') as html from mail.mail where id = $1`,
}

/** The latest hundred mails, of one recipient or of all. */
export function readMailbox(db: Db, recipient: string): Promise<MailboxEntry[]> {
  return db.rows<MailboxEntry>(list, [recipient])
}

export function readMailboxEntry(db: Db, id: string): Promise<(MailboxEntry & { text: string; html: string }) | undefined> {
  return db.row(one, [id])
}

const forgetAbout = {
  name: 'mail.forget-about',
  // The whole address: ann@example.com is contained in neither joann@example.com nor ann@example.com.au.
  text: `delete from mail.mail where created_at <= coalesce($2, 'infinity'::timestamptz) and (lower(recipient) = lower($1)
    or coalesce(body_text, '') ~* ('(?<![[:alnum:]._%+-])' || regexp_replace($1, '([^[:alnum:]])', '\\\\\\1', 'g') || '(?![[:alnum:]]|[.-][[:alnum:]])'))`,
}

/** Mails to an address, and those that contain it, such as its owner's message on its way to the operator, until it was another's. */
export async function forgetMailsTo(db: Db, recipient: string, until: Date | null): Promise<void> {
  await db.run(forgetAbout, [recipient, until])
}

const forgetByKey = { name: 'mail.forget-by-key', text: 'delete from mail.mail where key = any($1)' }

/** Those with these keys; one that waits to be sent is not sent. */
export async function forgetMails(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.run(forgetByKey, [keys])
}

const forgetOf = {
  name: 'mail.forget-of',
  text: `delete from mail.mail where exists (select 1 from unnest($1::text[]) id
    where position(id in key) > 0 or position(id in coalesce(body_text, '')) > 0)`,
}

/** Mails about these orders, messages and files, where the address alone does not say whose they are. */
export async function forgetMailsAbout(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(forgetOf, [ids])
}
