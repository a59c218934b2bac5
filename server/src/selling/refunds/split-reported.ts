import { balanceOfOrder, balanceOfOrderByKey } from '#ledger'
import type { Db } from '#platform'
import { owedOf } from './refund.ts'
import { readRefundsOf } from './store.ts'

/** Beginning of the keys of bookings about refunds that the operator has settled at the provider. */
export const atProviderKey = 'refund-at-provider:'

/** What money that the provider has refunded is, in minor units: the rest belongs to no refund. */
export interface Reported {
  /** Pays refunds that are due. */
  settled: number
  /** Has been booked when the operator settled a refund at the provider, before the provider reported it. */
  booked: number
}

/**
 * Splits an amount that the provider has refunded: first refunds that it was asked for, as it reports those when it makes them, then
 * those that the operator has settled there, then others that are due. The payment is locked by the caller.
 */
export async function splitReported(
  db: Db,
  { customerOrderId, provider }: { customerOrderId: string; provider: string },
  amount: number,
): Promise<Reported> {
  const due = Math.max(0, -(await balanceOfOrder(db, customerOrderId, 'refunds-due')))
  const ahead = Math.max(0, -(await balanceOfOrderByKey(db, customerOrderId, `provider:${provider}`, atProviderKey)))
  const refunds = ahead > 0 ? await readRefundsOf(db, customerOrderId) : []
  const requested = refunds.reduce((all, refund) => all + (refund.state === 'requested' ? owedOf(refund) : 0), 0)
  const asked = Math.min(amount, due, requested)
  const booked = Math.min(amount - asked, ahead)
  return { settled: asked + Math.min(amount - asked - booked, due - asked), booked }
}
