import type { Currency } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { callJson } from './call-json.ts'
import { isSigned } from './is-signed.ts'
import { asFailureCode, paymentWays } from './payment.ts'
import {
  ForgedMessage,
  UnreadableMessage,
  ProviderRefusal,
  type CallOptions,
  type ChargebackState,
  type PaymentProvider,
  type ProviderCard,
  type ProviderChargeback,
  type ProviderPayment,
  type ProviderPayout,
  type ProviderSetup,
} from './provider.ts'

export interface EmbeddedSettings {
  /** Base URL of its API: "http://127.0.0.1:3001". Browsers may reach it under another name. */
  url: string
  secret: string
  webhookSecret: string
  timeoutMs?: number
}

/** A payment intent as the embedded provider serialises it. */
interface Wire {
  id: string
  status: string
  reference: string
  amount: number
  currency: string
  captured: number
  refunded: number
  failure_code: string | null
  card: { brand: string; last4: string } | null
  way?: unknown
  frame_url: string
}

const statuses: Record<string, ProviderPayment['status']> = {
  requires_card: 'initiated',
  requires_action: 'action-required',
  authorised: 'authorised',
  captured: 'captured',
  declined: 'failed',
  voided: 'voided',
  part_refunded: 'part-refunded',
  refunded: 'refunded',
}

