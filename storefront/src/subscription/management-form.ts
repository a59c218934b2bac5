import { choice } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** A change of the subscription; a period changes the plan. */
export const managementForm = v.object({ do: choice(['card', 'YEARLY', 'MONTHLY', 'cancel', 'resume', 'withdraw'] as const) })
