import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeServer } from '../close-server.ts'
import { fakeCustomers, type FakeCard } from './customers.ts'

/**
 * The part of Stripe's API that the shop uses, for tests: payment intents with manual capture, refunds, customers with
 * saved cards, idempotency keys, signed events. In memory; it accepts the real SDK's form encoding and responds in Stripe's shapes.
 */
export interface StripeFake {
  url: string
  /** Simulates a buyer at the card fields. */
  confirm(intentId: string, how: 'approve' | 'challenge' | 'decline', declineCode?: string): void
  /** Simulates a card entered by the buyer; with `consent` they asked to save it. */
  attach(customerId: string, card: FakeCard, consent: boolean): string
  /** The card that Stripe offers first. */
  defaultCardOf(customerId: string): string | null
  /** Effective writes by address: a repeated key counts once. */
  changes(): string[]
  /** The signature header for a body, as Stripe makes it. */
  sign(body: string, secret: string, seconds?: number): string
  /** An event with the current state of an intent. */
  event(type: string, intentId: string): string
  /** The bank returns the latest refund of an intent: Stripe has the money again. Returns an event that says so. */
  failRefund(type: string, intentId: string, reason: string): string
  /** The buyer's bank takes the money of an intent back, or decides about it. Returns an event that says so. */
  dispute(type: string, intentId: string, status: string): string
  /** Makes the next call of this address take effect but respond with 500. */
  failAfter(path: string): void
  close(): Promise<void>
}

interface FakeIntent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  status: string
  customer: string | null
  client_secret: string
  created: number
  metadata: Record<string, string>
  last_payment_error: { code: string; decline_code: string } | null
  latest_charge: FakeCharge | null
}
interface FakeRefund {
  id: string
  object: string
  amount: number
  status: string
  payment_intent: string
  failure_reason: string
}
interface FakeCharge {
  id: string
  disputed?: string
  object: 'charge'
  amount_refunded: number
  payment_method_details: { type: 'card'; card: { brand: string; last4: string } }
}

const id = (kind: string): string => `${kind}_${randomBytes(9).toString('hex')}`

