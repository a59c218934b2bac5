import { enqueue, newId, type JobScope } from '#platform'
import { mailSettings } from './settings.ts'
import { insertMail } from './store.ts'
import type { MailSite } from './mail.ts'
import type { MailTemplate } from './template.ts'

export interface MailOrder<Payload> {
  to: string
  site: MailSite
  payload: Payload
  /** Idempotency key: the same key never sends a second mail. */
  key: string
  /** Where a POST ends mails like this one; mail programs show a button for it. */
  unsubscribeUrl?: string
}

/**
 * Queues a mail in the caller's transaction; false when this key already has a mail. Without SMTP it is in the
 * mailbox at once. With SMTP a job sends it at least once, always with the Message-ID of its key.
 */
export async function sendMail<Payload>(
  { db }: Pick<JobScope, 'db'>,
  template: MailTemplate<Payload>,
  { to, site, payload, key, unsubscribeUrl }: MailOrder<Payload>,
): Promise<boolean> {
  const { smtp, sender } = mailSettings()
  const id = newId()
  const state = smtp ? 'queued' : 'sent'
  const mail = {
    ...template.render(payload, site),
    id,
    key,
    template: template.name,
    recipient: to,
    sender,
    state,
    unsubscribeUrl: unsubscribeUrl ?? null,
  } as const
  if (!(await insertMail(db, mail))) return false
  // Bulk mail, which has an unsubscribe link, comes after the mail of orders and sign-ins, however much of it there is.
  if (smtp) await enqueue(db, { name: 'mail.send', key: id, payload: { mailId: id }, priority: unsubscribeUrl === undefined ? 0 : -1 })
  return true
}
