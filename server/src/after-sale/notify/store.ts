import type { Db } from '#platform'
import type { MailKind } from './order-mail.ts'

interface LegacyMail {
  customerOrderId: string
  kind: MailKind
  state: 'queued' | 'sent'
}

/** A mail as recorded by releases from before the mail module. */
export function readLegacyMail(db: Db, id: string): Promise<LegacyMail | undefined> {
  return db.row(
    { name: 'notify.mail', text: `select customer_order_id as "customerOrderId", kind, state from notify.mail where id = $1` },
    [id],
  )
}

export async function closeLegacyMail(db: Db, id: string): Promise<void> {
  await db.run({ name: 'notify.sent', text: `update notify.mail set state = 'sent', sent_at = now() where id = $1 and state = 'queued'` }, [
    id,
  ])
}

const forget = [
  {
    name: 'notify.forget-mailbox',
    text: `delete from notify.mailbox where lower(recipient) = any($1::text[])
      or id in (select id from notify.mail where customer_order_id = any($2::text[]))`,
  },
  {
    name: 'notify.forget',
    text: 'delete from notify.mail where lower(recipient) = any($1::text[]) or customer_order_id = any($2::text[])',
  },
]

/** Deletes what those releases have recorded of mails to addresses or about orders. */
export async function forgetLegacyMails(db: Db, addresses: readonly string[], orderIds: readonly string[]): Promise<void> {
  const recipients = addresses.map((address) => address.toLowerCase())
  for (const statement of forget) await db.run(statement, [recipients, orderIds])
}
