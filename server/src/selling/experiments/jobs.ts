import { every, on } from '#platform'
import { reviewExperiments } from './count-outcomes.ts'
import { deleteOldExposures, forgetVisitor, removeCustomer } from './store.ts'

export const handlers = [
  on('consent.withdrawn', 'experiments.forget', {
    isPatient: true,
    commit: async ({ db }, { visitorId, customerId, withdrawn, withdrawnAt }) => {
      if (!withdrawn.includes('statistics')) return
      if (visitorId !== null) await forgetVisitor(db, visitorId, withdrawnAt)
      if (customerId) await removeCustomer(db, customerId, withdrawnAt)
    },
  }),
]

export const schedules = [
  every(86_400_000, 'experiments.tidy', async ({ db }) => void (await deleteOldExposures(db))),
  every(600_000, 'experiments.review', reviewExperiments),
]
