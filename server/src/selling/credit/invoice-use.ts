import type { Currency } from '@purlin/contract/markets.ts'
import { readPaymentsByInvoice, type MixedPayment } from '#payments'
import type { Db } from '#platform'
import { openAmount } from './claim.ts'
import { readClaimsOfPayments, type ClaimOfPayment } from './store.ts'

/** What a company owes of its orders by invoice, with those of the companies it was before, in one currency, in minor units. */
export async function readInvoiceUse(db: Db, companyIds: readonly string[], currency: Currency): Promise<number> {
  const { used, mixed } = await readPaymentsByInvoice(db, companyIds, currency)
  if (mixed.length === 0) return used
  const claims = Map.groupBy(
    await readClaimsOfPayments(
      db,
      mixed.map(({ id }) => id),
    ),
    ({ paymentId }) => paymentId,
  )
  return mixed.reduce((sum, payment) => sum + useOf(payment, claims.get(payment.id) ?? []), used)
}

/** What is not invoiced yet, and what is open of each claim: what was paid beyond one, because its goods came back later, pays no other. */
export function useOf(
  { amount, refunded, reduced }: Omit<MixedPayment, 'id'>,
  claims: readonly Omit<ClaimOfPayment, 'paymentId'>[],
): number {
  const invoiced = claims.reduce((sum, claim) => sum + claim.amount, 0)
  const credited = claims.reduce((sum, claim) => sum + claim.credited, 0)
  const rest = amount - invoiced - (reduced ?? refunded - credited)
  return Math.max(0, rest) + claims.reduce((sum, claim) => sum + openAmount(claim), 0)
}
