import { releaseClosedNumbers } from '#accounts'
import { sealMandatesAnew } from '#credit'
import { removeFile } from '#files'
import { sealPayoutsAnew } from '#payouts'
import { every, job } from '#platform'
import { sealRefundsAnew } from '#refunds'
import { erase, eraseRest, type LateErasure } from './erase-account.ts'
import { announceExport, makeExport, type ExportJob } from './export-data.ts'
import { sealAnew } from './retain.ts'
import { releaseRetained } from './retained-store.ts'
import { dropExpired } from './store.ts'

const hour = 3_600_000

export const jobs = [
  job<ExportJob>('privacy.export', {
    run: async (context, payload) => {
      const fileKey = await makeExport(context.db, payload)
      await context.checkpoint(fileKey, (scope) => announceExport(scope, payload, fileKey))
    },
  }),
  job<{ customerId: string }>('privacy.erase', { commit: erase }),
  job<LateErasure>('privacy.erase-late', { commit: eraseRest }),
]

export const schedules = [
  every(hour, 'privacy.drop-expired', async ({ db }) => {
    for (const key of await dropExpired(db)) await removeFile(db, key)
  }),
  every(hour, 'privacy.seal-anew', async (scope) => {
    await sealAnew(scope)
    await sealPayoutsAnew(scope)
    await sealRefundsAnew(scope)
    await sealMandatesAnew(scope)
  }),
  every(24 * hour, 'privacy.release-retained', async ({ db }) => {
    await releaseRetained(db)
    await releaseClosedNumbers(db)
  }),
]
