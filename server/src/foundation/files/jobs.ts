import { enqueue, every, job } from '#platform'
import { objectStore } from './object-store.ts'
import { forgetFile, unsettledFiles } from './store.ts'

export const jobs = [
  job<{ key: string }, void>(
    'files.remove',
    {
      call: ({ signal }, { key }) => objectStore().delete(key, signal),
      commit: ({ db }, { key }) => forgetFile(db, key),
    },
    'services',
  ),
]

const hour = 3_600_000

export const schedules = [
  // Uploads cut off by a crash a day ago, and removals that were dead-lettered.
  every(hour, 'files.sweep', async ({ db, now }) => {
    for (const key of await unsettledFiles(db, new Date(now.getTime() - 24 * hour)))
      await enqueue(db, { name: 'files.remove', key, payload: { key } })
  }),
]
