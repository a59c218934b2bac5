import { enqueue, every, job, type JobScope } from '#platform'
import { lockOverdue, moveOrder, readOrder, readOverdue, sweepEndedHolds } from '#orders'
import { abandonPayment, lockPaymentOfOrder } from '#payments'
import { lapseApproval, lockOverdueApprovals, noteUsed, settleApproval, type Approval } from '#purchasing'
import { tellBuyer } from './decide-approval.ts'
import { giveBack } from './reopen-order.ts'

/** Holds expired per run. */
const atOnce = 50

/** Ends an expired hold: releases its stock, voids its payment and notifies its buyer. */
export async function endHold(scope: JobScope, orderId: string): Promise<void> {
  const order = (await lockOverdue(scope.db, orderId)) ? await readOrder(scope.db, orderId) : undefined
  if (!order) return
  if (!(await moveOrder(scope.db, orderId, 'cancelled', 'system', 'hold-expired'))) return
  await giveBack(scope, order)
  const payment = await lockPaymentOfOrder(scope.db, orderId)
  if (payment) await abandonPayment(scope, payment, 'expired')
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
