import { every, job, on } from '#platform'
import { findBurstsOf, forgetRefused, moveBurst, moveFoundBursts, type BurstIds } from './burst-store.ts'
import { forward, forwardJob, notePurchase, planForwarding, type Forward } from './forward-events.ts'
import { deleteOldPurchases, deleteOldSent, removePurposesOf } from './forward-store.ts'
import { noteOrderPaid } from './order-channel.ts'
import { createPartitions, dropOldPartitions } from './partitions.ts'
import { planRecalls, recallEvents, recallJob, type Recall } from './recall-events.ts'
import { rollUp } from './roll-up.ts'
import { forgetViewsOf, forgetVisitor } from './store.ts'

export const handlers = [
  on('consent.withdrawn', 'insights.forget-visitor', {
    // Outside the transaction, which with this is of no other event: handlers of others wait for no burst.
    call: async ({ db }, { visitorId }): Promise<BurstIds | null> => (visitorId === null ? null : findBurstsOf(db.alone, visitorId)),
    commit: async ({ db, now }, { visitorId, customerId, withdrawn, isRepeated }, bursts) => {
      if (bursts) await moveFoundBursts(db, bursts)
      const forgets = withdrawn.includes('statistics')
      if (forgets && customerId) await forgetViewsOf(db, customerId)
      if (visitorId === null) return
      if (forgets) {
        await forgetVisitor(db, visitorId)
        await forgetRefused(db, visitorId)
      } else await removePurposesOf(db, visitorId, withdrawn)
      await planRecalls({ db, now }, { visitorId, withdrawn, isRepeated })
    },
  }),
  on('order.paid', 'insights.note-purchase', { commit: notePurchase }),
  on('order.paid', 'insights.note-order-paid', { commit: noteOrderPaid }),
]

export const jobs = [
  job<Forward, void>(forwardJob, { call: forward, commit: async () => undefined }, 'services'),
  job<Recall, void>(recallJob, { call: recallEvents, commit: async () => undefined }, 'services'),
]

const minute = 60_000
const hour = 60 * minute

/** Of one run; more wait for the next. */
const maxBursts = 200

export const schedules = [
  every(minute, 'insights.move-bursts', async ({ db }) => {
    for (let moved = 0; moved < maxBursts && (await moveBurst(db.alone)); moved++) continue
  }),
  every(6 * hour, 'insights.create-partitions', ({ db, now }) => createPartitions(db, now)),
  every(24 * hour, 'insights.drop-partitions', ({ db, now }) => dropOldPartitions(db, now)),
  every(minute, 'insights.plan-forwarding', planForwarding),
  every(24 * hour, 'insights.trim-purchases', async ({ db }) => void (await deleteOldPurchases(db))),
  every(24 * hour, 'insights.trim-sent', async ({ db }) => void (await deleteOldSent(db))),
  every(5 * minute, 'insights.roll-up', ({ db, now }) => rollUp(db, new Date(now.getTime() - hour))),
  every(hour, 'insights.roll-up-late', ({ db, now }) => rollUp(db, new Date(now.getTime() - 25 * hour))),
]
