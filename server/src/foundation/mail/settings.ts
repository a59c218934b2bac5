import type { createTransport, Transporter } from 'nodemailer'
import { isPrivateName, loadLate, mailsAtOnce, settings } from '#platform'

export interface MailSettings {
  sender: string
  /** Null: the embedded mailbox. */
  smtp: Transporter | null
}

let used: MailSettings | undefined

/** With SMTP_URL mails are sent; without it they stay in the embedded mailbox. */
export function mailSettings(): MailSettings {
  return (used ??= fromSettings())
}

/** Replaces the settings of this process; without an argument restores those of the environment. For tests. */
export function useMailSettings(other?: MailSettings): void {
  used = other
}

function fromSettings(): MailSettings {
  const { sender, smtpUrl } = settings().mail
  return { sender, smtp: smtpUrl ? smtpTransport(smtpUrl) : null }
}

/**
 * A mail server that does not respond must not block the worker. Over the Internet one that offers no encryption, or whose offer somebody
 * on the way has removed, gets neither mails nor the password.
 */
export function smtpTransport(url: string, requireTLS = !isPrivateName(new URL(url).hostname)): Transporter {
  const mailer = loadLate<{ createTransport: typeof createTransport }>('nodemailer')
  return mailer.createTransport({
    url,
    requireTLS,
    pool: true,
    maxConnections: mailsAtOnce,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
  } as never)
}
