import { untilForVisitor } from '#events'
import { every, onPatiently } from '#platform'
import { deleteOldEntries, removeHistoryOf, removeHistoryOfVisitor } from './store.ts'

const forget = onPatiently('consent.withdrawn', 'history.forget', {
  commit: async ({ db }, withdrawal) => {
    const { visitorId, customerId, withdrawn, withdrawnAt } = withdrawal
    if (!withdrawn.includes('userPreferences')) return
    if (visitorId !== null) await removeHistoryOfVisitor(db, visitorId, untilForVisitor(withdrawal))
    if (customerId) await removeHistoryOf(db, customerId, withdrawnAt)
  },
})

export const handlers = [forget.handler]
export const jobs = [forget.job]

export const schedules = [every(86_400_000, 'history.tidy', async ({ db }) => void (await deleteOldEntries(db)))]
