import { smtpTransport } from './settings.ts'

/** The problem with the mail server at this address, phrased to follow "SMTP_URL "; null if it takes our mails. Nothing is sent. */
export async function mailServerProblem(url: string, requireTls?: boolean): Promise<string | null> {
  const smtp = smtpTransport(url, requireTls)
  try {
    await smtp.verify()
    return null
  } catch (error) {
    return problemOf(error as Error & { code?: string })
  } finally {
    smtp.close()
  }
}

function problemOf({ code, message }: Error & { code?: string }): string {
  if (code === 'EAUTH') return 'names a server that refuses this user or password'
  if (code === 'ETLS' && /upgrading/.test(message)) return 'names a server that offers no encryption (STARTTLS), so no mail would be sent'
  if (code === 'ETLS' || /certificate|TLS|SSL/.test(message)) return `names a server whose encryption fails: ${message}`
  return `names a server that does not respond: ${message}`
}
