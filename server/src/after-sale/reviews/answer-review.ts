import * as v from 'valibot'
import { authorize } from '#accounts'
import { purgePages, type Scope } from '#platform'
import { checkText } from './check-text.ts'
import { reviewsTag } from './publish.ts'
import { answerInput, faultsOf, isId, type ReviewFault } from './review.ts'
import { lockReview, writeAnswer } from './store.ts'

export type Answered =
  | { ok: true; id: string; isPending: boolean }
  | { ok: false; reason: 'review-invalid'; faults: Map<string, ReviewFault> }
  | { ok: false; reason: 'unknown-review' | 'not-for-publication' }

/** The seller's public answer, below the review. Sellers are told at once what may not be in it, instead of waiting for an operator. */
export async function answerReview(scope: Scope, id: string, text: string): Promise<Answered> {
  const parsed = v.safeParse(answerInput, text)
  if (!parsed.success) return { ok: false, reason: 'review-invalid', faults: faultsOf(parsed.issues) }
  const review = isId(id) ? await lockReview(scope.db, id) : undefined
  if (!review || review.state !== 'published') return { ok: false, reason: 'unknown-review' }
  if (!authorize(scope, 'review.answer', { sellerId: review.sellerId })) return { ok: false, reason: 'unknown-review' }
  if (checkText([parsed.output]).length > 0) return { ok: false, reason: 'not-for-publication' }
  await writeAnswer(scope.db, id, parsed.output)
  await purgePages(scope.db, [reviewsTag(review), `${review.subject}:${review.subjectId}`])
  return { ok: true, id, isPending: false }
}
