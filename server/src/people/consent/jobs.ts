import { consentRules } from '@purlin/contract/consent-rules.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { every, job } from '#platform'
import { forgetChoices } from './store.ts'
import { repeatJob, repeatWithdrawal, type Repeat } from './withdraw.ts'

export const jobs = [job<Repeat>(repeatJob, { commit: repeatWithdrawal })]

export const schedules = [
  every(86_400_000, 'consent.forget', async ({ db }) => {
    for (const market of marketCodes) await forgetChoices(db, market, consentRules[market].proofDays, consentRules[market].choiceDays)
  }),
]
