import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeServer } from '../close-server.ts'
import { openServer } from '../open-server.ts'
import { readText } from '../read-text.ts'

export interface SmsProviderOptions {
  port: number
  account: string
  token: string
  /** Time between the states of a message. */
  stepMs?: number
}

interface Sms {
  sid: string
  to: string
  from: string
  body: string
  callback: string
  createdAt: Date
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received'
}

const maxBodyLength = 10_000
/** Older messages are forgotten: it is a stand-in, not an archive. */
const maxMessages = 500
const pausesMs = [0, 1_000, 5_000, 30_000]
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A provider of text messages with Twilio's resource "Messages". Numbers decide about their fate by their end: 0001 is invalid, 0002 is
 * never reached, 0003 is served too late for the first call, and all others are delivered. Its page shows messages and replies to them.
 */
export async function startSmsProvider(options: SmsProviderOptions): Promise<{ port: number; close(): Promise<void> }> {
  const { account, token, stepMs = 1_000 } = options
  const messages: Sms[] = []
  const timers = new Set<NodeJS.Timeout>()
  const busy = new Set<string>()

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer.unref())
  }

  /** Signed as Twilio signs; a shop that does not respond hears of it again. */
  async function report(url: string, fields: Record<string, string>, attempt = 0): Promise<void> {
    const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const signature = createHmac('sha1', token)
      .update(url + sorted.flat().join(''))
      .digest('base64')
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'x-twilio-signature': signature },
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null)
    await answer?.body?.cancel()
    const pause = pausesMs[attempt + 1]
    if (!answer?.ok && pause !== undefined) later(pause, () => void report(url, fields, attempt + 1))
  }

  function move(sms: Sms, status: Sms['status']): void {
    sms.status = status
    const fields: Record<string, string> = { MessageSid: sms.sid, MessageStatus: status, To: sms.to, From: sms.from }
    if (status === 'undelivered') fields['ErrorCode'] = '30005'
    void report(sms.callback, fields)
  }

  function take(fields: URLSearchParams, response: ServerResponse): void {
    const [to, from, body, callback] = ['To', 'From', 'Body', 'StatusCallback'].map((name) => fields.get(name) ?? '') as [
      string,
      string,
      string,
      string,
    ]
    const refuse = (status: number, code: number, message: string) => json(response, status, { code, message, status })
    if (!/^\+[1-9]\d{6,14}$/.test(to) || to.endsWith('0001')) return refuse(400, 21211, `The 'To' number ${to} is not a valid phone number`)
    if (body === '' || body.length > 1600) return refuse(400, 21602, 'Message body is required')
    if (to.endsWith('0003') && !busy.has(to)) {
      busy.add(to)
      return refuse(429, 20429, 'Too Many Requests')
    }
    const sms: Sms = { sid: `SM${randomBytes(16).toString('hex')}`, to, from, body, callback, createdAt: new Date(), status: 'queued' }
    messages.unshift(sms)
    messages.splice(maxMessages)
    later(stepMs, () => move(sms, 'sent'))
    later(2 * stepMs, () => move(sms, to.endsWith('0002') ? 'undelivered' : 'delivered'))
    json(response, 201, { sid: sms.sid, status: 'queued', to, from })
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const [to, from] = [query.get('To'), query.get('From')]
    const found = messages.filter((sms) => (to === null || sms.to === to) && (from === null || sms.from === from))
    const shown = found.slice(0, Number(query.get('PageSize') ?? 50)).map(({ sid, body, status, createdAt, ...ends }) => {
      return { sid, to: ends.to, from: ends.from, body, status, date_created: createdAt.toUTCString() }
    })
    json(response, 200, { messages: shown })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const isApi = path === `/2010-04-01/Accounts/${account}/Messages.json`
    if (request.method === 'GET' && path === '/') return page(response, messages)
    if (isApi && !isAuthorised(request.headers.authorization, account, token))
      return json(response, 401, { code: 20003, message: 'Authenticate', status: 401 })
    if (request.method === 'GET' && isApi) return list(searchParams, response)
    const sid = new RegExp(`^/2010-04-01/Accounts/${account}/Messages/(SM[0-9a-f]{32})\\.json$`).exec(path)?.[1]
    if (request.method === 'DELETE' && sid) {
      if (!isAuthorised(request.headers.authorization, account, token)) return json(response, 401, { code: 20003, status: 401 })
      const at = messages.findIndex((sms) => sms.sid === sid)
      if (at < 0) return json(response, 404, { code: 20404, status: 404 })
      messages.splice(at, 1)
      response.writeHead(204).end()
      return
    }
    if (request.method !== 'POST') return json(response, 404, { code: 20404, status: 404 })
    const fields = new URLSearchParams(await readText(request, maxBodyLength))
    if (path === '/reply' && request.headers['sec-fetch-site'] === 'same-origin') {
      const sms = messages.find(({ sid }) => sid === fields.get('sid'))
      const body = (fields.get('body') ?? '').slice(0, 160)
      if (sms) {
        const sid = `SM${randomBytes(16).toString('hex')}`
        messages.unshift({ sid, to: sms.from, from: sms.to, body, callback: '', createdAt: new Date(), status: 'received' })
        await report(sms.callback, { MessageSid: sid, From: sms.to, To: sms.from, Body: body })
      }
      response.writeHead(303, { location: '/' }).end()
      return
    }
    if (!isApi) return json(response, 404, { code: 20404, status: 404 })
    take(fields, response)
  }

  const server = openServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) json(response, 400, { code: 20001, status: 400 })
    })
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(options.port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      await closeServer(server)
    },
  }
}

function isAuthorised(given = '', account: string, token: string): boolean {
  const [a, b] = [given, `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`].map((text) =>
    createHmac('sha256', token).update(text).digest(),
  )
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const style = `:root{color-scheme:light dark}body{margin:0 auto;max-width:48rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif}
ul{list-style:none;padding:0}li{padding:.75rem 1rem;margin-bottom:.5rem;border:1px solid #8886;border-radius:8px;overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:.5rem}input,button{font:inherit;min-height:2.75rem;padding:0 .75rem}input{flex:1;min-width:8rem}`

function page(response: ServerResponse, messages: readonly Sms[]): void {
  const items = messages.map(({ sid, to, from, body, status }) => {
    const reply =
      status === 'received'
        ? ''
        : `<form method="post" action="/reply"><input type="hidden" name="sid" value="${sid}"><input name="body" value="STOP" aria-label="Reply to ${escape(to)}"><button>Reply</button></form>`
    return `<li><small>${escape(from)} → ${escape(to)} · ${status}</small><p>${escape(body)}</p>${reply}</li>`
  })
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Text messages</title><style>${style}</style><main><h1>Text messages</h1>${items.length ? `<ul>${items.join('')}</ul>` : '<p>No text message yet.</p>'}</main></html>`,
    )
}
