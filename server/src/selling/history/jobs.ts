import { every } from '#platform'
import { deleteOldEntries } from './store.ts'

export const schedules = [every(86_400_000, 'history.tidy', async ({ db }) => void (await deleteOldEntries(db)))]
