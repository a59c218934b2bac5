import type { EventPayloads } from '#events'
import { enqueue, every, job, on, type Db } from '#platform'
import { applyProviderState } from './apply-provider-state.ts'
import { compareLists, listAll } from './compare-lists.ts'
import { requestIntent, type IntentResult } from './request-intent.ts'
import { cardJobs } from './card-jobs.ts'
import { readChargeback, readOpenChargebacks } from './chargeback-store.ts'
import { receiveChargeback } from './receive-chargeback.ts'
import type { KnownPayment, Payment } from './payment.ts'
import { ProviderRefusal, type ProviderChargeback, type ProviderPayment } from './provider.ts'
import { creditProvider, paymentProvider, providerOf } from './settings.ts'
import { remindOfExpiry } from './remind-of-expiry.ts'
import { writeProviderCustomer } from './saved-card-store.ts'
import { lockPayment, readPayment, takeDueChecks, writeReference } from './store.ts'
import { keyOf } from './keys.ts'

export const handlers = [
  on('payment.requested', 'payments.create-intent', {
    call: async ({ db, signal, attempt }, { paymentId, customerOrderId, asked }) => {
      const payment =
        // Events of the release before do not name the storefront, which decides on the ways to pay.
        asked?.mode && attempt === 1
          ? {
              customerId: null,
              companyId: null,
              provider: paymentProvider().name,
              ...asked,
              mode: asked.mode,
              id: paymentId,
              customerOrderId,
              authorisations: 0,
            }
          : await stillAsked(db, paymentId)
      return payment && requestIntent(db, payment, signal)
    },
    commit: async (scope, { paymentId }, answer: IntentResult | null) => {
      if (!answer) return
      const { db } = scope
      const { intent, newCustomer } = answer
      await Promise.all([
        writeReference(db, paymentId, intent),
        newCustomer && writeProviderCustomer(db, newCustomer.customerId, paymentProvider().name, newCustomer.reference),
      ])
      // A credit provider has decided at once; cards are entered later.
      if (intent.status !== 'initiated') await applyProviderState(scope, paymentId, intent, 'request')
    },
  }),
  on('payment.authorised', 'payments.capture', {
    // Abandoned in the meantime: the provider captures nothing that was voided, and what it did capture is refunded.
    call: async ({ db, signal, attempt }, event) => {
      const payment = (attempt === 1 && asAuthorised(event)) || (await readPayment(db, event.paymentId))
      if (!payment?.providerReference || payment.state !== 'authorised' || payment.abandoned !== null) return null
      return { payment, seen: await captureOrSee(payment, payment.providerReference, signal) }
    },
    commit: async (scope, { paymentId }, answer: { payment: KnownPayment; seen: ProviderPayment } | null) => {
      if (answer) await applyProviderState(scope, paymentId, answer.seen, 'capture', answer.payment)
    },
  }),
  on('payment.void-requested', 'payments.void', {
    call: async ({ db, signal }, { paymentId }) => {
      const payment = await readPayment(db, paymentId)
      if (!payment || payment.state === 'refunded') return null
      // Requested but never acknowledged: the same key finds the intent, so that no open intent is left behind.
      const reference = payment.providerReference ?? (await requestIntent(db, payment, signal)).intent.reference
      return providerOf(payment).void(reference, { key: keyOf(payment, 'void'), signal })
    },
    commit: async (scope, { paymentId }, seen: ProviderPayment | null) => {
      if (seen) await applyProviderState(scope, paymentId, seen, 'void')
    },
  }),
  on('payment.refund-requested', 'payments.refund', {
    call: async ({ db, signal }, { paymentId, amount }) => {
      const payment = await readPayment(db, paymentId)
      if (!payment?.providerReference || payment.refunded >= payment.captured) return null
      const provider = payment.companyId === null ? paymentProvider() : creditProvider()
      return provider.refund(payment.providerReference, amount, { key: keyOf(payment, 'refund'), signal })
    },
    commit: async (scope, { paymentId }, seen: ProviderPayment | null) => {
      if (seen) await applyProviderState(scope, paymentId, seen, 'refund')
    },
  }),
  on('payment.check-requested', 'payments.check', {
    call: async ({ db, signal }, { checkedPaymentId: paymentId }) => {
      const payment = await readPayment(db, paymentId)
      if (!payment) return null
      if (payment.providerReference !== null) return providerOf(payment).retrieve(payment.providerReference, { signal })
      return (await requestIntent(db, payment, signal)).intent
    },
    commit: async (scope, { checkedPaymentId: paymentId }, seen: ProviderPayment | null) => {
      const payment = seen && (await lockPayment(scope.db, paymentId))
      if (!payment) return
      if (payment.providerReference === null) await writeReference(scope.db, paymentId, seen)
      const applied = await applyProviderState(scope, paymentId, seen, 'reconciliation')
      // Authorised on both sides and still listed: its capture, or its void, was lost or dead-lettered.
      if (applied === 'ignored' && payment.state === 'authorised') {
        scope.emit(payment.abandoned === null ? 'payment.authorised' : 'payment.void-requested', {
          paymentId,
          customerOrderId: payment.customerOrderId,
        })
      }
    },
  }),
]

