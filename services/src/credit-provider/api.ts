import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { createDebit, createMandate, isBeingCollected, refundDebit, revokeMandate, settleDebit } from './direct-debit.ts'
import { decide, isAccepted, limitOf } from './rules.ts'
import { owedOf, type Invoice, type Order, type Store } from './store.ts'
import { failed, invoiceWire, orderWire, type Reply, type Tell } from './wire.ts'

const line = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))
const money = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000))
const currency = v.picklist(['EUR', 'GBP'])
const debtor = v.object({ external_code: line, name: line, registration_number: line, country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)) })
const wantedOrder = v.object({
  external_code: line,
  description: line,
  amount: money,
  currency,
  market: v.picklist(['es', 'fr', 'gb', 'de', 'it']),
  return_url: v.pipe(v.string(), v.url()),
  debtor,
})
const wantedInvoice = v.object({
  order: line,
  external_code: line,
  number: line,
  shipment: line,
  amount: money,
  issued_on: v.pipe(v.string(), v.isoDate()),
})
const wantedReduction = v.object({ amount: money, shipment: v.nullable(line), invoiced: v.boolean() })
const wantedCollection = v.object({
  external_code: line,
  number: line,
  due_date: v.pipe(v.string(), v.isoDate()),
  invoices: v.pipe(v.array(line), v.minLength(1), v.maxLength(1000)),
})
const paid = v.object({ amount: v.optional(money) })

const termDays = 30
/** Later than this after its date no invoice is collected (2011/7/EU, article 3). */
const longestTermDays = 60
const running: ReadonlySet<Order['state']> = new Set(['waiting', 'pre_approved', 'authorized', 'created', 'partially_refunded'])

export interface Call {
  method: string
  url: URL
  authorization: string
  idempotencyKey: string
  text: string
}

