import { every, job, on } from '#platform'
import { passOn } from './pass-on.ts'
import { endDeclarations } from './passed-on-store.ts'
import { forgetSenders } from './store.ts'

/** The buyer has completed the withdrawal: a return has a hold of its own, and cancelled pieces are paid back. */
export const handlers = [
  on('return.changed', 'contact.end-declarations', {
    commit: async ({ db, now }, { sellerOrderId, state }) => {
      if (state === 'requested') await endDeclarations(db, sellerOrderId, now)
    },
  }),
  on('seller-order.cancelled', 'contact.end-declarations', {
    commit: async ({ db, now }, { sellerOrderId }) => void (await endDeclarations(db, sellerOrderId, now)),
  }),
]

export const jobs = [job<{ messageId: string }>('contact.pass-on', { commit: passOn })]

export const schedules = [every(3_600_000, 'contact.forget-senders', ({ db }) => forgetSenders(db))]
