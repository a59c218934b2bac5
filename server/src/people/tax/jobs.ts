import { job, on } from '#platform'
import { check, recordAnswer, type Checked, type CheckJob } from './check-vat-number.ts'
import { takeInCompany } from './take-in-company.ts'

export const jobs = [job<CheckJob, Checked | null>('tax.check-vat', { call: check, commit: recordAnswer }, 'services')]

export const handlers = [on('company.registered', 'tax.take-in', { commit: takeInCompany })]
