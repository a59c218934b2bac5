import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** For tests: a mail server that accepts everything and remembers what it was given. */

export interface ArrivedMail {
  /** Addresses the server was asked to deliver to, hidden copies included. */
  recipients: string[]
  /** The headers as sent, each on one line. */
  headers: string[]
  source: string
}

export interface FakeMailServer {
  url: string
  arrived: ArrivedMail[]
  close(): Promise<void>
}

export async function fakeMailServer(): Promise<FakeMailServer> {
  const arrived: ArrivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      let source = ''
      stream.on('data', (part: Buffer) => (source += part.toString()))
      stream.on('end', () => {
        arrived.push({ recipients: envelope.rcptTo.map(({ address }) => address), headers: headersOf(source), source })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function headersOf(source: string): string[] {
  const [head = ''] = source.split('\r\n\r\n')
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}
