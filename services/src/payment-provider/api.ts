import { createHash, timingSafeEqual } from 'node:crypto'
import {
  asWire,
  capture,
  chargeSaved,
  disputeStatus,
  disputeWire,
  markets,
  newIntent,
  refund,
  Refusal,
  voidIntent,
  type Intent,
  type IntentRequest,
  type Market,
} from './intent.ts'
import type { Messenger } from './messages.ts'
import { newPayout, payoutWire } from './payouts.ts'
import { cardWire, newCustomer, type Customer } from './saved-cards.ts'
import type { Store } from './store.ts'
import { ways, type Way } from './ways.ts'

export interface ApiOptions {
  store: Store
  messenger: Messenger
  secret: string
  origin: () => string
  /** How long a payout takes to arrive. */
  payoutMs: number
  /** How long a bank takes to decide a dispute. */
  disputeMs: number
}

export interface ApiRequest {
  method: string
  url: URL
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}
export interface ApiAnswer {
  status: number
  body: string
}

/** The caller learns the news from the response, so the message with the same content is sent only after a delay. */
const afterAnswerMs = 250
const pageSize = 200

/** The provider's API: JSON, a secret key, and an idempotency key on every write. */
export function createApi({ store, messenger, secret, origin, payoutMs, disputeMs }: ApiOptions): (request: ApiRequest) => ApiAnswer {
  const change = (intent: Intent, next: { intent: Intent; events: string[] }): object => {
    if (next.events.length > 0) {
      const now = Date.now()
      const isDisputed = next.intent.chargedBack !== undefined && next.events.includes('captured')
      const changed = isDisputed ? { ...next.intent, decidesAt: now + disputeMs } : next.intent
      store.save(changed)
      messenger.tell(changed, next.events, now, afterAnswerMs)
      if (isDisputed) messenger.tellOfDispute(changed, now, afterAnswerMs)
    } else if (next.intent !== intent) store.save(next.intent)
    return asWire(next.intent, origin())
  }
  const find = (id: string): Intent => {
    const intent = store.intent(id)
    if (!intent) throw new Refusal(404, 'unknown_intent', 'There is no such intent')
    return intent
  }
  const findCustomer = (id: string): Customer => {
    const customer = store.customer(id)
    if (!customer) throw new Refusal(404, 'unknown_customer', 'There is no such customer')
    return customer
  }
  const write = (path: string, body: Record<string, unknown>): object => {
    if (path === '/v1/intents') {
      const wish = wishOf(body)
      if (wish.customer !== null) findCustomer(wish.customer)
      const intent = newIntent(wish, Date.now())
      store.save(intent)
      return asWire(intent, origin())
    }
    if (path === '/v1/setups') {
      const intent = { ...newIntent(wishOf({ ...body, currency: 'EUR' }, 0), Date.now()), isSetup: true }
      findCustomer(intent.customer ?? '')
      store.save(intent)
      return asWire(intent, origin())
    }
    if (path === '/v1/transfers') return transfer(body)
    if (path === '/v1/payouts') {
      const payout = newPayout(body, Date.now())
      store.savePayout(payout)
      return payoutWire(payout, Date.now(), payoutMs)
    }
    if (path === '/v1/customers') {
      const reference = textOf(body, 'reference')
      const customer = store.customerOf(reference) ?? newCustomer(reference)
      store.saveCustomer(customer)
      return { id: customer.id, reference }
    }
    const [, owner = '', act = ''] = /^\/v1\/customers\/([\w-]{1,64})\/(prefer|delete)$/.exec(path) ?? []
    if (act === 'prefer') {
      const customer = findCustomer(owner)
      const card = store.card(textOf(body, 'card'))
      if (card?.customer !== customer.id) throw new Refusal(404, 'unknown_card', 'This customer has no such card')
      store.saveCustomer({ ...customer, defaultCard: card.id })
      return { id: customer.id }
    }
    if (act === 'delete') {
      store.dropCustomer(findCustomer(owner).id)
      return { id: owner, deleted: true }
    }
    const [, card = ''] = /^\/v1\/cards\/([\w-]{1,64})\/detach$/.exec(path) ?? []
    if (card) {
      if (!store.card(card)) throw new Refusal(404, 'unknown_card', 'There is no such card')
      store.dropCard(card)
      return { id: card, detached: true }
    }
    const [, id = '', verb = ''] = /^\/v1\/intents\/([\w-]{1,64})\/(capture|confirm|void|refund)$/.exec(path) ?? []
    if (!id) throw new Refusal(404, 'unknown_address', 'There is nothing at this address')
    const intent = find(id)
    if (verb === 'capture') return change(intent, capture(intent))
    if (verb === 'confirm') {
      const saved = store.card(textOf(body, 'card'))
      if (!saved || saved.customer !== intent.customer) throw new Refusal(404, 'unknown_card', 'This customer has no such card')
      return change(intent, chargeSaved(intent, saved, new Date()))
    }
    return change(intent, verb === 'void' ? voidIntent(intent) : refund(intent, Number(body['amount']), Date.now()))
  }
  const read = (url: URL): object => {
    if (url.pathname === '/v1/intents') {
      const since = Date.parse(url.searchParams.get('since') ?? '') || 0
      const list = store.list(since, url.searchParams.get('after') ?? undefined, pageSize)
      return { data: list.map((intent) => asWire(intent, origin())) }
    }
    const [, payoutId = ''] = /^\/v1\/payouts\/([\w-]{1,64})$/.exec(url.pathname) ?? []
    if (payoutId) {
      const payout = store.payout(payoutId)
      if (!payout) throw new Refusal(404, 'unknown_payout', 'There is no such payout')
      return payoutWire(payout, Date.now(), payoutMs)
    }
    const [, disputed = ''] = /^\/v1\/disputes\/dp_([\w-]{1,60})$/.exec(url.pathname) ?? []
    if (disputed) {
      const intent = find(`pi_${disputed}`)
      const status = disputeStatus(intent, Date.now())
      if (!status) throw new Refusal(404, 'unknown_dispute', 'There is no such dispute')
      return { ...disputeWire(intent), status }
    }
    const [, customer = ''] = /^\/v1\/customers\/([\w-]{1,64})\/cards$/.exec(url.pathname) ?? []
    if (customer) return { data: store.cardsOf(findCustomer(customer).id).map(cardWire) }
    const intent = find(/^\/v1\/intents\/([\w-]{1,64})$/.exec(url.pathname)?.[1] ?? '')
    const setupCard = intent.setupCard === undefined ? undefined : store.card(intent.setupCard)
    return { ...asWire(intent, origin()), ...(setupCard && { setup_card: cardWire(setupCard) }) }
  }

  return ({ method, url, headers, body }) => {
    try {
      if (!isAllowed(headers['authorization'], secret)) throw new Refusal(401, 'not_allowed', 'The secret key is missing or wrong')
      if (method === 'GET') return { status: 200, body: JSON.stringify(read(url)) }
      if (method !== 'POST') throw new Refusal(405, 'method', 'GET or POST')
      const key = headers['idempotency-key']
      if (typeof key !== 'string' || !/^[\w.:/-]{8,200}$/.test(key))
        throw new Refusal(400, 'key_missing', 'A change needs an Idempotency-Key')
      const hash = createHash('sha256').update(`${url.pathname}\n${body}`).digest('base64url')
      return store.together(() => {
        const kept = store.keptAnswer(key)
        if (kept && kept.hash !== hash) throw new Refusal(409, 'key_reused', 'This key was used for something else')
        if (kept) return { status: kept.status, body: kept.body }
        const answer = { status: 200, body: JSON.stringify(write(url.pathname, parse(body))) }
        store.keepAnswer(key, { hash, ...answer })
        return answer
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: JSON.stringify({ error: { code: error.code, message: error.message } }) }
    } finally {
      messenger.wake()
    }
  }
}

function isAllowed(authorization: string | string[] | undefined, secret: string): boolean {
  const given = createHash('sha256')
    .update(typeof authorization === 'string' ? authorization : '')
    .digest()
  return timingSafeEqual(given, createHash('sha256').update(`Bearer ${secret}`).digest())
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below like every other invalid body.
  }
  throw new Refusal(400, 'body', 'The body is no JSON object')
}

