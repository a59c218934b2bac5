import type { Currency } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { callJson } from './call-json.ts'
import type { CreditProvider, Debtor, ProviderClaim, ProviderDebit } from './credit-provider.ts'
import { isSigned } from './is-signed.ts'
import { asFailureCode } from './payment.ts'
import { ForgedMessage, ProviderRefusal, UnreadableMessage, type CallOptions, type ProviderPayment } from './provider.ts'

export interface CreditSettings {
  /** Base URL of its API. */
  url: string
  apiKey: string
  webhookSecret: string
  timeoutMs?: number
}

const statuses: Record<string, ProviderPayment['status']> = {
  waiting: 'action-required',
  pre_approved: 'action-required',
  authorized: 'authorised',
  created: 'captured',
  declined: 'failed',
  canceled: 'voided',
  partially_refunded: 'part-refunded',
  refunded: 'refunded',
}
const amount = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const orderWire = v.object({
  uuid: v.pipe(v.string(), v.minLength(1)),
  external_code: v.string(),
  state: v.picklist(['waiting', 'pre_approved', 'authorized', 'created', 'declined', 'canceled', 'partially_refunded', 'refunded']),
  amount,
  currency: v.picklist(['EUR', 'GBP']),
  confirmed: amount,
  refunded: amount,
  reduced: v.optional(amount),
  decline_reason: v.nullable(v.string()),
  page_url: v.nullable(v.pipe(v.string(), v.url())),
})
const invoiceWire = v.object({
  uuid: v.string(),
  external_code: v.pipe(v.string(), v.uuid()),
  due_date: v.pipe(v.string(), v.isoDate()),
  credited: amount,
  paid: amount,
  returned: v.optional(amount, 0),
})
const collectionWire = v.object({
  payee: v.object({ holder: v.string(), iban: v.string(), bic: v.string(), remittance: v.string() }),
  invoices: v.array(invoiceWire),
})
const mandateWire = v.object({ state: v.picklist(['active', 'rejected', 'revoked']) })
const debitWire = v.object({
  external_code: v.pipe(v.string(), v.uuid()),
  amount,
  state: v.picklist(['submitted', 'settled', 'returned', 'canceled']),
  reason: v.nullable(v.pipe(v.string(), v.maxLength(40))),
  invoices: v.array(invoiceWire),
})
const limitWire = v.object({ limit: amount, currency: v.picklist(['EUR', 'GBP']), accepted: v.boolean() })
const message = v.variant('event', [
  v.object({ id: v.string(), event: v.literal('order'), type: v.string(), order: orderWire }),
  v.object({ id: v.string(), event: v.literal('invoice'), type: v.string(), invoice: invoiceWire }),
  v.object({ id: v.string(), event: v.literal('debit'), type: v.string(), debit: debitWire }),
])

