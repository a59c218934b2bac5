import { offersToPrice } from '#catalogue'
import { every, on, type Db, type JobScope } from '#platform'
import { readRefundsOf, type Refund } from '#refunds'
import { dropApprovalTokens } from './approval-store.ts'
import { lockSpend, lockUncountedSpend, returnSpend } from './budget-store.ts'
import { dropKeptRows } from './row-store.ts'

const hour = 3_600_000

export const handlers = [
  // A refund frees the budget of the month of the order.
  on('refund.requested', 'purchasing.return-to-budget', { commit: countAgain }),
  on('refund.dropped', 'purchasing.return-to-budget', { commit: countAgain }),
]

async function countAgain({ db }: Pick<JobScope, 'db'>, { customerOrderId }: { customerOrderId: string }): Promise<void> {
  // Before the refunds are read: the one that counts last has seen them all.
  if (await lockSpend(db, customerOrderId)) await countReturns(db, customerOrderId)
}

async function countReturns(db: Db, customerOrderId: string): Promise<void> {
  const refunds = await readRefundsOf(db, customerOrderId)
  const amount = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  await returnSpend(db, customerOrderId, { amount, goods: await goodsByCategory(db, refunds) })
}

/** The refunded goods, as the report by category takes them off. */
async function goodsByCategory(db: Db, refunds: readonly Refund[]): Promise<{ category: number; amount: number }[]> {
  const lines = refunds.flatMap((refund) => refund.lines)
  const offers = await offersToPrice(db, [...new Set(lines.map(({ offerId }) => offerId))])
  const sums = new Map<number, number>()
  for (const { offerId, goods } of lines) {
    const category = offers.get(offerId)?.categoryId
    if (category !== undefined) sums.set(category, (sums.get(category) ?? 0) + goods)
  }
  return [...sums].map(([category, amount]) => ({ category, amount }))
}

/** The link of a mail shows a request for so long after its decision or expiry. */
const linkHours = 30 * 24

export const schedules = [
  // A worker of the release before counts no goods.
  every(hour / 6, 'purchasing.count-returned-goods', async ({ db }) => {
    for (const id of await lockUncountedSpend(db)) await countReturns(db, id)
  }),
  every(hour, 'purchasing.drop-kept-rows', ({ db, now }) => dropKeptRows(db, new Date(now.getTime() - 24 * hour))),
  every(hour, 'purchasing.drop-approval-links', ({ db, now }) => dropApprovalTokens(db, new Date(now.getTime() - linkHours * hour))),
]
