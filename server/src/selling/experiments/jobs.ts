import { every, on } from '#platform'
import { deleteOldExposures, forgetExposures } from './store.ts'

export const handlers = [
  on('consent.withdrawn', 'experiments.forget', {
    commit: async ({ db }, { visitorId, withdrawn }) => {
      if (withdrawn.includes('statistics')) await forgetExposures(db, visitorId)
    },
  }),
]

export const schedules = [every(86_400_000, 'experiments.tidy', async ({ db }) => void (await deleteOldExposures(db)))]
