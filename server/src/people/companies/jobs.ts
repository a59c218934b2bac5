import { every, job } from '#platform'
import { forgetInvitationMails } from './invitation-store.ts'
import { sayReceived } from './say-decision.ts'

export const jobs = [job<{ id: string }>('companies.still-waiting', { commit: (scope, { id }) => sayReceived(scope, id) })]

export const schedules = [every(60 * 60_000, 'companies.forget-invitation-mails', ({ db }) => forgetInvitationMails(db))]
