import type { JobScope } from '#platform'
import { bookLater, captureEntries, reversed, type Entry } from '#ledger'
import { takeOutBought } from '#cart'
import { lockOrder, moveOrder, readOrder } from '#orders'
import { canStep, type Payment, type PaymentState } from './payment.ts'
import type { ProviderPayment } from './provider.ts'
import { lockPayment, markAbandoned, writeStep } from './store.ts'

export type Applied = 'applied' | 'ignored' | 'foreign'

/**
 * What a provider says of a payment becomes ours: one step on the locked row, with order, ledger and events in the
 * same transaction. The same news twice, late or out of order changes nothing. Source: design rule 5, F9, A31.
 */
export async function applyProviderState(scope: JobScope, paymentId: string, seen: ProviderPayment, cause: string): Promise<Applied> {
  return applyToLocked(scope, await lockPayment(scope.db, paymentId), seen, cause)
}

/** The same, when the caller holds the payment's row already. */
export async function applyToLocked(scope: JobScope, payment: Payment | undefined, seen: ProviderPayment, cause: string): Promise<Applied> {
  if (!payment || !belongs(payment, seen)) {
    const told = { paymentId: payment?.id ?? seen.paymentId, reference: seen.reference, cause }
    scope.log.error(told, 'a provider speaks of a payment that is not as we know it')
    return 'foreign'
  }
  const said = ourState(payment, seen)
  const applied = canStep(payment.state, said)
  const state = applied ? said : payment.state
  // A line of the record for every second copy would only hide what matters.
  if (isOldNews(payment, seen)) return 'ignored'
  await writeStep(scope.db, payment, { state, seen, said, cause, applied })
  if (applied) await follow(scope, { ...payment, state, providerReference: seen.reference }, payment.state, seen)
  return applied ? 'applied' : 'ignored'
}

/** Does the provider say what we have already written down? */
export function isOldNews(payment: Payment, seen: ProviderPayment): boolean {
  const same = ourState(payment, seen) === payment.state && seen.failureCode === payment.failureCode && seen.refunded === payment.refunded
  return same && payment.providerReference === seen.reference && belongs(payment, seen)
}

function belongs(payment: Payment, seen: ProviderPayment): boolean {
  if (payment.providerReference !== null && payment.providerReference !== seen.reference) return false
  if (seen.paymentId !== null && seen.paymentId !== payment.id) return false
  return seen.amount === payment.amount && seen.currency === payment.currency && seen.captured <= payment.amount
}

function ourState(payment: Payment, { status }: ProviderPayment): PaymentState {
  // Given up by us: the provider's word for it is voided, ours says why.
  return status === 'voided' ? (payment.abandoned ?? 'voided') : status
}

async function follow(scope: JobScope, payment: Payment, before: PaymentState, seen: ProviderPayment): Promise<void> {
  const { id: paymentId, customerOrderId } = payment
  switch (payment.state) {
    case 'authorised': {
      const wanted = payment.abandoned === null && (await moveOrder(scope.db, customerOrderId, 'authorised', 'provider', 'authorised'))
      if (wanted) return scope.emit('payment.authorised', { paymentId, customerOrderId })
      await markAbandoned(scope.db, paymentId, 'voided')
      return scope.emit('payment.void-requested', { paymentId, customerOrderId })
    }
    case 'captured':
      return captured(scope, payment, seen)
    case 'failed': {
      // A declined capture: the goods stay reserved while another card is tried.
      const left =
        before === 'authorised' && (await moveOrder(scope.db, customerOrderId, 'awaiting-payment', 'provider', 'capture-declined'))
      return scope.emit('payment.failed', {
        paymentId,
        customerOrderId,
        reason: left ? 'capture-declined' : (seen.failureCode ?? 'declined'),
      })
    }
    case 'refunded':
    case 'part-refunded':
      return refunded(scope, payment, seen)
    default:
      return undefined
  }
}

async function captured(scope: JobScope, payment: Payment, seen: ProviderPayment): Promise<void> {
  const { id: paymentId, customerOrderId, provider } = payment
  const isWhole = payment.abandoned === null && seen.captured === payment.amount
  const paid = isWhole && (await moveOrder(scope.db, customerOrderId, 'paid', 'provider', 'captured'))
  const order = paid ? await readOrder(scope.db, customerOrderId) : undefined
  const entries: Entry[] = order
    ? captureEntries(provider, seen.captured, order.sellerOrders)
    : [
        { account: `provider:${provider}`, amount: seen.captured },
        { account: 'unapplied', amount: -seen.captured },
      ]
  await bookLater(scope.db, { key: `capture:${paymentId}`, kind: 'capture', customerOrderId, currency: payment.currency, entries })
  if (order) {
    const bought = order.sellerOrders.flatMap(({ lines }) => lines.map(({ offerId, quantity }) => ({ offerId, quantity })))
    await takeOutBought(scope.db, order.cartId, bought, order.couponCode)
    scope.emit('order.paid', { customerOrderId, market: order.market })
  } else {
    await markAbandoned(scope.db, paymentId, 'voided')
    scope.emit('payment.refund-requested', { paymentId, customerOrderId, amount: seen.captured })
  }
}

async function refunded(scope: JobScope, payment: Payment, seen: ProviderPayment): Promise<void> {
  const { id: paymentId, customerOrderId, provider } = payment
  const amount = seen.refunded - payment.refunded
  const whole = payment.abandoned === null && amount === payment.amount ? await lockOrder(scope.db, customerOrderId) : undefined
  // Refunds by line come with returns; until then what is not the whole order stands as money to be assigned.
  const entries: Entry[] = whole
    ? reversed(captureEntries(provider, amount, whole.sellerOrders))
    : [
        { account: 'unapplied', amount },
        { account: `provider:${provider}`, amount: -amount },
      ]
  const key = `refund:${paymentId}:${seen.refunded}`
  await bookLater(scope.db, { key, kind: 'refund', customerOrderId, currency: payment.currency, entries })
  if (whole) await moveOrder(scope.db, customerOrderId, 'refunded', 'system', 'refunded')
}