/** The part of a credit provider's API that a shop needs: orders with a decision, invoices, their joint collection, also by direct debit, reductions, limits. */
export function createApi({ store, apiKey, origin, tell, now }: ApiOptions) {
  const show = (order: Order, status = 200): Reply => ({ status, body: orderWire(order, origin()) })

  /** A company is its registration number, whatever its clients call it. */
  const usedOf = (registrationNumber: string): number => {
    const open = store.ordersOf(registrationNumber).filter(({ state }) => running.has(state))
    // What was paid beyond an invoice, because its goods came back later, pays no other.
    return open.reduce((all, { uuid, amount, reduced }) => {
      const invoices = store.invoicesOf(uuid)
      const rest = amount - reduced - invoices.reduce((sum, each) => sum + each.amount, 0)
      return all + Math.max(0, rest) + invoices.reduce((sum, each) => sum + owedOf(each), 0)
    }, 0)
  }

  function create(body: unknown): Reply {
    const parsed = v.safeParse(wantedOrder, body)
    if (!parsed.success) return failed(422, 'invalid_order')
    const { external_code: code, return_url: returnUrl, ...wanted } = parsed.output
    const known = store.orderByCode(code)
    if (known) return show(known)
    const { registration_number: registrationNumber } = wanted.debtor
    const decision = decide({ registrationNumber, amount: wanted.amount, used: usedOf(registrationNumber) })
    const ids = { uuid: randomUUID(), secret: randomBytes(24).toString('base64url'), createdAt: Date.now() }
    const order: Order = { ...wanted, ...ids, code, returnUrl, ...decision, confirmed: 0, refunded: 0, reduced: 0 }
    store.saveOrder(order)
    return show(order, 201)
  }

  function confirm(order: Order): Reply {
    if (order.state !== 'authorized') return order.confirmed > 0 ? show(order) : failed(409, 'not_authorized')
    const next: Order = { ...order, state: 'created', confirmed: order.amount }
    store.saveOrder(next)
    return show(next)
  }

  /** An order that was confirmed is reduced instead. */
  function cancel(order: Order): Reply {
    if (order.confirmed > 0 || order.state === 'canceled') return show(order)
    const next: Order = { ...order, state: 'canceled' }
    store.saveOrder(next)
    return show(next)
  }

  function reduce(order: Order, body: unknown): Reply {
    const parsed = v.safeParse(wantedReduction, body)
    if (!parsed.success) return failed(422, 'invalid_amount')
    const { amount, shipment, invoiced } = parsed.output
    if (order.confirmed === 0) return failed(409, 'not_refundable')
    if (amount > order.amount - order.refunded) return failed(422, 'amount_too_large')
    const invoices = store.invoicesOf(order.uuid)
    const open = order.amount - order.reduced - invoices.reduce((all, each) => all + each.amount, 0)
    let left = amount
    let reduced = 0
    const takeOpen = (): void => {
      reduced += Math.min(left, Math.max(0, open - reduced))
      left = amount - reduced - credited
    }
    let credited = 0
    const credit = (of: readonly Invoice[]): void => {
      for (const invoice of of) {
        const part = Math.min(left, invoice.amount - invoice.credited)
        if (part <= 0) continue
        credited += part
        left -= part
        const next = { ...invoice, credited: invoice.credited + part }
        store.saveInvoice(next)
        tell('invoice', 'invoice.credited', invoiceWire(next))
      }
    }
    const own = invoices.filter((invoice) => invoice.shipment === shipment)
    if (invoiced) credit(own)
    takeOpen()
    if (!invoiced) credit(own)
    credit(store.invoicesOf(order.uuid))
    const refunded = order.refunded + amount
    const state = refunded === order.amount ? 'refunded' : 'partially_refunded'
    const next: Order = { ...order, refunded, reduced: order.reduced + reduced, state }
    store.saveOrder(next)
    return show(next)
  }

  function invoice(body: unknown): Reply {
    const parsed = v.safeParse(wantedInvoice, body)
    if (!parsed.success) return failed(422, 'invalid_invoice')
    const { external_code: code, number, shipment, amount, issued_on } = parsed.output
    const order = store.order(parsed.output.order)
    if (!order || order.confirmed === 0) return failed(404, 'unknown_order')
    const known = store.invoiceByCode(code)
    if (known) return { status: 200, body: invoiceWire(known) }
    const invoiced = store.invoicesOf(order.uuid).reduce((all, each) => all + each.amount, 0)
    if (amount > order.amount - invoiced) return failed(422, 'amount_too_large')
    // Reductions from before the goods left: the invoice states the price as sold, its credit note the reduction.
    const credited = Math.max(0, invoiced + amount + order.reduced - order.amount)
    const dueOn = addDays(issued_on, termDays)
    const next: Invoice = {
      uuid: randomUUID(),
      code,
      order: order.uuid,
      number,
      shipment,
      amount,
      credited,
      paid: 0,
      dueOn,
      isLateTold: false,
    }
    store.saveInvoice(next)
    store.saveOrder({ ...order, reduced: order.reduced - credited })
    return { status: 201, body: invoiceWire(next) }
  }

  /**
   * Moves the invoices of a company to one due date, never to an earlier one nor beyond the longest term, and names the account for
   * their sum. The same collection again returns where its invoices stand.
   */
  function collect(body: unknown): Reply {
    const parsed = v.safeParse(wantedCollection, body)
    if (!parsed.success) return failed(422, 'invalid_collection')
    const { external_code: code, number, due_date: dueOn, invoices: codes } = parsed.output
    const found = (store.collectionByCode(code)?.invoices ?? codes).map((each) => store.invoiceByCode(each))
    const invoices = found.filter((each) => each !== undefined)
    const [first] = invoices
    const order = first && store.order(first.order)
    if (!order || invoices.length < found.length) return failed(404, 'unknown_invoice')
    const debtors = new Set(invoices.map((each) => store.order(each.order)?.debtor.external_code))
    if (debtors.size > 1) return failed(422, 'several_debtors')
    if (!store.collectionByCode(code)) {
      store.saveCollection({ uuid: randomUUID(), code, debtor: order.debtor.external_code, number, dueOn, invoices: codes })
      for (const each of invoices) {
        const longest = addDays(each.dueOn, longestTermDays - termDays)
        store.saveInvoice({ ...each, dueOn: each.dueOn > dueOn ? each.dueOn : dueOn < longest ? dueOn : longest })
      }
    }
    const now = invoices.flatMap((each) => store.invoiceByCode(each.code) ?? [])
    return { status: 200, body: { external_code: code, payee: payeeOf(order.currency, number), invoices: now.map(invoiceWire) } }
  }

  /** The sandbox: the company pays what it owes, or a part of it. */
  function pay(code: string, body: unknown): Reply {
    const known = store.invoiceByCode(code)
    const parsed = v.safeParse(paid, body)
    if (!known || !parsed.success) return failed(404, 'unknown_invoice')
    if (isBeingCollected(store, code)) return failed(409, 'debit_under_way')
    const owed = owedOf(known)
    const next = { ...known, paid: known.paid + Math.min(owed, parsed.output.amount ?? owed) }
    store.saveInvoice(next)
    tell('invoice', 'invoice.paid', invoiceWire(next))
    return { status: 200, body: invoiceWire(next) }
  }

  function limit(query: URLSearchParams): Reply {
    const parsed = v.safeParse(v.object({ ...debtor.entries, currency }), Object.fromEntries(query))
    if (!parsed.success) return failed(422, 'invalid_debtor')
    const { registration_number: number, currency: of } = parsed.output
    const accepted = isAccepted(number)
    return { status: 200, body: { limit: accepted ? (limitOf(number) ?? 0) : 0, currency: of, accepted } }
  }

  function route(method: string, url: URL, body: unknown): Reply {
    const [, uuid = '', act = ''] = /^\/v2\/orders\/([\w-]{1,64})(?:\/(confirm|cancel|reduce))?$/.exec(url.pathname) ?? []
    const order = uuid ? store.order(uuid) : undefined
    if (order && method === 'GET' && !act) return show(order)
    if (order && method === 'POST' && act === 'confirm') return confirm(order)
    if (order && method === 'POST' && act === 'cancel') return cancel(order)
    if (order && method === 'POST' && act === 'reduce') return reduce(order, body)
    if (method === 'POST' && url.pathname === '/v2/orders') return create(body)
    if (method === 'POST' && url.pathname === '/v2/invoices') return invoice(body)
    if (method === 'POST' && url.pathname === '/v2/collections') return collect(body)
    if (method === 'POST' && url.pathname === '/v2/mandates') return createMandate(store, body)
    if (method === 'POST' && url.pathname === '/v2/debits') return createDebit(store, body, now())
    if (method === 'GET' && url.pathname === '/v2/debtors/limit') return limit(url.searchParams)
    const [, code = '', step = ''] =
      /^\/(?:v2\/mandates|sandbox\/invoices|sandbox\/debits)\/([\w-]{1,64})\/(revoke|pay|settle|refund)$/.exec(url.pathname) ?? []
    if (method === 'POST' && step === 'revoke') return revokeMandate(store, code)
    if (method === 'POST' && step === 'settle') return settleDebit(store, tell, code, now())
    if (method === 'POST' && step === 'refund') return refundDebit(store, tell, code, now())
    return method === 'POST' && step === 'pay' ? pay(code, body) : failed(404, uuid ? 'unknown_order' : 'not_found')
  }

  /** A command is executed once per idempotency key; the same key with another body is refused. */
  return ({ method, url, authorization, idempotencyKey, text }: Call): Reply => {
    if (!isKey(authorization, apiKey)) return failed(401, 'unauthorized')
    const body = parse(text)
    if (method !== 'POST' || idempotencyKey === '') return route(method, url, body)
    return store.together(() => {
      const hash = createHash('sha256').update(`${url.pathname}\n${text}`).digest('hex')
      const kept = store.keptAnswer(idempotencyKey)
      if (kept) return kept.hash === hash ? { status: kept.status, body: parse(kept.body) } : failed(409, 'key_reused')
      const reply = route(method, url, body)
      store.keepAnswer(idempotencyKey, { hash, status: reply.status, body: JSON.stringify(reply.body) })
      return reply
    })
  }
}

interface ApiOptions {
  store: Store
  apiKey: string
  origin: () => string
  tell: Tell
  now: () => number
}

/** The account to which companies transfer; its numbers are those of the banks' own examples. */
export function payeeOf(currency: 'EUR' | 'GBP', remittance: string) {
  const account =
    currency === 'GBP' ? { iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22' } : { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }
  return { holder: 'Purlin Credit Provider', ...account, remittance }
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isKey(authorization: string, apiKey: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization), hash(`Bearer ${apiKey}`))
}
