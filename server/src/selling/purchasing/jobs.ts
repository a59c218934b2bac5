import { every, on } from '#platform'
import { readRefundsOf } from '#refunds'
import { dropApprovalTokens } from './approval-store.ts'
import { lockSpend, returnSpend } from './budget-store.ts'
import { dropKeptRows } from './row-store.ts'

const hour = 3_600_000

export const handlers = [
  // A refund frees the budget of the month of the order.
  on('refund.requested', 'purchasing.return-to-budget', {
    commit: async ({ db }, { customerOrderId }) => {
      // Before the refunds are read: the one that counts last has seen them all.
      await lockSpend(db, customerOrderId)
      const refunds = await readRefundsOf(db, customerOrderId)
      await returnSpend(
        db,
        customerOrderId,
        refunds.reduce((sum, { amount }) => sum + amount, 0),
      )
    },
  }),
]

/** The link of a mail shows a request for so long after its decision or expiry. */
const linkHours = 30 * 24

export const schedules = [
  every(hour, 'purchasing.drop-kept-rows', ({ db, now }) => dropKeptRows(db, new Date(now.getTime() - 24 * hour))),
  every(hour, 'purchasing.drop-approval-links', ({ db, now }) => dropApprovalTokens(db, new Date(now.getTime() - linkHours * hour))),
]
