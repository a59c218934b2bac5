/**
 * Attacks from a process of its own, so that its computing is not that of the users who are timed, and at lower priority, so that it takes
 * what others leave. The same bytes go to the shop or to a bare server, which it also is when it is told to.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendOperation, sendRaw } from './client.ts'
import type { HostileOperation } from './hostile-operations.ts'
import { readLittle, type Held, type Reading } from './read-little.ts'

export type Assignment =
  | { kind: 'bare server' }
  | {
      kind: 'operations'
      port: number
      operations: readonly HostileOperation[]
      /** Senders have the addresses from this number on. */
      firstSender: number
      until: number
      /** Sends one of them so often at most; 0: one after the other. */
      everyMs: number
    }
  | { kind: 'slow clients'; port: number; from: string; clients: number }
  | ({ kind: 'readers' } & Reading)

/** The response to an operation: the fastest of up to four attempts, because the machine has other work. */
export interface Outcome {
  shape: string
  query: string
  status: number
  ms: number
  bytes: number
  tries: number
}

export type Report =
  | { kind: 'listening'; port: number }
  | { kind: 'operations'; outcomes: Outcome[] }
  | { kind: 'slow clients'; closed: { refused: boolean; ms: number }[] }
  | { kind: 'readers'; held: Held }

const isRefused = (status: number) => status === 400 || status === 413 || status === 429 || status === 503
export const allowedMs = (status: number) => (isRefused(status) ? 20 : 300)

const addressOf = (sender: number) => `198.${18 + ((sender >> 16) & 1)}.${(sender >> 8) & 255}.${sender & 255}`

async function sendOperations({ port, operations, firstSender, until, everyMs }: Extract<Assignment, { kind: 'operations' }>) {
  const outcomes: Outcome[] = []
  let sender = firstSender
  for (let at = 0; (everyMs === 0 && at < operations.length) || Date.now() < until; at++) {
    const startedAt = performance.now()
    const { shape, query } = operations[at % operations.length] ?? { shape: '', query: '' }
    // Each round has texts of its own, and so has each try.
    const text = at < operations.length ? query : `${query} #${at}`
    let sent = await sendOperation(port, addressOf(sender++), text)
    let { ms } = sent
    let tries = 1
    for (; everyMs === 0 && tries < 4 && ms >= allowedMs(sent.status); tries++) {
      sent = await sendOperation(port, addressOf(sender++), `${text} #${tries}`)
      ms = Math.min(ms, sent.ms)
    }
    outcomes.push({
      shape,
      query: query.slice(0, 160),
      status: isCut(sent.status, text) ? -1 : sent.status,
      ms,
      bytes: sent.text.length,
      tries,
    })
    await sleep(Math.max(0, everyMs - (performance.now() - startedAt)))
  }
  return outcomes
}

/** A body over the limit is cut, and its sender may not see the 413. */
const isCut = (status: number, text: string) => status === 0 && text.length > 100_000

async function sendSlowly({ port, from, clients }: Extract<Assignment, { kind: 'slow clients' }>) {
  const header = 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '
  const body = `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\ncontent-length: 50000\r\n\r\n{`
  const closed = await Promise.all(
    Array.from({ length: clients }, (_, at) =>
      sendRaw(port, `${at % 2 === 0 ? header : body}${' '.repeat(500)}`, { byteMs: 150, maxMs: 40_000 }),
    ),
  )
  return closed.map(({ received, ms }) => ({ refused: received.startsWith('HTTP/1.1 429'), ms }))
}

/** Reads what arrives and refuses it, as little as a server can do. */
function bareServer(): Promise<number> {
  const answer = JSON.stringify({ data: null, errors: [{ message: 'The query is too large', extensions: { code: 'BAD_REQUEST' } }] })
  const options = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2000 }
  const server = createServer(options, (req, res) => req.resume().on('end', () => res.writeHead(400).end(answer)))
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

const tell = (report: Report) => void process.send?.(report)

// Imported for its types, it does nothing.
if (process.send && process.argv[1] === import.meta.filename) {
  process.on('message', async (assignment: Assignment) => {
    if (assignment.kind === 'bare server') return tell({ kind: 'listening', port: await bareServer() })
    setPriority(Math.min(19, getPriority() + 5))
    if (assignment.kind === 'operations') return tell({ kind: 'operations', outcomes: await sendOperations(assignment) })
    if (assignment.kind === 'readers') return tell({ kind: 'readers', held: await readLittle(assignment) })
    return tell({ kind: 'slow clients', closed: await sendSlowly(assignment) })
  })
  process.on('disconnect', () => process.exit(0))
}
