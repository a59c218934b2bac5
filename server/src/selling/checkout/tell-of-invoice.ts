import type { PaymentProcess } from '#payments'
import { readApproved } from '#purchasing'
import { tellBuyer } from './decide-approval.ts'

type Unsettled = Parameters<PaymentProcess['unsettled']>

/**
 * A colleague's click has placed the order: its buyer is not at the page of the payment, and hears by mail, once, that the invoice was
 * declined or waits for a confirmation.
 */
export async function tellOfInvoice(
  scope: Unsettled[0],
  { provider, customerOrderId }: Unsettled[1],
  outcome: Unsettled[2],
): Promise<void> {
  if (provider !== 'credit') return
  const approval = await readApproved(scope.db, customerOrderId)
  if (approval?.payBy === 'invoice') await tellBuyer(scope, approval, outcome, { until: approval.expiresAt })
}
