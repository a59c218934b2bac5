import { every, on } from '#platform'
import { deleteOldEntries, removeHistoryOf, removeHistoryOfVisitor } from './store.ts'

export const handlers = [
  on('consent.withdrawn', 'history.forget', {
    commit: async ({ db }, { visitorId, customerId, withdrawn }) => {
      if (!withdrawn.includes('userPreferences')) return
      if (visitorId !== null) await removeHistoryOfVisitor(db, visitorId)
      if (customerId) await removeHistoryOf(db, customerId)
    },
  }),
]

export const schedules = [every(86_400_000, 'history.tidy', async ({ db }) => void (await deleteOldEntries(db)))]
