import { removeFile } from '#files'
import { every } from '#platform'
import { dropUnused, forgetSenders } from './store.ts'

const hour = 3_600_000

export const schedules = [
  // Attachments of forms that were never sent.
  every(hour, 'uploads.drop-unused', async ({ db, now }) => {
    const before = new Date(now.getTime() - 24 * hour)
    await forgetSenders(db, before)
    for (const key of await dropUnused(db, before)) await removeFile(db, key)
  }),
]
