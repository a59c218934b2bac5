import { choice } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** How a professional wants prices displayed, and the page of the choice. */
export const vatForm = v.object({ vat: choice(['with', 'without']), back: v.optional(v.string(), '') })
