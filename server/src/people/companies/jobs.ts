import { every, job, on } from '#platform'
import { forgetInvitationMails } from './invitation-store.ts'
import { sayReceived } from './say-decision.ts'
import { takeInRegistration } from './take-in-registration.ts'

export const handlers = [on('company.applied', 'companies.take-in-registration', { commit: takeInRegistration })]

export const jobs = [job<{ id: string }>('companies.still-waiting', { commit: (scope, { id }) => sayReceived(scope, id) })]

export const schedules = [every(60 * 60_000, 'companies.forget-invitation-mails', ({ db }) => forgetInvitationMails(db))]
