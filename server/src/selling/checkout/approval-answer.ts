import type { Market } from '@purlin/contract/markets.ts'
import { refusalReasons, type RefusalReason } from '@purlin/contract/refusals.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { describeRefusal } from '#cart'
import type { DecisionRefusal } from './decide-approval.ts'
import type { RequestRefusal } from './request-approval.ts'

function isOrderRefusal(reason: string): reason is RefusalReason {
  return refusalReasons.some((each) => each === reason)
}

export function approvalRefusal(market: Market, { reason }: DecisionRefusal | RequestRefusal) {
  // Problems of the order are worded as in the checkout.
  if (isOrderRefusal(reason)) return describeRefusal(market, { ok: false, reason })
  const message = wordsFor(market)(`approval.refusal.${reason}`)
  const field = reason === 'comment-invalid' ? 'comment' : reason === 'note-invalid' ? 'note' : null
  return { reason, message, fields: field === null ? [] : [{ field, message }] }
}

export function decided(market: Market, result: { ok: true } | DecisionRefusal) {
  return { refusal: result.ok ? null : approvalRefusal(market, result) }
}

export const decisionOf = ({
  isApproved,
  comment,
  agreedTotal,
}: {
  isApproved: boolean
  comment: string
  agreedTotal?: number | null
}) => ({
  isApproved,
  comment,
  agreedTotal: agreedTotal ?? null,
})
