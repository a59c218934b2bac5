import { gzipSync } from 'node:zlib'
import { send, sendRaw, type Target } from './client.ts'
import { judgeBodies, type BodySent } from './judge.ts'
import type { Result } from './report.ts'

interface Call {
  path: string
  headers: Record<string, string>
  body: string | Buffer
  /** Statuses that refuse it; 0 is a cut connection. */
  refusals: readonly number[]
}

const tooLarge = [413, 0]
const megabyte = 2 ** 20

/** Each to a route that exists: 404 would show nothing of its limit. */
function oversizedCalls(): Call[] {
  const large = Buffer.alloc(20 * megabyte, 'x')
  const many = (part: string) => part.repeat(Math.floor((4 * megabyte) / part.length))
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const search = { 'x-algolia-api-key': 'purlin-search' }
  const files = { 'content-type': 'multipart/form-data; boundary=b', 'sec-fetch-site': 'same-origin' }
  const webhooks = ['payment', 'credit', 'carrier', 'sms', 'identity'].map((name) => `/webhooks/${name}`)
  return [
    { path: '/graphql', headers: json, body: large, refusals: tooLarge },
    { path: '/graphql', headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(50 * megabyte)), refusals: [415] },
    {
      path: '/graphql',
      headers: json,
      body: `{"query":"{ site { market } }","variables":{"a":[${many('0,')}0]}}`,
      refusals: tooLarge,
    },
    { path: '/graphql', headers: json, body: '['.repeat(megabyte), refusals: tooLarge },
    { path: '/search-engine/1/events', headers: search, body: large, refusals: tooLarge },
    { path: '/search-engine/1/indexes/*/queries', headers: search, body: large, refusals: tooLarge },
    { path: '/api/auth/_log', headers: form, body: large, refusals: tooLarge },
    { path: '/contact', headers: form, body: many('a[]=1&'), refusals: tooLarge },
    // Photos may be long, together up to 32 MB.
    { path: '/contact', headers: files, body: Buffer.alloc(40 * megabyte, 'x'), refusals: tooLarge },
    ...webhooks.map((path) => ({ path, headers: json, body: large, refusals: tooLarge })),
  ]
}

/** Sends them one after the other. */
export async function sendOversized(port: number, from: string, host = `gb.localhost:${port}`): Promise<BodySent[]> {
  const sent: BodySent[] = []
  for (const { refusals, headers, ...call } of oversizedCalls()) {
    const { status, ms } = await send(port, { method: 'POST', from, ...call, headers: { ...headers, host } })
    sent.push({ path: call.path, bytes: call.body.length, status, ms, refusals })
  }
  return sent
}

/** All of them, and one without an end. */
export async function sendTooMuch({ port, newAddress }: Target): Promise<Result> {
  const sent = await sendOversized(port, newAddress())
  const endless = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${`ffff\r\n${'x'.repeat(65_535)}\r\n`.repeat(80)}`
  const { received, ms } = await sendRaw(port, endless)
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0)
  const all = [...sent, { path: '/graphql', bytes: endless.length, status, ms, refusals: tooLarge }]
  const cut = all.filter((each) => each.status === 0).length
  return { tried: `${all.length} bodies, ${cut} cut without an answer`, broken: judgeBodies(all) }
}
