import { enqueue, type JobScope } from '#platform'
import { canStep, type KnownPayment, type PaymentState } from './payment.ts'
import { paymentProcess } from './ports.ts'
import type { ProviderPayment } from './provider.ts'
import { lockPayment, markAbandoned, writeStep } from './store.ts'

export type Applied = 'applied' | 'ignored' | 'foreign'

/**
 * Applies a state reported by the provider: one step on the locked row, or on a row that still equals `known`, with its
 * event and the order process's reaction in the same transaction. Duplicate, late or reordered reports change nothing. Source: design rule 5, F9, A31.
 */
export async function applyProviderState(
  scope: JobScope,
  paymentId: string,
  seen: ProviderPayment,
  cause: string,
  known?: KnownPayment,
): Promise<Applied> {
  return (known && (await applyTo(scope, known, seen, cause))) ?? applyToLocked(scope, await lockPayment(scope.db, paymentId), seen, cause)
}

/** The same when the caller already holds the lock on the payment's row. */
export async function applyToLocked(
  scope: JobScope,
  payment: KnownPayment | undefined,
  seen: ProviderPayment,
  cause: string,
): Promise<Applied> {
  const applied = await applyTo(scope, payment, seen, cause, true)
  if (applied === undefined) throw new Error(`The locked row of payment ${payment?.id} has changed`)
  return applied
}

/** Undefined, with nothing written, when the payment no longer equals `known`. */
async function applyTo(
  scope: JobScope,
  payment: KnownPayment | undefined,
  seen: ProviderPayment,
  cause: string,
  isLocked = false,
): Promise<Applied | undefined> {
  if (!payment || !belongs(payment, seen)) {
    const told = { paymentId: payment?.id ?? seen.paymentId, reference: seen.reference, cause }
    scope.log.error(told, 'a provider speaks of a payment that is not as we know it')
    return 'foreign'
  }
  const said = ourState(payment, seen)
  const applied = canStep(payment.state, said) && (!isRefund(said) || seen.refunded > payment.refunded)
  const state = applied ? said : payment.state
  // Recording every duplicate would only bury the transitions that matter.
  if (isOldNews(payment, seen)) return 'ignored'
  const step = writeStep(scope.db, payment, { state, seen, said, cause, applied })
  // On a locked row the step cannot fail, so the following statements share its round trip.
  if (!isLocked && !(await step)) return undefined
  const followed = applied && follow(scope, { ...payment, state, providerReference: seen.reference }, payment.state, seen)
  const [isWritten] = await Promise.all([step, followed])
  if (!isWritten) return undefined
  return applied ? 'applied' : 'ignored'
}

/** Whether the provider reports what is already recorded. */
export function isOldNews(payment: KnownPayment, seen: ProviderPayment): boolean {
  const same = ourState(payment, seen) === payment.state && seen.failureCode === payment.failureCode && seen.refunded === payment.refunded
  return same && payment.providerReference === seen.reference && belongs(payment, seen)
}

function belongs(payment: KnownPayment, seen: ProviderPayment): boolean {
  if (payment.providerReference !== null && payment.providerReference !== seen.reference) return false
  if (seen.paymentId !== null && seen.paymentId !== payment.id) return false
  return seen.amount === payment.amount && seen.currency === payment.currency && seen.captured <= payment.amount
}

/** Of several refunds a late message may report an earlier total. */
function isRefund(state: PaymentState): boolean {
  return state === 'part-refunded' || state === 'refunded'
}

function ourState(payment: KnownPayment, { status }: ProviderPayment): PaymentState {
  // The shop abandoned the payment: the provider reports it as voided, `abandoned` records the reason.
  return status === 'voided' ? (payment.abandoned ?? 'voided') : status
}

async function follow(scope: JobScope, payment: KnownPayment, before: PaymentState, seen: ProviderPayment): Promise<void> {
  const { id: paymentId, customerOrderId } = payment
  const isWanted = payment.abandoned === null
  switch (payment.state) {
    case 'authorised': {
      const { customerId, placement, provider, amount, currency } = payment
      const authorised = {
        customerId,
        placement,
        authorisations: payment.authorisations + 1,
        provider,
        reference: seen.reference,
        amount,
        currency,
      }
      if (isWanted && (await paymentProcess().authorised(scope, payment, { paymentId, customerOrderId, authorised }))) return
      await markAbandoned(scope.db, paymentId, 'voided')
      return scope.emit('payment.void-requested', { paymentId, customerOrderId })
    }
    case 'captured': {
      const { customerId } = payment
      // The card may have been saved with it.
      if (customerId !== null) await enqueue(scope.db, { name: 'payments.refresh-cards', key: customerId, payload: { customerId } })
      const amount = seen.captured
      if (await paymentProcess().captured(scope, payment, { amount, isWhole: isWanted && amount === payment.amount })) return
      await markAbandoned(scope.db, paymentId, 'voided')
      return scope.emit('payment.refund-requested', { paymentId, customerOrderId, amount })
    }
    case 'failed': {
      // A declined capture: the goods stay reserved so that another card can be tried.
      const isRetried = before === 'authorised' && (await paymentProcess().captureDeclined(scope, payment))
      if (isWanted) await paymentProcess().unsettled(scope, payment, 'declined')
      return scope.emit('payment.failed', {
        paymentId,
        customerOrderId,
        reason: isRetried ? 'capture-declined' : (seen.failureCode ?? 'declined'),
      })
    }
    case 'refunded':
    case 'part-refunded': {
      const amount = seen.refunded - payment.refunded
      return paymentProcess().refunded(scope, payment, {
        amount,
        total: seen.refunded,
        isWhole: isWanted && amount === payment.amount,
        isAll: isWanted && seen.refunded === payment.captured,
      })
    }
    case 'action-required':
      return isWanted && seen.frameUrl !== null ? paymentProcess().unsettled(scope, payment, 'undecided') : undefined
    default:
      return undefined
  }
}
