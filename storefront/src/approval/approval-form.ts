import { choice, optionalLines, text } from '@purlin/web/form-input.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import * as v from 'valibot'

export const decisionForm = v.object({
  do: v.literal('decide'),
  decision: choice(['approve', 'refuse']),
  comment: optionalLines(500),
  /** The total that was shown, in minor units. */
  agreedTotal: text(12),
})

/** The forms of a request's page, distinguished by `do`. */
export const approvalForm = v.variant('do', [
  decisionForm,
  v.object({ do: v.literal('order'), idempotencyKey: text(100) }),
  v.object({ do: v.literal('order-by-invoice'), idempotencyKey: text(100) }),
  v.object({ do: v.literal('return') }),
  // Pick-up points, by seller.
  v.object({ do: v.literal('points'), point: v.optional(v.record(v.string(), text(40)), {}) }),
])
export const approvalField = namesOf(approvalForm)

export function decisionInput({ decision, comment, agreedTotal }: v.InferOutput<typeof decisionForm>) {
  const total = Number(agreedTotal)
  return { isApproved: decision === 'approve', comment, agreedTotal: Number.isSafeInteger(total) ? total : null }
}
