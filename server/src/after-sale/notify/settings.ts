import { createTransport, type Transporter } from 'nodemailer'

export interface MailSettings {
  sender: string
  /** Null: the embedded mailbox. */
  smtp: Transporter | null
  /** Secret of the links in mails. */
  linkSecret: string
}

/** Known to everybody, refused on real domains. */
const demoLinkSecret = 'demo-order-link-secret-not-for-production'

let settings: MailSettings | undefined

/** SMTP_URL sends mails out; without it they stay in the embedded mailbox. */
export function mailSettings(): MailSettings {
  settings ??= fromSettings(process.env)
  return settings
}

/** Other settings for this process, or with nothing those of the environment again. For tests. */
export function useMailSettings(other?: MailSettings): void {
  settings = other
}

function fromSettings(env: NodeJS.ProcessEnv): MailSettings {
  const linkSecret = env['ORDER_LINK_SECRET'] || demoLinkSecret
  if (env['SITE_HOSTS'] && linkSecret === demoLinkSecret) {
    throw new Error('ORDER_LINK_SECRET still has the value of the demo, and SITE_HOSTS names real domains. Set your own.')
  }
  const url = env['SMTP_URL']
  return { sender: env['MAIL_FROM'] || 'Purlin <orders@purlin.example>', smtp: url ? smtpTransport(url) : null, linkSecret }
}

/** A mail server that does not answer must not hold the worker. */
export function smtpTransport(url: string): Transporter {
  return createTransport({ url, pool: true, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 } as never)
}
