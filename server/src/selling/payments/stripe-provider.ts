import type { Currency } from '@purlin/contract/markets.ts'
import type Stripe from 'stripe'
import * as v from 'valibot'
import { loadLate } from '#platform'
import { type FailureCode } from './payment.ts'
import {
  ForgedMessage,
  ProviderRefusal,
  UnreadableMessage,
  type FailedRefund,
  type PaymentProvider,
  type ProviderCard,
  type ProviderChargeback,
  type ProviderEvent,
  type ProviderPayment,
  type ProviderSetup,
} from './provider.ts'

const stripePackage = () => loadLate<typeof Stripe>('stripe')

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  publishableKey: string
  /** Page with Stripe's own card fields; receives the client secret and the publishable key in the fragment. */
  frameUrl: string
  /** Overrides the API's address, for the tests' fake. */
  apiUrl?: string
  timeoutMs?: number
}

const declines: Record<string, FailureCode> = {
  insufficient_funds: 'insufficient-funds',
  expired_card: 'expired-card',
  incorrect_cvc: 'wrong-code',
  lost_card: 'lost-card',
  stolen_card: 'lost-card',
  payment_intent_authentication_failure: 'authentication-failed',
  setup_intent_authentication_failure: 'authentication-failed',
  authentication_required: 'authentication-failed',
  issuer_not_available: 'unavailable',
}

const heard = new Set([
  'payment_intent.requires_action',
  'payment_intent.amount_capturable_updated',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.failed',
  'refund.updated',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.closed',
  'setup_intent.succeeded',
  'setup_intent.canceled',
])

const savedCards = {
  payment_element: {
    enabled: true,
    features: {
      payment_method_redisplay: 'enabled',
      payment_method_save: 'enabled',
      payment_method_save_usage: 'on_session',
      // Deleting is done in the account, where the shop hears of it.
      payment_method_remove: 'disabled',
    },
  },
} as const

