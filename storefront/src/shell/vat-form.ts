import { choice } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** How a professional wants to see prices, and the page the choice was made on. */
export const vatForm = v.object({ vat: choice(['with', 'without']), back: v.optional(v.string(), '') })
