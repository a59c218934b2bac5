import { createHash } from 'node:crypto'
import { PermanentError, every, job, type Work } from '#platform'
import { mailSettings } from './settings.ts'
import { type StoredMail, clearOldBodies, findMail, markMailSent } from './store.ts'

const send: Work<{ mailId: string }, void> = {
  // A crash between sending and recording sends a second copy: SMTP has no exactly-once delivery. Both carry the same Message-ID.
  call: async ({ db, signal }, { mailId }) => {
    const { smtp } = mailSettings()
    const mail = await findMail(db, mailId)
    if (mail?.state !== 'queued') return
    if (!smtp) throw new Error('A mail waits for SMTP_URL, and it is not set')
    const { sender, recipient, subject, text, html, unsubscribeUrl: url } = mail
    const headers = url === null ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    const message = { from: sender, to: { name: '', address: recipient }, subject, text, html, messageId: messageId(mail), headers, signal }
    await smtp.sendMail(message).catch((error: unknown) => {
      throw isRefusedForGood(error) ? new PermanentError(error instanceof Error ? error.message : String(error)) : error
    })
  },
  commit: ({ db }, { mailId }) => markMailSent(db, mailId),
}

export const jobs = [job('mail.send', send, 'mail')]

export const schedules = [every(3_600_000, 'mail.clear', ({ db }) => clearOldBodies(db))]

/** The same for every copy of a mail, so that readers and servers can detect a duplicate. */
export function messageId({ key, sender }: Pick<StoredMail, 'key' | 'sender'>): string {
  const domain = /@([^>\s]+)>?$/.exec(sender)?.[1] ?? 'localhost'
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`
}

/** The server refused this recipient or this message permanently, rather than our connection or for the moment. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}
