import { namesOf } from '@purlin/web/form-action.ts'
import { choice, files, optionalLines, optionalText } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import type { DisputeAction, DisputeReason, DisputeWish } from '../generated/documents.ts'

export const disputeReasons = [
  'NOT_RECEIVED',
  'DAMAGED',
  'NOT_AS_DESCRIBED',
  'INCOMPLETE',
  'REFUND_MISSING',
  'OTHER',
] as const satisfies DisputeReason[]
export const disputeWishes = ['REFUND', 'PART_REFUND', 'REPLACEMENT', 'REPAIR'] as const satisfies DisputeWish[]
/** The moves of a buyer. */
export const buyerMoves = ['ADD', 'ACCEPT', 'REFUSE', 'WITHDRAW', 'APPEAL'] as const satisfies DisputeAction[]

/** Opens a dispute, or makes a move in it. */
export const disputeForm = v.object({
  do: choice(['open', ...buyerMoves]),
  reason: v.optional(choice(disputeReasons)),
  wish: v.optional(choice(disputeWishes)),
  amount: optionalText(12),
  note: optionalLines(2_000),
  attachment: files(3),
})
export const disputeField = namesOf(disputeForm)

/** Minor units of an amount as people type it: "12,50", "12.5", "1 200". Null for anything else. */
export function typedAmount(typed: string | null): number | null {
  const [, whole = '', decimals = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec((typed ?? '').replace(/[\s\u00a0\u202f£€]/g, '')) ?? []
  return whole === '' ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
