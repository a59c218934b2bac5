import { enqueue, every, isId, job, on } from '#platform'
import type { ProviderPayment, ProviderSetup } from '#payments'
import { attemptCharge, noteAttempt, remindOfTrials, renewDue, type Attempt } from './charge.ts'
import { noteRefunded, noteVoided, refundCharge, voidCharge } from './refund-charge.ts'
import { applySetup, createSetup, noteSetup, seeSetup, type SetupSeen } from './set-up-card.ts'
import { readUnfinished } from './setup-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const handlers = [
  on('card.set-up-reported', 'subscriptions.see-set-up', {
    call: async ({ db, signal }, { setupId }) => (isId(setupId) ? seeSetup(db, setupId, signal) : null),
    commit: async (scope, { setupId }, seen: ProviderSetup | null) => {
      if (seen) await applySetup(scope, setupId, seen)
    },
  }),
]

export const jobs = [
  job<{ setupId: string }, SetupSeen | null>('subscriptions.set-up', {
    call: ({ db, signal }, { setupId }) => createSetup(db, setupId, signal),
    commit: async (scope, { setupId }, made) => {
      if (made) await noteSetup(scope, setupId, made)
    },
  }),
  job<{ setupId: string }, ProviderSetup | null>('subscriptions.check-set-up', {
    call: ({ db, signal }, { setupId }) => seeSetup(db, setupId, signal),
    commit: async (scope, { setupId }, seen) => {
      if (seen) await applySetup(scope, setupId, seen)
    },
  }),
  job<{ chargeId: string }, Attempt | null>('subscriptions.charge', {
    call: ({ db, signal }, { chargeId }) => attemptCharge(db, chargeId, signal),
    commit: async (scope, { chargeId }, attempt) => {
      if (attempt) await noteAttempt(scope, chargeId, attempt)
    },
  }),
  job<{ chargeId: string }, ProviderPayment | null>('subscriptions.void', {
    call: ({ db, signal }, { chargeId }) => voidCharge(db, chargeId, signal),
    commit: async (scope, { chargeId }, seen) => {
      if (seen) await noteVoided(scope, chargeId, seen)
    },
  }),
  job<{ chargeId: string }, ProviderPayment | null>('subscriptions.refund', {
    call: ({ db, signal }, { chargeId }) => refundCharge(db, chargeId, signal),
    commit: async (scope, { chargeId }, seen) => {
      if (seen) await noteRefunded(scope, chargeId)
    },
  }),
]

export const schedules = [
  every(minuteMs, 'subscriptions.renew', renewDue),
  every(hourMs, 'subscriptions.remind-of-trials', remindOfTrials),
  // A card that was entered by a customer who never came back to the page.
  every(minuteMs, 'subscriptions.check-set-ups', async ({ db, now }) => {
    const unfinished = await readUnfinished(db, { from: new Date(now.getTime() - 24 * hourMs), to: new Date(now.getTime() - minuteMs) })
    for (const setupId of unfinished) await enqueue(db, { name: 'subscriptions.check-set-up', key: setupId, payload: { setupId } })
  }),
]
