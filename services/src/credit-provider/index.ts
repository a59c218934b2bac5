import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attempts } from '../attempts.ts'
import { closeServer } from '../close-server.ts'
import { openServer } from '../open-server.ts'
import { createApi } from './api.ts'
import { followDebits } from './direct-debit.ts'
import { confirmPage, css, closedPage } from './pages.ts'
import { learn, type KnownCredit } from './known.ts'
import { openStore, owedOf, type Order } from './store.ts'
import { invoiceWire, orderWire, type Tell } from './wire.ts'
import { readText } from '../read-text.ts'

export interface CreditProviderOptions {
  port: number
  /** Data file; ":memory:" for tests that need no persistence. */
  file: string
  apiKey: string
  webhookSecret: string
  /** The shop's webhook. */
  webhookUrl: string
  /** Origin of its pages for browsers; default: credit.localhost and the port. */
  origin?: string
  /** How long a review takes. */
  reviewMs?: number
  /** How long banks take for a direct debit; default: two days. */
  debitMs?: number
  /** Data from before its first start. */
  known?: KnownCredit
  now?: () => number
  /** For tests: makes API calls fail after they have taken effect, as real ones may. */
  misbehave?: (path: string) => 'answer-500' | 'hang' | 'html' | undefined
  isSilent?: () => boolean
}

export interface CreditProviderServer {
  port: number
  origin: string
  /** Ends reviews, reports late invoices, sends the messages that are due. */
  tick(): Promise<void>
  close(): Promise<void>
}

const maxBodyLength = 20_000
const maxPause = 3_600_000

/** A provider of payment by invoice for companies: decides about orders, takes over the invoices of their parcels, collects them by direct debit, reports what is paid and late. */
export async function startCreditProvider(options: CreditProviderOptions): Promise<CreditProviderServer> {
  const { apiKey, webhookSecret, webhookUrl, reviewMs = 5_000, debitMs = 2 * 86_400_000, now = Date.now } = options
  const store = openStore(options.file)
  const attempt = attempts('credit provider')
  if (options.known) learn(store, options.known)
  let origin = options.origin ?? ''
  const tell: Tell = (event, type, wire) => store.queue(`evt_${randomUUID()}`, JSON.stringify({ event, type, [event]: wire }), Date.now())
  const api = createApi({ store, apiKey, origin: () => origin, tell, now })

  const settle = (order: Order, next: Pick<Order, 'state' | 'reason'>): void => {
    const decided = { ...order, ...next }
    store.saveOrder(decided)
    tell('order', `order.${next.state}`, orderWire(decided, origin))
  }

  function review(): void {
    for (const order of store.orders()) {
      if (order.state === 'waiting' && order.createdAt + reviewMs <= Date.now()) settle(order, { state: 'authorized', reason: null })
    }
    followDebits(store, tell, { now: now(), debitMs })
    const today = new Date(now()).toISOString().slice(0, 10)
    for (const invoice of store.invoices()) {
      if (invoice.isLateTold || invoice.dueOn >= today || owedOf(invoice) === 0) continue
      store.saveInvoice({ ...invoice, isLateTold: true })
      tell('invoice', 'invoice.late', invoiceWire(invoice))
    }
  }

  async function post(id: string, body: string): Promise<boolean> {
    if (options.isSilent?.()) return true
    const text = JSON.stringify({ id, ...(JSON.parse(body) as object) })
    try {
      const headers = { 'content-type': 'application/json', 'x-credit-signature': sign(webhookSecret, text, Math.floor(Date.now() / 1000)) }
      const answer = await fetch(webhookUrl, { method: 'POST', body: text, headers, signal: AbortSignal.timeout(5_000) })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      // The shop cannot be reached: reported again after a pause.
      return false
    }
  }

  async function round(): Promise<void> {
    await attempt.make(() => store.together(review))
    for (const { id, body, attempts: before } of store.due(Date.now())) {
      const later = () => store.later(id, Date.now() + Math.min(maxPause, 500 * 2 ** Math.min(before, 13)))
      await attempt.make(async () => ((await post(id, body)) ? store.heard(id) : later()), later)
    }
  }
  let under: Promise<void> = Promise.resolve()
  let waiting = 0
  const tick = (): Promise<void> => {
    waiting += 1
    // On a full disk nothing can be recorded: the next round tells it again.
    return (under = under
      .then(round)
      .catch(attempt.log)
      .finally(() => (waiting -= 1)))
  }
  const timer = setInterval(() => waiting === 0 && void tick(), 300)
  timer.unref()

  function showPage(request: IncomingMessage, response: ServerResponse, url: URL, text: string): void {
    const order = store.order(/^\/orders\/([\w-]{1,64})$/.exec(url.pathname)?.[1] ?? '')
    if (!order || url.searchParams.get('secret') !== order.secret) return send(response, 404, 'There is no such order', 'text/plain')
    if (request.method === 'POST' && order.state === 'pre_approved') {
      const isYes = new URLSearchParams(text).get('answer') === 'yes'
      const decision = isYes
        ? ({ state: 'authorized', reason: null } as const)
        : ({ state: 'declined', reason: 'credit-declined' } as const)
      store.together(() => settle(order, decision))
      void tick()
      response.writeHead(303, { location: order.returnUrl, 'cache-control': 'no-store' })
      response.end()
      return
    }
    send(
      response,
      200,
      order.state === 'pre_approved' ? confirmPage(order) : closedPage(order),
      'text/html; charset=utf-8',
      order.returnUrl,
    )
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://provider')
    const text = await readText(request, maxBodyLength)
    if (url.pathname === '/page.css') return send(response, 200, css, 'text/css')
    if (url.pathname.startsWith('/orders/')) return showPage(request, response, url, text)
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    const reply = api({ method: request.method ?? 'GET', url, authorization, idempotencyKey: String(key), text })
    const mood = options.misbehave?.(url.pathname)
    if (mood === 'hang') return
    if (mood === 'answer-500') return send(response, 500, '{"error":{"code":"internal"}}', 'application/json')
    if (mood === 'html') return send(response, 200, '<!doctype html><title>Maintenance</title>', 'text/html')
    send(response, reply.status, JSON.stringify(reply.body), 'application/json')
  }

  const server = openServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, () => resolve())
  })
  const { port } = server.address() as AddressInfo
  origin ||= `http://credit.localhost:${port}`
  return {
    port,
    origin,
    tick,
    close: async () => {
      clearInterval(timer)
      await closeServer(server)
      await under
      store.close()
    },
  }
}

/** The signature of a message covers time and body, which prevents tampering and late replays. */
export function sign(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

function send(response: ServerResponse, status: number, body: string, type: string, returnUrl?: string): void {
  const shop = returnUrl ? new URL(returnUrl).origin : ''
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': `default-src 'none'; style-src 'self'; form-action 'self' ${shop}; frame-ancestors 'none'; base-uri 'none'`,
  })
  response.end(body)
}
