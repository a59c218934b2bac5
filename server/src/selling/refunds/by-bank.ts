import { amountsOfBookings } from '#ledger'
import type { Db } from '#platform'
import type { Refund } from './refund.ts'

/** What the buyers' banks have paid of these refunds, by chargebacks. Minor units; refunds of which they paid nothing are missing. */
export async function readByBank(db: Db, refunds: readonly Pick<Refund, 'id' | 'transfers'>[]): Promise<Map<string, number>> {
  const refundOf = new Map(refunds.flatMap((refund) => bookingsOf(refund).map((key) => [key, refund.id])))
  const byBank = new Map<string, number>()
  for (const [key, amount] of await amountsOfBookings(db, [...refundOf.keys()], 'chargebacks')) {
    const id = refundOf.get(key)
    if (id !== undefined) byBank.set(id, (byBank.get(id) ?? 0) - amount)
  }
  return byBank
}

/** Keys of the bookings by which a refund is set off, wholly or in part. */
function bookingsOf({ id, transfers }: Pick<Refund, 'id' | 'transfers'>): string[] {
  const made = Array.from({ length: transfers + 1 }, (_, transfer) => `transfer:${id}:${transfer}`)
  return [`refund-set-off:${id}`, `refund-at-provider:${id}`, ...made]
}