/** Adapter for the embedded credit provider, whose API has the shape of Billie's. */
export function embeddedCredit({ url, apiKey, webhookSecret, timeoutMs = 8000 }: CreditSettings): CreditProvider {
  async function call(method: 'GET' | 'POST', path: string, options: Partial<CallOptions>, body?: object): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs)
    const { status, json } = await callJson({
      method,
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${apiKey}`, ...(options.key !== undefined && { 'idempotency-key': options.key }) },
      ...(body && { body }),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
    })
    if (status >= 200 && status < 300) return json
    if (status >= 500) throw new Error(`The credit provider answered ${status}`)
    const refused = v.safeParse(v.object({ error: v.object({ code: v.string() }) }), json)
    throw new ProviderRefusal(refused.success ? refused.output.error.code : 'unknown', `The credit provider answered ${status}`)
  }
  const path = (reference: string): string => `/v2/orders/${encodeURIComponent(reference)}`
  const order = async (answer: Promise<unknown>): Promise<ProviderPayment> => asPayment(v.parse(orderWire, await answer))
  return {
    name: 'credit',
    requestCredit: ({ debtor, ...request }, options) =>
      order(
        call('POST', '/v2/orders', options, {
          external_code: request.paymentId,
          description: request.customerOrderId,
          amount: request.amount,
          currency: request.currency,
          duration: 30,
          market: request.market,
          return_url: request.returnUrl,
          debtor: debtorWire(debtor),
        }),
      ),
    capture: (reference, options) => order(call('POST', `${path(reference)}/confirm`, options, {})),
    void: (reference, options) => order(call('POST', `${path(reference)}/cancel`, options, {})),
    refund: (reference, refunded, { reduction, ...options }) =>
      order(
        call('POST', `${path(reference)}/reduce`, options, {
          amount: refunded,
          shipment: reduction?.sellerOrderId ?? null,
          invoiced: reduction?.isInvoiced ?? false,
        }),
      ),
    retrieve: (reference, options) => order(call('GET', path(reference), options)),
    invoice: async (reference, invoice, options) => {
      const body = {
        order: reference,
        external_code: invoice.claimId,
        number: invoice.number,
        shipment: invoice.sellerOrderId,
        amount: invoice.amount,
        currency: invoice.currency,
        issued_on: invoice.issuedOn,
      }
      return asClaim(v.parse(invoiceWire, await call('POST', '/v2/invoices', options, body)))
    },
    collect: async ({ statementId, number, dueOn, claimIds }, options) => {
      const body = { external_code: statementId, number, due_date: dueOn, invoices: claimIds }
      const { payee, invoices } = v.parse(collectionWire, await call('POST', '/v2/collections', options, body))
      return { payee, claims: invoices.map(asClaim) }
    },
    registerMandate: async ({ reference, companyId, holder, iban }, options) => {
      const body = { external_code: reference, debtor: companyId, holder, iban }
      return { isAccepted: v.parse(mandateWire, await call('POST', '/v2/mandates', options, body)).state === 'active' }
    },
    endMandate: async (reference, options) => {
      await call('POST', `/v2/mandates/${encodeURIComponent(reference)}/revoke`, options, {})
    },
    debit: async ({ statementId, mandateReference, amount: most }, options) => {
      const body = { external_code: statementId, mandate: mandateReference, amount: most }
      return asDebit(v.parse(debitWire, await call('POST', '/v2/debits', options, body)))
    },
    retrieveLimit: async (debtor, currency, options) => {
      const query = new URLSearchParams({ ...debtorWire(debtor), currency })
      const { accepted, ...limit } = v.parse(limitWire, await call('GET', `/v2/debtors/limit?${query}`, options))
      return { ...limit, isAccepted: accepted }
    },
    verifyMessage: (rawBody, headers) => {
      const signature = headers['x-credit-signature']
      if (typeof signature !== 'string' || !isSigned(webhookSecret, rawBody, signature, Date.now())) {
        throw new ForgedMessage('The signature of the message is invalid')
      }
      try {
        const parsed = v.parse(message, JSON.parse(rawBody))
        const { id, type } = parsed
        if (parsed.event === 'invoice') return { kind: 'claim', id, type, claim: asClaim(parsed.invoice) }
        if (parsed.event === 'debit') return { kind: 'debit', id, type, debit: asDebit(parsed.debit) }
        return { kind: 'order', id, type, payment: asPayment(parsed.order) }
      } catch (error) {
        throw new UnreadableMessage('The message makes no sense', { cause: error })
      }
    },
  }
}

const debtorWire = ({ companyId, name, registrationNumber, country }: Debtor) => ({
  external_code: companyId,
  name,
  registration_number: registrationNumber,
  country,
})

function asClaim({ uuid, external_code, due_date, credited, paid, returned }: v.InferOutput<typeof invoiceWire>): ProviderClaim {
  return { claimId: external_code, reference: uuid, dueOn: due_date, credited, repaid: paid, reversed: returned }
}

function asDebit({ external_code: statementId, invoices, ...debit }: v.InferOutput<typeof debitWire>): ProviderDebit {
  return { statementId, ...debit, claims: invoices.map(asClaim) }
}

function asPayment(wire: v.InferOutput<typeof orderWire>): ProviderPayment {
  const status = statuses[wire.state] ?? 'failed'
  return {
    reference: wire.uuid,
    paymentId: wire.external_code,
    status,
    amount: wire.amount,
    currency: wire.currency satisfies Currency,
    captured: wire.confirmed,
    refunded: wire.refunded,
    reduced: wire.reduced,
    failureCode: status === 'failed' ? asFailureCode(wire.decline_reason) : null,
    card: null,
    frameUrl: wire.page_url,
  }
}
