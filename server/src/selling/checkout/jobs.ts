import { enqueue, every, job, type JobScope } from '#platform'
import { lockOverdue, moveOrder, readOrder, readOverdue, reopenPlaced, sweepEndedHolds } from '#orders'
import { abandonPayment, lockPaymentOfOrder } from '#payments'
import { isValid, lapseApproval, lockApproved, lockOverdueApprovals, noteUsed, settleApproval, type Approval } from '#purchasing'
import { tellBuyer } from './decide-approval.ts'
import { giveBack } from './reopen-order.ts'

/** Holds expired per run. */
const atOnce = 50

/**
 * Ends an expired hold: releases its stock, voids its payment and notifies its buyer. The order is cancelled; one that a colleague
 * has approved is a draft again, which its buyer pays in another way or gives up.
 */
export async function endHold(scope: JobScope, orderId: string): Promise<void> {
  // The approval before the order, as every command locks them.
  const approval = await lockApproved(scope.db, orderId)
  const order = (await lockOverdue(scope.db, orderId)) ? await readOrder(scope.db, orderId) : undefined
  if (!order) return
  const isEnded = approval
    ? await reopenPlaced(scope.db, orderId, 'system')
    : await moveOrder(scope.db, orderId, 'cancelled', 'system', 'hold-expired')
  if (!isEnded) return
  await giveBack(scope, order)
  const payment = await lockPaymentOfOrder(scope.db, orderId)
  if (payment) await abandonPayment(scope, payment, 'expired')
  if (approval) return keepApproved(scope, approval, order.placement)
  scope.emit('order.cancelled', { customerOrderId: orderId, market: order.market, reason: 'hold-expired' })
}

/** The request has expired without a decision, or the approval without an order: the buyer is told, and takes the goods back into the cart. */
async function expireApprovals(scope: JobScope): Promise<void> {
  for (const approval of await lockOverdueApprovals(scope.db, scope.now)) {
    if (approval.state === 'approved') await endUnused(scope, approval)
    else {
      await settleApproval(scope.db, approval.id, { comment: null, decidedBy: null, isByLink: null, state: 'expired', at: scope.now })
      await tellBuyer(scope, approval, 'expired')
    }
  }
}

async function endUnused(scope: JobScope, approval: Approval): Promise<void> {
  if ((await readOrder(scope.db, approval.customerOrderId))?.state !== 'draft') return noteUsed(scope.db, approval.id)
  await lapse(scope, approval)
}

/** The buyer orders again while the approval is valid. */
async function keepApproved(scope: JobScope, approval: Approval, placement: number): Promise<void> {
  if (!(await isValid(scope, approval))) return lapse(scope, approval)
  await tellBuyer(scope, approval, 'unpaid', { until: approval.expiresAt, placement })
}

async function lapse(scope: JobScope, approval: Approval): Promise<void> {
  await lapseApproval(scope.db, approval.id)
  await tellBuyer(scope, approval, 'lapsed')
}

export const jobs = [
  job<{ customerOrderId: string }>('checkout.end-hold', { commit: (scope, { customerOrderId }) => endHold(scope, customerOrderId) }),
]

export const schedules = [
  // One job each: a failing one does not block the others.
  every(5_000, 'checkout.end-holds', async ({ db }) => {
    for (const id of await readOverdue(db, atOnce)) {
      await enqueue(db, { name: 'checkout.end-hold', key: id, payload: { customerOrderId: id } })
    }
  }),
  every(600_000, 'checkout.expire-approvals', expireApprovals),
  every(3_600_000, 'checkout.sweep-ended-holds', ({ db }) => sweepEndedHolds(db)),
]
