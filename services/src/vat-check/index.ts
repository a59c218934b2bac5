import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeServer } from '../close-server.ts'
import { openServer } from '../open-server.ts'
import { answerHmrc } from './hmrc.ts'
import { createRegister, type Mood, type Trader } from './register.ts'
import { answerVies } from './vies.ts'
import type { Call, Reply } from './wire.ts'
import { readText } from '../read-text.ts'

export type { Trader } from './register.ts'

export interface VatCheckOptions {
  port: number
  traders?: readonly Trader[]
  /** Delay of a slow register. */
  slowMs?: number
  /** For tests: forces the behaviour of the next call, whatever it is about. */
  misbehave?: (path: string) => Mood | undefined
}

export interface VatCheckServer {
  port: number
  close(): Promise<void>
}

const maxBodyLength = 5000

/** VIES and HMRC on one port, with their addresses, response shapes and failures. */
export async function startVatCheck({ port, traders = [], slowMs = 20_000, misbehave }: VatCheckOptions): Promise<VatCheckServer> {
  const register = createRegister(traders)
  const stopping = new AbortController()

  async function answer(call: Call): Promise<Reply> {
    const moodOf = (number: string) => misbehave?.(call.path) ?? register.moodOf(number)
    const reply = answerVies(call, { ...register, moodOf }) ?? answerHmrc(call, { ...register, moodOf })
    if (reply === 'slow') {
      await sleep(slowMs, undefined, { signal: stopping.signal })
      return { status: 504, body: '<html><body>Gateway Time-out</body></html>' }
    }
    return (
      reply ?? {
        status: 404,
        body: { code: 'MATCHING_RESOURCE_NOT_FOUND', message: 'A resource with the name in the request can not be found' },
      }
    )
  }

  const server = openServer((request, response) => {
    void readText(request, maxBodyLength)
      .then((body) => answer({ method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers, body }))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      stopping.abort()
      await closeServer(server)
    },
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  response.end(text)
}