/** A payment whose intent has not been created yet. */
async function stillAsked(db: Db, id: string): Promise<Payment | null> {
  const payment = await readPayment(db, id)
  return payment?.state === 'initiated' && payment.abandoned === null ? payment : null
}

/** The payment as of the event; undefined for events of earlier releases. */
function asAuthorised({ paymentId, customerOrderId, authorised }: EventPayloads['payment.authorised']): KnownPayment | undefined {
  if (!authorised) return undefined
  const { reference, ...rest } = authorised
  const asWritten = { customerId: null, state: 'authorised', abandoned: null, failureCode: null, captured: 0, refunded: 0 } as const
  return { ...asWritten, ...rest, id: paymentId, customerOrderId, providerReference: reference }
}

/** Handles a declined capture: the payment is read back and its reported state applied. */
async function captureOrSee(payment: KnownPayment, reference: string, signal: AbortSignal): Promise<ProviderPayment> {
  const provider = providerOf(payment)
  try {
    return await provider.capture(reference, { key: keyOf(payment, 'capture'), signal })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    return provider.retrieve(reference, { signal })
  }
}

/** Payments checked per reconciliation run. */
const atOnce = 20

/** Open chargebacks looked up a day. */
const chargebacksAtMost = 1000

/** How far back the lists are compared: refunds and late captures arrive days later. */
const comparedMs = 3 * 86_400_000

export const jobs = [
  ...cardJobs,
  job<{ chargebackId: string }, ProviderChargeback | null>('payments.check-chargeback', {
    call: async ({ db, signal }, { chargebackId }) => {
      const chargeback = await readChargeback(db, chargebackId)
      return chargeback?.state === 'open' ? paymentProvider().retrieveChargeback(chargeback.reference, { signal }) : null
    },
    commit: async (scope, _payload, seen) => {
      if (seen && seen.state !== 'open') await receiveChargeback(scope, paymentProvider().name, seen)
    },
  }),
  job<object>('payments.remind-of-expiry', { run: remindOfExpiry }),
  job<object, ProviderPayment[]>('payments.compare', {
    call: ({ now, signal }) => listAll(paymentProvider(), new Date(now.getTime() - comparedMs), signal),
    commit: async (scope, _payload, listed) => void (await compareLists(scope, listed)),
  }),
]

export const schedules = [
  // Pending payments are looked up at the provider, which recovers lost messages and crashes between call and commit. Source: F8, F9.
  every(5_000, 'payments.reconcile', async (scope) => {
    for (const { id } of await takeDueChecks(scope.db, atOnce)) scope.emit('payment.check-requested', { checkedPaymentId: id })
  }),
  every(86_400_000, 'payments.plan-reminders', ({ db }) => enqueue(db, { name: 'payments.remind-of-expiry', key: 'all', payload: {} })),
  // A chargeback whose last message was missed would hold the money of sellers and buyer for ever.
  every(86_400_000, 'payments.check-chargebacks', async ({ db }) => {
    for (const chargebackId of await readOpenChargebacks(db, paymentProvider().name, chargebacksAtMost))
      await enqueue(db, { name: 'payments.check-chargeback', key: chargebackId, payload: { chargebackId } })
  }),
  // Once an hour every payment is compared with the provider's own list.
  every(3_600_000, 'payments.compare-lists', ({ db }) => enqueue(db, { name: 'payments.compare', key: 'all', payload: {} })),
]
