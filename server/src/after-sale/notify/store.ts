import type { Db } from '#platform'
import type { Mail, MailKind } from './render-mail.ts'

export interface OwedMail {
  id: string
  customerOrderId: string
  kind: MailKind
  recipient: string
  state: 'queued' | 'sent'
}

const owe = {
  name: 'notify.owe',
  text: `insert into notify.mail (id, customer_order_id, kind, recipient) values ($1, $2, $3, $4)
    on conflict (customer_order_id, kind) do nothing`,
}
const select = {
  name: 'notify.mail',
  text: `select id, customer_order_id as "customerOrderId", kind, recipient, state from notify.mail where id = $1`,
}
const markSent = { name: 'notify.sent', text: `update notify.mail set state = 'sent', sent_at = now() where id = $1 and state = 'queued'` }
// Owed, sent and in the mailbox by one statement: there is no moment between them.
const deliver = {
  name: 'notify.deliver',
  text: `with owed as (
      insert into notify.mail (id, customer_order_id, kind, recipient, state, sent_at) values ($1, $2, $3, $4, 'sent', now())
      on conflict (customer_order_id, kind) do nothing returning id
    )
    insert into notify.mailbox (id, sender, recipient, subject, body_text, body_html) select id, $5, $4, $6, $7, $8 from owed`,
}

export type NewMail = Omit<OwedMail, 'state'>

/** Notes a mail that is owed; false when it has been noted before: once per order and kind. */
export async function oweMail(db: Db, { id, customerOrderId, kind, recipient }: NewMail): Promise<boolean> {
  return (await db.run(owe, [id, customerOrderId, kind, recipient])) === 1
}

export function readMail(db: Db, id: string): Promise<OwedMail | undefined> {
  return db.row<OwedMail>(select, [id])
}

export async function markMailSent(db: Db, id: string): Promise<void> {
  await db.run(markSent, [id])
}

/** Puts a mail into the embedded mailbox; false when this order has had it. */
export async function deliverToMailbox(
  db: Db,
  { id, customerOrderId, kind, recipient }: NewMail,
  sender: string,
  mail: Mail,
): Promise<boolean> {
  return (await db.run(deliver, [id, customerOrderId, kind, recipient, sender, mail.subject, mail.text, mail.html])) === 1
}

export interface MailboxEntry {
  id: string
  sender: string
  recipient: string
  subject: string
  at: Date
}

const list = {
  name: 'notify.mailbox',
  text: `select id, sender, recipient, subject, at from notify.mailbox where $1 = '' or recipient = $1 order by at desc, id desc limit 100`,
}
const one = {
  name: 'notify.mailbox-one',
  text: 'select id, sender, recipient, subject, at, body_text as text, body_html as html from notify.mailbox where id = $1',
}

/** The latest hundred, of one recipient or of all. */
export function readMailbox(db: Db, recipient: string): Promise<MailboxEntry[]> {
  return db.rows<MailboxEntry>(list, [recipient])
}

export function readMailboxEntry(db: Db, id: string): Promise<(MailboxEntry & { text: string; html: string }) | undefined> {
  return db.row(one, [id])
}
