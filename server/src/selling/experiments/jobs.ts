import { untilForVisitor } from '#events'
import { enqueue, every, job, onPatiently } from '#platform'
import { reviewExperiments } from './count-outcomes.ts'
import { deleteOldExposures, forgetVisitor, removeCustomer } from './store.ts'

const forget = onPatiently('consent.withdrawn', 'experiments.forget', {
  commit: async ({ db }, withdrawal) => {
    const { visitorId, customerId, withdrawn, withdrawnAt } = withdrawal
    if (!withdrawn.includes('statistics')) return
    if (visitorId !== null) await forgetVisitor(db, visitorId, untilForVisitor(withdrawal))
    if (customerId) await removeCustomer(db, customerId, withdrawnAt)
  },
})

export const handlers = [forget.handler]
const reviewJob = 'experiments.count-outcomes'
export const jobs = [forget.job, job<object>(reviewJob, { run: reviewExperiments })]

export const schedules = [
  every(86_400_000, 'experiments.tidy', async ({ db }) => void (await deleteOldExposures(db))),
  every(600_000, 'experiments.review', ({ db }) => enqueue(db, { name: reviewJob, key: 'all', payload: {}, unlessPending: true })),
]