/** A transfer to a bank account: like a bank's own form, it checks the digits of the IBAN. */
function transfer(body: Record<string, unknown>): object {
  const iban = textOf(body, 'iban', 34)
  const [amount, holder, reference] = [Number(body['amount']), textOf(body, 'holder'), textOf(body, 'reference')]
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Refusal(400, 'field', 'amount is a positive whole number')
  if (!isIban(iban)) throw new Refusal(400, 'iban_invalid', 'This is no IBAN')
  return {
    id: `tr_${createHash('sha256').update(`${iban} ${reference}`).digest('hex').slice(0, 20)}`,
    status: 'paid',
    amount,
    holder,
    reference,
  }
}

/** ISO 13616: the rearranged digits leave 1 when divided by 97. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

function textOf(body: Record<string, unknown>, name: string, longest = 200): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '' || value.length > longest) throw new Refusal(400, 'field', `${name} is missing or too long`)
  return value
}

function wishOf(body: Record<string, unknown>, fixed?: 0): IntentRequest {
  const text = (name: string, longest?: number): string => textOf(body, name, longest)
  const amount = fixed ?? body['amount']
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || (amount <= 0 && fixed === undefined))
    throw new Refusal(400, 'field', 'amount is a positive whole number')
  const market = text('market')
  if (!(markets as readonly string[]).includes(market)) throw new Refusal(400, 'field', 'market is unknown')
  const frameOrigin = text('frame_origin')
  const returnUrl = text('return_url', 2000)
  if (originOf(frameOrigin) !== frameOrigin || originOf(returnUrl) !== frameOrigin)
    throw new Refusal(400, 'field', 'return_url is not on frame_origin')
  return {
    amount,
    currency: text('currency', 3),
    reference: text('reference'),
    description: text('description'),
    market: market as Market,
    payLabel: text('pay_label'),
    returnUrl,
    frameOrigin,
    customer: body['customer'] === undefined ? null : text('customer'),
    ways: waysOf(body['ways']),
  }
}

function waysOf(given: unknown): Way[] {
  if (given === undefined) return []
  const known = Array.isArray(given) ? ways.filter((way) => given.includes(way)) : []
  if (!Array.isArray(given) || known.length !== given.length) throw new Refusal(400, 'field', 'ways are unknown')
  return known
}

function originOf(url: string): string | null {
  try {
    const { origin, protocol } = new URL(url)
    return protocol === 'http:' || protocol === 'https:' ? origin : null
  } catch {
    return null
  }
}
