import { every, on } from '#platform'
import { readRefundsOf } from '#refunds'
import { returnSpend } from './budget-store.ts'
import { dropKeptRows } from './row-store.ts'

const hour = 3_600_000

export const handlers = [
  // A refund frees the budget of the month of the order.
  on('refund.requested', 'purchasing.return-to-budget', {
    commit: async ({ db }, { customerOrderId }) => {
      const refunds = await readRefundsOf(db, customerOrderId)
      await returnSpend(
        db,
        customerOrderId,
        refunds.reduce((sum, { amount }) => sum + amount, 0),
      )
    },
  }),
]

export const schedules = [every(hour, 'purchasing.drop-kept-rows', ({ db, now }) => dropKeptRows(db, new Date(now.getTime() - 24 * hour)))]