/** Payments through Stripe: payment intents with manual capture, one per placement of an order. */
export function stripeProvider({
  secretKey,
  webhookSecret,
  publishableKey,
  frameUrl,
  apiUrl,
  timeoutMs = 5000,
}: StripeSettings): PaymentProvider {
  const api = apiUrl ? new URL(apiUrl) : undefined
  const stripe = new (stripePackage())(secretKey, {
    timeout: timeoutMs,
    // The worker retries with the same key.
    maxNetworkRetries: 0,
    ...(api && { host: api.hostname, port: Number(api.port), protocol: api.protocol === 'https:' ? 'https' : 'http' }),
  })
  const expand = ['latest_charge']
  const show = (intent: Stripe.PaymentIntent): ProviderPayment => asPayment(intent, frameUrl, publishableKey)
  const retrieve = async (reference: string): Promise<ProviderPayment> => show(await stripe.paymentIntents.retrieve(reference, { expand }))
  return {
    name: 'stripe',
    createIntent: async (wish, { key }) => {
      const { customer } = wish
      const intent = await stripe.paymentIntents.create(
        {
          amount: wish.amount,
          currency: wish.currency.toLowerCase(),
          capture_method: 'manual',
          description: wish.customerOrderId,
          metadata: { payment_id: wish.paymentId, order: wish.customerOrderId, return_url: wish.returnUrl },
          ...(customer !== null && { customer }),
        },
        { idempotencyKey: key },
      )
      const payment = show(intent)
      if (customer === null || payment.frameUrl === null) return payment
      // With it Stripe's own fields offer the saved cards, and ask whether to save a new one.
      const session = await stripe.customerSessions.create({ customer, components: savedCards }, { idempotencyKey: `${key}-session` })
      return { ...payment, frameUrl: `${payment.frameUrl}&${new URLSearchParams({ customer: session.client_secret })}` }
    },
    capture: async (reference, { key }) => show(await stripe.paymentIntents.capture(reference, { expand }, { idempotencyKey: key })),
    void: async (reference, { key }) => {
      try {
        return show(await stripe.paymentIntents.cancel(reference, { expand }, { idempotencyKey: key }))
      } catch (error) {
        // A captured intent cannot be cancelled: the response reports its state, and the caller refunds.
        if (error instanceof stripePackage().errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state')
          return retrieve(reference)
        throw error
      }
    },
    refund: async (reference, amount, { key }) => {
      const made = await stripe.refunds.create({ payment_intent: reference, amount }, { idempotencyKey: key }).catch(asRefusal)
      if (made.status === 'failed' || made.status === 'canceled')
        throw new ProviderRefusal(made.failure_reason ?? 'refund_failed', 'The card does not take it')
      return retrieve(reference)
    },
    // Stripe pays out to its own accounts only: the operator's bank makes the transfer.
    transfer: () => Promise.reject(new ProviderRefusal('transfers_unsupported', 'No transfers to other accounts')),
    payOut: () => Promise.reject(new ProviderRefusal('payouts_unsupported', 'No payouts to accounts of others')),
    retrievePayout: () => Promise.reject(new ProviderRefusal('payouts_unsupported', 'No payouts to accounts of others')),
    retrieve,
    retrieveChargeback: async (reference) => asChargeback(await stripe.disputes.retrieve(reference)),
    list: async ({ since, after }) => {
      const page = await stripe.paymentIntents.list({
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
        expand: ['data.latest_charge'],
        ...(after !== undefined && { starting_after: after }),
      })
      return page.data.map(show)
    },
    createCustomer: async (customerId, { key }) =>
      (await stripe.customers.create({ metadata: { customer: customerId } }, { idempotencyKey: key })).id,
    createSetup: async ({ setupId, customer }, { key }) => {
      const wish = { customer, usage: 'off_session', payment_method_types: ['card'], metadata: { setup_id: setupId } } as const
      return asSetup(await stripe.setupIntents.create(wish, { idempotencyKey: key }), frameUrl, publishableKey)
    },
    retrieveSetup: async (reference) =>
      asSetup(await stripe.setupIntents.retrieve(reference, { expand: ['payment_method'] }), frameUrl, publishableKey),
    chargeSaved: async (reference, card, { key }) => {
      const known = await stripe.paymentIntents.retrieve(reference, { expand })
      const isOpen = known.status === 'requires_payment_method' || known.status === 'requires_confirmation'
      const confirmed = isOpen
        ? await stripe.paymentIntents
            .confirm(reference, { payment_method: card, off_session: true, expand }, { idempotencyKey: key })
            .catch((error: unknown) => {
              // The bank's refusal: the intent says which.
              if (error instanceof stripePackage().errors.StripeCardError) return stripe.paymentIntents.retrieve(reference, { expand })
              throw error
            })
        : known
      if (confirmed.status !== 'requires_capture') return show(confirmed)
      return show(await stripe.paymentIntents.capture(reference, { expand }, { idempotencyKey: `${key}-capture` }))
    },
    listCards: async (customer) => {
      // Saved with consent alone: Stripe attaches other cards too, which may not be offered again.
      const page = await stripe.customers.listPaymentMethods(customer, { type: 'card', allow_redisplay: 'always', limit: 100 })
      return onceEach(page.data)
    },
    preferCard: async (customer, card, { key }) => {
      const settings = { invoice_settings: { default_payment_method: card } }
      await stripe.customers.update(customer, settings, { idempotencyKey: key }).catch(allowGone)
    },
    detachCard: async (card, { key }) => {
      await stripe.paymentMethods.detach(card, {}, { idempotencyKey: key }).catch(allowGone)
    },
    deleteCustomer: async (customer, { key }) => {
      await stripe.customers.del(customer, {}, { idempotencyKey: key }).catch(allowGone)
    },
    verifyWebhook: (rawBody, headers) => {
      const signature = headers['stripe-signature']
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(rawBody, typeof signature === 'string' ? signature : '', webhookSecret)
      } catch (error) {
        throw new ForgedMessage('The signature of the message is not right', { cause: error })
      }
      try {
        return messageOf(event, show)
      } catch (error) {
        throw new UnreadableMessage('The message makes no sense', { cause: error })
      }
    },
  }
}

const envelope = v.object({
  id: v.string(),
  type: v.string(),
  data: v.object({ object: v.object({ id: v.string(), object: v.string() }) }),
})

/** What an event of Stripe says to the shop; null for what it does not listen to. Throws what is no event. */
function messageOf(event: Stripe.Event, show: (intent: Stripe.PaymentIntent) => ProviderPayment): ProviderEvent | null {
  v.assert(envelope, event)
  if (!heard.has(event.type)) return null
  const { object } = event.data
  if (object.object === 'setup_intent') {
    const setupId = object.metadata?.['setup_id']
    return setupId === undefined ? null : { id: event.id, type: event.type, setupId }
  }
  if (object.object === 'refund') return failedRefund(event.id, event.type, object)
  if (object.object === 'dispute') {
    const chargeback = asChargeback(object)
    return chargeback && { id: event.id, type: event.type, ...chargeback }
  }
  // A refund is reported through its charge, which knows only part of the intent: reconciliation reads the rest.
  return object.object === 'payment_intent' ? { id: event.id, type: event.type, payment: show(object) } : null
}

