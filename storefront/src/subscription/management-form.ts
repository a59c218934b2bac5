import { choice } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** What changes a subscription; a period changes the plan. */
export const managementForm = v.object({ do: choice(['card', 'YEARLY', 'MONTHLY', 'cancel', 'resume', 'withdraw'] as const) })
