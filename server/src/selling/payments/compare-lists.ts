import type { JobScope } from '#platform'
import type { Payment } from './payment.ts'
import type { PaymentProvider, ProviderPayment } from './provider.ts'
import { readPayments } from './store.ts'

/** Pages of a provider's list that are read at most: a list that does not end must not hold the worker. */
const pagesAtMost = 500

/** Everything the provider has since an instant. */
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

/** Where the provider's list and our book are not the same in money. Pure. Source: F23, I1. */
function differences(listed: readonly ProviderPayment[], ours: ReadonlyMap<string, Payment>): Difference[] {
  return listed.flatMap(({ reference, paymentId, captured, refunded }): Difference[] => {
    const own = paymentId === null ? undefined : ours.get(paymentId)
    if (!own || (own.providerReference !== null && own.providerReference !== reference)) {
      return captured > refunded ? [{ reference, paymentId, what: 'money-unknown-here' }] : []
    }
    return own.captured === captured && own.refunded === refunded ? [] : [{ reference, paymentId, what: 'differs' }]
  })
}

/** Tells of every difference, and has those looked at that are payments of ours. Answers how many there were. */
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