export async function startStripeFake(secretKey: string): Promise<StripeFake> {
  const intents = new Map<string, FakeIntent>()
  const kept = new Map<string, { path: string; body: string; answer: string; status: number }>()
  const done: string[] = []
  const refunds: FakeRefund[] = []
  let failing = ''

  const problem = (status: number, type: string, code: string, message: string) => ({ status, json: { error: { type, code, message } } })
  const find = (name: string): FakeIntent => {
    const intent = intents.get(name)
    if (!intent)
      throw Object.assign(new Error(), problem(404, 'invalid_request_error', 'resource_missing', `No such payment_intent: '${name}'`))
    return intent
  }
  const unexpected = (intent: FakeIntent) =>
    Object.assign(
      new Error(),
      problem(400, 'invalid_request_error', 'payment_intent_unexpected_state', `This PaymentIntent is ${intent.status}`),
    )

  const missing = (what: string) => Object.assign(new Error(), problem(404, 'invalid_request_error', 'resource_missing', `No such ${what}`))
  const disputeOf = (name: string) => {
    const { latest_charge: charge, amount_received: amount, currency } = find(name)
    if (!charge?.disputed) throw missing(`dispute of '${name}'`)
    const about = { amount, currency, reason: 'fraudulent', status: charge.disputed, charge: charge.id, payment_intent: name }
    return { id: `du_${name.slice(3)}`, object: 'dispute', ...about }
  }
  const customers = fakeCustomers(id, missing)
  const change = (method: string, path: string, form: URLSearchParams): object => {
    const changed = customers.change(method, path, form)
    if (changed) return changed
    if (path === '/v1/payment_intents') {
      if (form.get('capture_method') !== 'manual')
        throw Object.assign(new Error(), problem(400, 'invalid_request_error', 'parameter', 'manual capture only'))
      const metadata = Object.fromEntries(
        [...form].flatMap(([key, value]) => (/^metadata\[(\w+)\]$/.exec(key) ? [[/\[(\w+)\]/.exec(key)?.[1] ?? '', value]] : [])),
      )
      const name = id('pi')
      const intent: FakeIntent = {
        id: name,
        object: 'payment_intent',
        amount: Number(form.get('amount')),
        amount_received: 0,
        currency: form.get('currency') ?? '',
        customer: form.get('customer'),
        status: 'requires_payment_method',
        client_secret: `${name}_secret_${randomBytes(6).toString('hex')}`,
        created: Math.floor(Date.now() / 1000),
        metadata,
        last_payment_error: null,
        latest_charge: null,
      }
      intents.set(name, intent)
      return intent
    }
    if (path === '/v1/refunds') {
      const intent = find(form.get('payment_intent') ?? '')
      const amount = Number(form.get('amount'))
      const charge = intent.latest_charge
      if (intent.status !== 'succeeded' || !charge || charge.amount_refunded + amount > intent.amount_received) throw unexpected(intent)
      if (charge.disputed && charge.disputed !== 'won')
        throw Object.assign(new Error(), problem(400, 'invalid_request_error', 'charge_disputed', 'This charge has been charged back'))
      charge.amount_refunded += amount
      const made = { id: id('re'), object: 'refund', amount, status: 'succeeded', payment_intent: intent.id, failure_reason: '' }
      refunds.push(made)
      return made
    }
    const [, name = '', verb = ''] = /^\/v1\/payment_intents\/(\w+)\/(capture|cancel)$/.exec(path) ?? []
    const intent = find(name)
    if (verb === 'capture') {
      if (intent.status !== 'requires_capture') throw unexpected(intent)
      return Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
    }
    if (['succeeded', 'canceled'].includes(intent.status)) throw unexpected(intent)
    return Object.assign(intent, { status: 'canceled' })
  }

  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const reply = (status: number, json: string): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') })
      response.end(json)
    }
    try {
      if (request.headers.authorization !== `Bearer ${secretKey}`)
        throw Object.assign(new Error(), problem(401, 'authentication_error', 'api_key', 'Invalid API Key'))
      if (request.method === 'GET') {
        const listed = customers.list(url)
        if (listed) return reply(200, JSON.stringify(listed))
        const disputed = /^\/v1\/disputes\/du_(\w+)$/.exec(url.pathname)?.[1]
        if (disputed) return reply(200, JSON.stringify(disputeOf(`pi_${disputed}`)))
        const name = /^\/v1\/payment_intents\/(\w+)$/.exec(url.pathname)?.[1]
        if (name) return reply(200, JSON.stringify(find(name)))
        const since = Number(url.searchParams.get('created[gte]') ?? 0)
        const all = [...intents.values()].toReversed().filter(({ created }) => created >= since)
        const from = all.findIndex((intent) => intent.id === url.searchParams.get('starting_after')) + 1
        return reply(
          200,
          JSON.stringify({
            object: 'list',
            data: all.slice(from, from + 100),
            has_more: all.length > from + 100,
            url: '/v1/payment_intents',
          }),
        )
      }
      const key = String(request.headers['idempotency-key'] ?? '')
      const known = kept.get(key)
      if (known) {
        if (known.path !== url.pathname || known.body !== body)
          throw Object.assign(
            new Error(),
            problem(400, 'idempotency_error', 'idempotency', 'Keys for idempotent requests can only be used with the same parameters'),
          )
        return reply(known.status, known.answer)
      }
      const json = JSON.stringify(change(request.method ?? 'POST', url.pathname, new URLSearchParams(body)))
      done.push(url.pathname)
      kept.set(key, { path: url.pathname, body, answer: json, status: 200 })
      if (failing === url.pathname) {
        failing = ''
        return reply(500, JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong' } }))
      }
      reply(200, json)
    } catch (error) {
      const { status, json } = error as { status?: number; json?: { error: { code: string } } }
      if (status === undefined) throw error
      // Stripe repeats a refusal for the same key.
      if (json?.error.code === 'charge_disputed')
        kept.set(String(request.headers['idempotency-key']), { path: url.pathname, body, answer: JSON.stringify(json), status })
      reply(status, JSON.stringify(json))
    }
  }

  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => answer(request, response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    confirm: (name, how, declineCode = 'generic_decline') => {
      const intent = find(name)
      intent.last_payment_error = null
      if (how === 'challenge') intent.status = 'requires_action'
      if (how === 'decline')
        Object.assign(intent, {
          status: 'requires_payment_method',
          last_payment_error: { code: 'card_declined', decline_code: declineCode },
        })
      if (how === 'approve') {
        intent.status = 'requires_capture'
        intent.latest_charge = {
          id: id('ch'),
          object: 'charge',
          amount_refunded: 0,
          payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
        }
      }
    },
    attach: customers.attach,
    defaultCardOf: customers.defaultCardOf,
    changes: () => done,
    sign: (body, secret, seconds = Math.floor(Date.now() / 1000)) =>
      `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
    event: (type, name) =>
      JSON.stringify({ id: id('evt'), object: 'event', type, created: Math.floor(Date.now() / 1000), data: { object: find(name) } }),
    failRefund: (type, name, reason) => {
      const made = refunds.findLast((refund) => refund.payment_intent === name)
      const charge = find(name).latest_charge
      if (!made || !charge) throw missing(`refund of '${name}'`)
      if (made.status !== 'failed') charge.amount_refunded -= made.amount
      Object.assign(made, { status: 'failed', failure_reason: reason })
      return JSON.stringify({ id: id('evt'), object: 'event', type, created: Math.floor(Date.now() / 1000), data: { object: made } })
    },
    dispute: (type, name, status) => {
      const { latest_charge: charge } = find(name)
      if (!charge) throw missing(`charge of '${name}'`)
      charge.disputed = status
      return JSON.stringify({ id: id('evt'), object: 'event', type, created: 0, data: { object: disputeOf(name) } })
    },
    failAfter: (path) => {
      failing = path
    },
    close: () => closeServer(server),
  }
}