export function embeddedProvider({ url, secret, webhookSecret, timeoutMs = 5000 }: EmbeddedSettings): PaymentProvider {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    options: { key?: string; signal?: AbortSignal },
    body?: object,
  ): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs)
    const { status, json } = await callJson({
      method,
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${secret}`, ...(options.key !== undefined && { 'idempotency-key': options.key }) },
      ...(body && { body }),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
    })
    if (status >= 200 && status < 300) return json
    const { code = 'unknown', message = '' } = ((json as { error?: object } | null)?.error ?? {}) as { code?: string; message?: string }
    if (status >= 500) throw new Error(`The payment provider answered ${status}`)
    throw new ProviderRefusal(code, message)
  }
  const path = (reference: string): string => `/v1/intents/${encodeURIComponent(reference)}`
  const one = async (answer: Promise<unknown>): Promise<ProviderPayment> => asPayment(await answer)
  return {
    name: 'embedded',
    createIntent: (request, options) =>
      one(
        call('POST', '/v1/intents', options, {
          amount: request.amount,
          currency: request.currency,
          reference: request.paymentId,
          description: request.customerOrderId,
          market: request.market,
          pay_label: request.payLabel,
          return_url: request.returnUrl,
          frame_origin: request.shopOrigin,
          ...(request.customer !== null && { customer: request.customer }),
          ...(request.ways && { ways: request.ways }),
        }),
      ),
    capture: (reference, options) => one(call('POST', `${path(reference)}/capture`, options, {})),
    void: (reference, options) => one(call('POST', `${path(reference)}/void`, options, {})),
    refund: (reference, amount, options) => one(call('POST', `${path(reference)}/refund`, options, { amount })),
    transfer: async (wish, options) => void (await call('POST', '/v1/transfers', options, wish)),
    payOut: async ({ payoutId, amount, currency, sortCode, accountNumber, holder }, options) => {
      const body = { amount, currency, sort_code: sortCode, account_number: accountNumber, holder, reference: payoutId }
      return asPayout(await call('POST', '/v1/payouts', options, body))
    },
    retrievePayout: async (reference, options) => asPayout(await call('GET', `/v1/payouts/${encodeURIComponent(reference)}`, options)),
    retrieve: (reference, options) => one(call('GET', path(reference), options)),
    retrieveChargeback: async (reference, options) => {
      const dispute = await call('GET', `/v1/disputes/${encodeURIComponent(reference)}`, options)
      return asChargeback(v.parse(v.object({ status: v.picklist(['open', 'won', 'lost']) }), dispute).status, dispute)
    },
    list: async ({ since, after }, options: Omit<CallOptions, 'key'>) => {
      const query = new URLSearchParams({ since: since.toISOString(), ...(after !== undefined && { after }) })
      const { data } = (await call('GET', `/v1/intents?${query}`, options)) as { data: unknown[] }
      return data.map(asPayment)
    },
    createCustomer: async (customerId, options) => {
      const { id } = (await call('POST', '/v1/customers', options, { reference: customerId })) as { id?: unknown }
      if (typeof id !== 'string') throw new Error('The response is not a customer')
      return id
    },
    createSetup: async (wish, options) =>
      asSetup(
        await call('POST', '/v1/setups', options, {
          reference: wish.setupId,
          description: wish.setupId,
          market: wish.market,
          pay_label: wish.payLabel,
          return_url: wish.returnUrl,
          frame_origin: wish.shopOrigin,
          customer: wish.customer,
        }),
      ),
    retrieveSetup: async (reference, options) => asSetup(await call('GET', path(reference), options)),
    chargeSaved: (reference, card, options) => one(call('POST', `${path(reference)}/confirm`, options, { card })),
    listCards: async (customer, options) => {
      const { data } = (await call('GET', `${customerPath(customer)}/cards`, options)) as { data: unknown[] }
      return data.map(asCard)
    },
    preferCard: async (customer, card, options) => {
      await call('POST', `${customerPath(customer)}/prefer`, options, { card }).catch(allowGone)
    },
    detachCard: async (card, options) => {
      await call('POST', `/v1/cards/${encodeURIComponent(card)}/detach`, options, {}).catch(allowGone)
    },
    deleteCustomer: async (customer, options) => {
      await call('POST', `${customerPath(customer)}/delete`, options, {}).catch(allowGone)
    },
    verifyWebhook: (rawBody, headers) => {
      const signature = headers['x-payment-signature']
      if (typeof signature !== 'string' || !isSigned(webhookSecret, rawBody, signature, Date.now())) {
        throw new ForgedMessage('The signature of the message is invalid')
      }
      try {
        const { id, type, intent, dispute } = v.parse(message, JSON.parse(rawBody))
        if (dispute !== undefined) return { id, type, ...asChargeback(disputeTypes[type], dispute) }
        const payment = asPayment(intent)
        return isSetup(intent) ? { id, type, setupId: payment.paymentId ?? '' } : { id, type, payment }
      } catch (error) {
        throw new UnreadableMessage('The message makes no sense', { cause: error })
      }
    },
  }
}

const message = v.object({ id: v.string(), type: v.string(), intent: v.optional(v.unknown()), dispute: v.optional(v.unknown()) })

const disputeOfWire = v.object({
  id: v.string(),
  intent: v.string(),
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  currency: v.picklist(['EUR', 'GBP']),
  reason: v.string(),
})
const disputeTypes: Record<string, ChargebackState> = { 'dispute.opened': 'open', 'dispute.won': 'won', 'dispute.lost': 'lost' }

/** @throws when message or response is not about a dispute */
function asChargeback(state: ChargebackState | undefined, dispute: unknown): ProviderChargeback {
  if (!state) throw new Error('The message is not about a dispute')
  const { id: chargebackReference, intent: reference, amount, currency, reason } = v.parse(disputeOfWire, dispute)
  return { chargebackReference, reference, state, amount, currency, reason }
}

function isSetup(intent: unknown): boolean {
  return typeof intent === 'object' && intent !== null && 'is_setup' in intent
}

const customerPath = (customer: string): string => `/v1/customers/${encodeURIComponent(customer)}`

/** Objects to delete or prefer that no longer exist need no further action. */
function allowGone(error: unknown): void {
  if (!(error instanceof ProviderRefusal) || !error.code.startsWith('unknown_')) throw error
}

const payoutStatuses = ['pending', 'paid', 'failed', 'returned'] as const

/** @throws when the response is not a payout: a malformed response must not move money */
function asPayout(value: unknown): ProviderPayout {
  const wire = value as { id?: unknown; status?: unknown; failure_code?: unknown } | null
  const status = payoutStatuses.find((each) => each === wire?.status)
  if (!wire || !status || typeof wire.id !== 'string') throw new Error('The response is not a payout')
  return { reference: wire.id, status, failureCode: typeof wire.failure_code === 'string' ? wire.failure_code : null }
}

/** @throws when the answer is not a card */
function asCard(value: unknown): ProviderCard {
  const wire = value as { id: string; brand: string; last4: string; exp_month: number; exp_year: number; created: string } | null
  if (!wire || typeof wire.id !== 'string' || !/^\d{4}$/.test(wire.last4)) throw new Error('The response is not a card')
  const { id, brand, last4, exp_month: expiryMonth, exp_year: expiryYear, created } = wire
  return { reference: id, brand, last4, expiryYear, expiryMonth, savedAt: new Date(created) }
}

/** @throws when the response is not a set-up */
function asSetup(value: unknown): ProviderSetup {
  const { reference, status, failureCode, frameUrl } = asPayment(value)
  const { setup_card: card = null } = value as { setup_card?: unknown }
  if (card !== null) return { reference, status: 'done', failureCode: null, card: asCard(card), frameUrl }
  return { reference, status: status === 'voided' ? 'failed' : 'open', failureCode, card: null, frameUrl }
}

/** @throws when the response is not an intent: a malformed response must not move money */
function asPayment(value: unknown): ProviderPayment {
  const wire = value as Wire | null
  const status = statuses[wire?.status ?? '']
  if (!wire || !status || typeof wire.id !== 'string' || !Number.isSafeInteger(wire.amount))
    throw new Error('The response is not a payment intent')
  return {
    reference: wire.id,
    paymentId: wire.reference,
    status,
    amount: wire.amount,
    currency: wire.currency as Currency,
    captured: wire.captured,
    refunded: wire.refunded,
    failureCode: status === 'failed' ? asFailureCode(wire.failure_code) : null,
    card: wire.card,
    way: paymentWays.find((way) => way === wire.way) ?? null,
    frameUrl: wire.frame_url,
  }
}
