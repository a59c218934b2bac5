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
