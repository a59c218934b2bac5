import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeServer } from '../close-server.ts'
import { readText } from '../read-text.ts'

export interface Received {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
  text: string
}

/**
 * The part of three services that the shop sends events to, for tests: the Measurement Protocol of Google Analytics 4 at
 * /mp/collect, which accepts everything and drops what is wrong, a conversion API of Meta's shape at /events, and a receiver
 * of webhooks at /hook. `problems` lists what the real services would drop or refuse.
 */
export interface MeasurementFake {
  url: string
  received: Received[]
  problems: string[]
  /** How the next requests end: with a status, without any response, or by a broken connection after the work. */
  failNext(...how: (number | 'hang' | 'reset')[]): void
  close(): Promise<void>
}

const maxBody = 1_000_000

export async function startMeasurementFake({ apiSecret, token }: { apiSecret: string; token: string }): Promise<MeasurementFake> {
  const received: Received[] = []
  const problems: string[] = []
  const failures: (number | 'hang' | 'reset')[] = []
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake')
    const answer = async () => {
      const text = await readText(request, maxBody)
      const failure = failures.shift()
      if (failure === 'hang') return
      if (typeof failure === 'number') return void response.writeHead(failure).end('{"error":{"message":"of the test"}}')
      const one: Received = { path, query, headers: request.headers, body: JSON.parse(text), text }
      received.push(one)
      const found = request.method === 'POST' ? problemsOf(one, { apiSecret, token }) : ['method']
      problems.push(...found)
      if (failure === 'reset') return void request.socket.resetAndDestroy()
      // Google accepts whatever it is sent; Meta refuses the whole request.
      response.writeHead(path === '/mp/collect' ? 204 : found.length > 0 ? 400 : 200, { 'content-type': 'application/json' })
      response.end(path === '/mp/collect' ? undefined : '{}')
    }
    answer().catch(() => response.writeHead(400).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    problems,
    failNext: (...how) => void failures.push(...how),
    close: () => closeServer(server),
  }
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const sha256 = /^[0-9a-f]{64}$/
const dayMs = 86_400_000

function problemsOf({ path, query, headers, body }: Received, { apiSecret, token }: { apiSecret: string; token: string }): string[] {
  const problems: string[] = headers['content-type'] === 'application/json' ? [] : ['content-type']
  const check = (isRight: boolean, problem: string) => void (isRight || problems.push(problem))
  if (!isObject(body)) return ['body']
  if (path === '/mp/collect') {
    check(/^G-[A-Z0-9]+$/.test(query.get('measurement_id') ?? ''), 'measurement_id')
    check(query.get('api_secret') === apiSecret, 'api_secret')
    check(typeof body['client_id'] === 'string' && body['client_id'] !== '', 'client_id')
    const events = listOf(body['events'])
    check(events.length >= 1 && events.length <= 25, 'events')
    for (const { name, params, timestamp_micros } of events) {
      check(typeof name === 'string' && /^[a-z]\w{0,39}$/i.test(name), 'name')
      check(Number(timestamp_micros) > (Date.now() - 3 * dayMs) * 1000, 'timestamp_micros')
      const all = isObject(params) ? Object.entries(params) : []
      check(all.length <= 25 && all.every(([key, value]) => key.length <= 40 && String(value).length <= 100), 'params')
      if (name === 'purchase')
        check(isObject(params) && 'transaction_id' in params && 'currency' in params && 'value' in params, 'purchase')
      if (isObject(params) && 'session_id' in params) check(/^\d+$/.test(String(params['session_id'])), 'session_id')
    }
  } else if (path === '/events') {
    check(body['access_token'] === token, 'access_token')
    const events = listOf(body['data'])
    check(events.length >= 1 && events.length <= 1000, 'data')
    for (const { event_name, event_time, event_id, action_source, user_data, custom_data } of events) {
      check(typeof event_name === 'string' && typeof event_id === 'string' && typeof action_source === 'string', 'event')
      check(Number.isInteger(event_time) && Number(event_time) > (Date.now() - 7 * dayMs) / 1000, 'event_time')
      const ids = isObject(user_data) ? user_data['external_id'] : undefined
      check(Array.isArray(ids) && ids.every((id) => sha256.test(String(id))), 'external_id')
      if (event_name === 'Purchase') check(isObject(custom_data) && 'currency' in custom_data && 'value' in custom_data, 'purchase')
    }
  } else if (path === '/hook')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) check(typeof headers[name] === 'string', name)
  else problems.push('path')
  return problems
}
