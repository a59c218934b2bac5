import { every, on } from '#platform'
import { deleteOldEntries, removeHistoryOf } from './store.ts'

export const handlers = [
  on('consent.withdrawn', 'history.forget', {
    commit: async ({ db }, { customerId, withdrawn }) => {
      if (customerId && withdrawn.includes('userPreferences')) await removeHistoryOf(db, customerId)
    },
  }),
]

export const schedules = [every(86_400_000, 'history.tidy', async ({ db }) => void (await deleteOldEntries(db)))]
