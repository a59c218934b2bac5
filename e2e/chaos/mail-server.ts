import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Simulated failure of the mail server. `forgetful` accepts a mail and replies with an error, like a lost reply. */
export type MailIllness = 'away' | 'busy' | 'hanging' | 'forgetful'

/** A mail server on this machine that can be ill, and counts what arrives (F19). */
export interface MailServer {
  /** For SMTP_URL. */
  url: string
  fallIll(illness: MailIllness): void
  recover(): void
  /** Whether somebody has met the latest illness. */
  isMet(): boolean
  /** How often each Message-ID has arrived. */
  arrived: ReadonlyMap<string, number>
  close(): void
}

export async function startMailServer(): Promise<MailServer> {
  const arrived = new Map<string, number>()
  let illness: MailIllness | null = null
  let isMet = false
  let waiting: (() => void)[] = []
  const meets = (ill: MailIllness) => illness === ill && (isMet = true)
  const failing = (responseCode: number) => Object.assign(new Error('try again later'), { responseCode })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect: (_session, done) => (meets('away') ? done(failing(421)) : done()),
    // A connection may be left from before.
    onMailFrom: (_address, _session, done) => (meets('away') ? done(failing(421)) : meets('busy') ? done(failing(451)) : done()),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString()))
      stream.on('end', () => {
        const id = /^Message-ID: (\S+)/im.exec(text)?.[1] ?? 'none'
        const take = () => {
          arrived.set(id, (arrived.get(id) ?? 0) + 1)
          done(meets('forgetful') ? failing(451) : null)
        }
        if (meets('hanging')) waiting.push(take)
        else take()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const recover = () => {
    illness = null
    for (const take of waiting) take()
    waiting = []
  }
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    fallIll: (next) => {
      illness = next
      isMet = false
    },
    recover,
    isMet: () => isMet,
    arrived,
    close: () => {
      recover()
      server.close()
    },
  }
}
