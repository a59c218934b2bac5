import { untilForVisitor } from '#events'
import { dropDeadLetters, enqueue, every, job, on, onPatiently } from '#platform'
import { forgetRefused, moveBursts } from './burst-store.ts'
import { forgetJob, forward, forwardJob, notePurchase, planForwarding, purchaseJob, type Forward } from './forward-events.ts'
import { deleteOldPurchases, deleteOldSent, purchaseDays, removePurposesOf, writePurchase, type Purchase } from './forward-store.ts'
import { deleteOldNotes, forgetOrdersOfVisitor, noteOrderPaid, orderJob, takeOrder, type NotedOrder } from './order-channel.ts'
import { createPartitions, dropOldPartitions } from './partitions.ts'
import { planRecalls, recallEvents, recallJob, type Recall } from './recall-events.ts'
import { rollUpInPieces, rollUpJob, type RollUp } from './roll-up.ts'
import { forgetViewsOf, forgetVisitor } from './store.ts'
import { endWithdrawals, noteWithdrawal } from './withdrawal-store.ts'

const forget = onPatiently('consent.withdrawn', forgetJob, {
  // Committed before anything is deleted: what moves later leaves it out.
  call: async ({ db }, withdrawal) => {
    const { visitorId, withdrawn } = withdrawal
    if (visitorId !== null) await noteWithdrawal(db.alone, visitorId, withdrawn, untilForVisitor(withdrawal))
  },
  commit: async ({ db, now }, withdrawal) => {
    const { visitorId, customerId, withdrawn, withdrawnAt, isRepeated } = withdrawal
    const until = untilForVisitor(withdrawal)
    const forgets = withdrawn.includes('statistics')
    if (forgets && customerId) await forgetViewsOf(db, customerId, withdrawnAt)
    if (visitorId === null) return
    if (forgets) {
      await forgetVisitor(db, visitorId, until)
      await forgetRefused(db, [visitorId], until)
    } else await removePurposesOf(db, visitorId, withdrawn, until)
    await planRecalls({ db, now }, { visitorId, withdrawn, withdrawnAt, isRepeated })
    if (forgets) await forgetOrdersOfVisitor(db, visitorId, until)
  },
})

export const handlers = [
  forget.handler,
  on('order.paid', 'insights.note-purchase', { commit: notePurchase }),
  on('order.paid', 'insights.note-order-paid', { commit: noteOrderPaid }),
]

const moveJob = 'insights.move-left-bursts'

export const jobs = [
  forget.job,
  job<NotedOrder>(orderJob, { commit: takeOrder }, 'patient'),
  job<Purchase>(purchaseJob, { commit: async ({ db }, purchase) => void (await writePurchase(db, purchase)) }, 'patient'),
  job<Forward, void>(forwardJob, { call: forward, commit: async () => undefined }, 'services'),
  job<Recall, void>(recallJob, { call: recallEvents, commit: async () => undefined }, 'services'),
  job<RollUp>(rollUpJob, { run: rollUpInPieces }),
  job<object>(moveJob, { run: moveBursts }),
]

const minute = 60_000
const hour = 60 * minute
/** Events may be a day late, and the note of a paid order is retried for a day. */
const lateHours = 27

export const schedules = [
  every(minute, 'insights.move-bursts', ({ db }) => enqueue(db, { name: moveJob, key: 'all', payload: {}, unlessPending: true })),
  every(minute, 'insights.end-withdrawals', ({ db }) => endWithdrawals(db)),
  every(6 * hour, 'insights.create-partitions', ({ db, now }) => createPartitions(db, now)),
  every(24 * hour, 'insights.drop-partitions', ({ db, now }) => dropOldPartitions(db, now)),
  every(minute, 'insights.plan-forwarding', planForwarding),
  every(24 * hour, 'insights.trim-purchases', async ({ db, now }) => {
    await dropDeadLetters(db, purchaseJob, new Date(now.getTime() - purchaseDays * 24 * hour))
    await deleteOldPurchases(db)
  }),
  every(24 * hour, 'insights.trim-notes', deleteOldNotes),
  every(24 * hour, 'insights.trim-sent', async ({ db }) => void (await deleteOldSent(db))),
  every(5 * minute, 'insights.roll-up', ({ db }) =>
    enqueue(db, { name: rollUpJob, key: 'recent', payload: { hours: 1 }, unlessPending: true }),
  ),
  every(hour, 'insights.roll-up-late', ({ db }) =>
    enqueue(db, { name: rollUpJob, key: 'late', payload: { hours: lateHours, isComplete: true }, unlessPending: true }),
  ),
]
