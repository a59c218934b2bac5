import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type pg from 'pg'
import type { Guest } from '../faults/shop-process.ts'
import type { Random } from '../support/random.ts'

export interface Target {
  port: number
  pool: pg.Pool
  random: Random
  /** How often other users are timed with and without an attack. */
  rounds: number
  /** An address that no attack of this run has used. */
  newAddress(): string
  /** Resident memory of each web process. */
  webMemoryMb(): number[]
}

export interface Sent {
  /** 0 if the connection ended without an answer. */
  status: number
  text: string
  ms: number
  cookie: string
  cookies: readonly string[]
}

interface Call {
  method?: string
  path: string
  /** The client's address, as the proxy in front of the shop would forward it. */
  from: string
  body?: string | Buffer
  headers?: Record<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export function send(port: number, { method = 'GET', path, from, body, headers = {} }: Call): Promise<Sent> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, text: '', ms: performance.now() - startedAt, cookie: '', cookies: [] })
    const options = { host: '127.0.0.1', port, method, path, agent, timeout: 30_000, setHost: false }
    const call = request({ ...options, headers: { host: `gb.localhost:${port}`, 'x-forwarded-for': from, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('error', failed)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text,
          ms: performance.now() - startedAt,
          cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
          cookies: answer.headers['set-cookie'] ?? [],
        }),
      )
    })
    call.on('timeout', () => call.destroy())
    call.on('error', failed)
    call.end(body)
  })
}

export function sendOperation(port: number, from: string, query: string, variables: object = {}, cookie = ''): Promise<Sent> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
  return send(port, { method: 'POST', path: '/graphql', from, headers, body: JSON.stringify({ query, variables }) })
}

const listingHash = Object.entries(knownDocuments).find(([, text]) => text.startsWith('query Listing('))?.[0]

/** A list, as a page's script asks for it: with the shop's own document. */
export function sendListing(port: number, from: string, input: object): Promise<Sent> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const extensions = { persistedQuery: { version: 1, sha256Hash: listingHash } }
  return send(port, { method: 'POST', path: '/graphql', from, headers, body: JSON.stringify({ extensions, variables: { input } }) })
}

/** A visitor with a session of their own, who does not try again what was refused. */
export function visitorAt({ port }: Target, from: string): Guest {
  let cookie = ''
  return {
    ask: async (query, variables = {}) => {
      const sent = await sendOperation(port, from, query, variables, cookie)
      if (sent.cookie) cookie = sent.cookie
      if (!sent.text.startsWith('{')) throw new Error(`${sent.status}`)
      const { data, errors } = JSON.parse(sent.text) as { data?: Record<string, unknown>; errors?: { message: string }[] }
      if (!data || errors) throw new Error(`${sent.status}: ${errors?.[0]?.message ?? sent.text.slice(0, 200)}`)
      return data
    },
  }
}

/** Writes to a bare connection, all at once or, after the first `wholeBytes`, a byte at a time; resolves with what came back once it is closed. */
export function sendRaw(
  port: number,
  text: string,
  { byteMs = 0, maxMs = 20_000, wholeBytes = 0 } = {},
): Promise<{ received: string; ms: number }> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let received = ''
    let at = wholeBytes
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const drip = byteMs > 0 ? setInterval(() => socket.writable && socket.write(text[at++] ?? 'x'), byteMs) : undefined
    const late = setTimeout(() => socket.destroy(), maxMs)
    socket.on('connect', () => socket.write(byteMs === 0 ? text : text.slice(0, wholeBytes)))
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    // A client that sends everything has nothing more to wait for than the answer.
    socket.on('data', () => byteMs === 0 && setTimeout(() => socket.end(), 200))
    socket.once('close', () => {
      clearInterval(drip)
      clearTimeout(late)
      resolve({ received, ms: performance.now() - startedAt })
    })
  })
}
