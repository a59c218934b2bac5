import type { JobScope } from '#platform'
import type { Payment } from './payment.ts'
import { isElsewhere, type PaymentProvider, type ProviderPayment } from './provider.ts'
import { readPayments } from './store.ts'

/** Maximum pages read from a provider's list, so that an endless list cannot occupy the worker. */
const pagesAtMost = 500

/** All payments of the provider since an instant. */
export async function listAll(provider: PaymentProvider, since: Date, signal: AbortSignal): Promise<ProviderPayment[]> {
  const all: ProviderPayment[] = []
  for (let page = 0, after: string | undefined; page < pagesAtMost; page++) {
    const found = await provider.list({ since, ...(after !== undefined && { after }) }, { signal })
    all.push(...found)
    after = found.at(-1)?.reference
    if (after === undefined) break
  }
  return all
}

interface Difference {
  reference: string
  paymentId: string | null
  what: 'money-unknown-here' | 'differs'
}

/** Payments whose amounts differ between the provider's list and our records. Pure. Source: F23, I1. */
function differences(listed: readonly ProviderPayment[], ours: ReadonlyMap<string, Payment>): Difference[] {
  return listed.flatMap((payment): Difference[] => {
    if (isElsewhere(payment)) return []
    const { reference, paymentId, captured, refunded } = payment
    const own = paymentId === null ? undefined : ours.get(paymentId)
    if (!own || (own.providerReference !== null && own.providerReference !== reference)) {
      return captured > refunded ? [{ reference, paymentId, what: 'money-unknown-here' }] : []
    }
    return own.captured === captured && own.refunded === refunded ? [] : [{ reference, paymentId, what: 'differs' }]
  })
}

/** Logs every difference and schedules a check of those payments that are ours. Returns the number of differences. */
export async function compareLists(scope: JobScope, listed: readonly ProviderPayment[]): Promise<number> {
  const ids = listed.flatMap(({ paymentId }) => (paymentId !== null && /^[0-9a-f-]{36}$/.test(paymentId) ? [paymentId] : []))
  const ours = new Map((await readPayments(scope.db, ids)).map((payment) => [payment.id, payment]))
  const found = differences(listed, ours)
  for (const difference of found) {
    scope.log.error(difference, 'the provider’s list and the payments here are not the same')
    if (difference.what === 'differs' && difference.paymentId !== null) {
      scope.emit('payment.check-requested', { checkedPaymentId: difference.paymentId })
    }
  }
  return found.length
}
