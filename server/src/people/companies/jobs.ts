import { job } from '#platform'
import { sayReceived } from './say-decision.ts'

export const jobs = [job<{ id: string }>('companies.still-waiting', { commit: (scope, { id }) => sayReceived(scope, id) })]