const minorUnits = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Banks report days later that an account is closed, or a card too old: Stripe has the money again, and says so up to three times. */
function failedRefund(id: string, type: string, refund: Stripe.Refund): FailedRefund | null {
  const { status, payment_intent: intent, amount, failure_reason: reason } = refund
  const reference = typeof intent === 'string' ? intent : intent?.id
  if ((status !== 'failed' && status !== 'canceled') || !reference) return null
  return { id, type, refundReference: refund.id, reference, amount: v.parse(minorUnits, amount), reason: reason ?? 'refund_failed' }
}

/** A dispute. An inquiry, which takes no money yet, holds the seller's in the same way, and closes without a decision. */
function asChargeback(dispute: Stripe.Dispute): ProviderChargeback | null {
  const { payment_intent: intent, amount, currency, reason, status } = dispute
  const reference = typeof intent === 'string' ? intent : intent?.id
  if (!reference) return null
  const state = status === 'lost' ? 'lost' : status === 'won' || status === 'warning_closed' ? 'won' : 'open'
  const about = { chargebackReference: dispute.id, reference, state, reason } as const
  return { ...about, amount: v.parse(minorUnits, amount), currency: v.parse(v.picklist(['EUR', 'GBP']), currency.toUpperCase()) }
}

/** Stripe refuses some refunds at once; anything else is retried. */
function asRefusal(error: unknown): never {
  if (error instanceof stripePackage().errors.StripeInvalidRequestError)
    throw new ProviderRefusal(error.code ?? 'refund_refused', error.message)
  throw error
}

/** A card or customer that no longer exists. */
function allowGone(error: unknown): void {
  if (!(error instanceof stripePackage().errors.StripeInvalidRequestError)) throw error
  if (error.code !== 'resource_missing' && error.code !== 'payment_method_unexpected_state') throw error
}

/** Stripe makes a payment method each time a card is saved; of the same card the newest counts. */
function onceEach(methods: readonly Stripe.PaymentMethod[]): ProviderCard[] {
  const cards = new Map<string, ProviderCard>()
  for (const { id, card, created } of methods.toSorted((one, other) => one.created - other.created)) {
    if (!card) continue
    const { brand, last4, exp_year: expiryYear, exp_month: expiryMonth } = card
    cards.set(card.fingerprint ?? id, { reference: id, brand, last4, expiryYear, expiryMonth, savedAt: new Date(created * 1000) })
  }
  return [...cards.values()]
}

function asPayment(intent: Stripe.PaymentIntent, frameUrl: string, publishableKey: string): ProviderPayment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const refunded = charge?.amount_refunded ?? 0
  const card = charge?.payment_method_details?.card
  const failure = intent.last_payment_error
  return {
    reference: intent.id,
    paymentId: intent.metadata['payment_id'] ?? null,
    status: statusOf(intent, refunded),
    amount: intent.amount,
    currency: intent.currency.toUpperCase() as Currency,
    captured: intent.amount_received,
    refunded,
    failureCode: failure ? (declines[failure.decline_code ?? ''] ?? declines[failure.code ?? ''] ?? 'declined') : null,
    card: card?.last4 ? { brand: card.brand ?? 'card', last4: card.last4 } : null,
    frameUrl: intent.client_secret ? `${frameUrl}#${new URLSearchParams({ secret: intent.client_secret, key: publishableKey })}` : null,
  }
}

function asSetup(setup: Stripe.SetupIntent, frameUrl: string, publishableKey: string): ProviderSetup {
  const method = typeof setup.payment_method === 'object' ? setup.payment_method : null
  const failure = setup.last_setup_error
  const isDone = setup.status === 'succeeded' && method !== null
  return {
    reference: setup.id,
    status: isDone ? 'done' : setup.status === 'canceled' ? 'failed' : 'open',
    failureCode: failure ? (declines[failure.decline_code ?? ''] ?? declines[failure.code ?? ''] ?? 'declined') : null,
    card: isDone ? (onceEach([method])[0] ?? null) : null,
    frameUrl: setup.client_secret ? `${frameUrl}#${new URLSearchParams({ secret: setup.client_secret, key: publishableKey })}` : null,
  }
}

function statusOf(intent: Stripe.PaymentIntent, refunded: number): ProviderPayment['status'] {
  switch (intent.status) {
    case 'requires_action':
      return 'action-required'
    case 'requires_capture':
      return 'authorised'
    case 'succeeded':
      if (refunded === 0) return 'captured'
      return refunded < intent.amount_received ? 'part-refunded' : 'refunded'
    case 'canceled':
      return 'voided'
    case 'requires_payment_method':
      return intent.last_payment_error ? 'failed' : 'initiated'
    default:
      return 'initiated'
  }
}
