import { isMarket, type Market, type Mode } from '@purlin/contract/markets.ts'
import { sendMail } from '#mail'
import { purgePages, type JobScope } from '#platform'
import { tellAsker } from './ask-question.ts'
import { refusedMail } from './mails.ts'
import { lockAnswer, writeDecision, type ContributionKind } from './moderation-store.ts'
import { rateAnew } from './publish.ts'
import { lockQuestion } from './question-store.ts'
import type { RefusalReason, ReviewState } from './review.ts'
import { lockReview } from './store.ts'

export type Decision = { decision: 'approve' } | { decision: 'refuse'; reason: RefusalReason }
export type Decided = { ok: true; state: ReviewState } | { ok: false; reason: 'unknown-contribution' }

/**
 * An operator's decision, which may be reversed later: a published text taken off, or a refused one published after an appeal.
 * The author of a refused text is told the reason.
 */
export async function decide(scope: JobScope, kind: ContributionKind, id: string, decision: Decision): Promise<Decided> {
  const state = decision.decision === 'approve' ? 'published' : 'refused'
  const reason = decision.decision === 'refuse' ? decision.reason : null
  const isKnown = await { review: decideReview, question: decideQuestion, answer: decideAnswer }[kind](scope, id, state, reason)
  return isKnown ? { ok: true, state } : { ok: false, reason: 'unknown-contribution' }
}

type Decide = (scope: JobScope, id: string, state: ReviewState, reason: RefusalReason | null) => Promise<boolean>

const decideReview: Decide = async (scope, id, state, reason) => {
  const review = await lockReview(scope.db, id)
  if (!review) return false
  if (review.state === state) return true
  await writeDecision(scope.db, 'review', id, state, reason)
  if (review.state === 'published' || state === 'published') await rateAnew(scope, review)
  if (reason) await tellAuthor(scope, { ...review, mode: 'b2c' }, `review:${id}`, review.title, reason)
  return true
}

const decideQuestion: Decide = async (scope, id, state, reason) => {
  const question = await lockQuestion(scope.db, id)
  if (!question) return false
  if (question.state === state) return true
  await writeDecision(scope.db, 'question', id, state, reason)
  await purgePages(scope.db, [`product:${question.productId}`])
  if (reason) await tellAuthor(scope, question, `question:${id}`, question.body, reason)
  return true
}

const decideAnswer: Decide = async (scope, id, state, reason) => {
  const answer = await lockAnswer(scope.db, id)
  const question = answer && (await lockQuestion(scope.db, answer.questionId))
  if (!question) return false
  if (answer.state === state) return true
  await writeDecision(scope.db, 'answer', id, state, reason)
  if (state === 'published') await tellAsker(scope, question, answer)
  else await purgePages(scope.db, [`product:${question.productId}`])
  return true
}

const longestTitle = 80

async function tellAuthor(
  scope: JobScope,
  { email, market, mode, origin }: { email: string | null; market: Market; mode: Mode; origin: string | null },
  about: string,
  title: string,
  reason: RefusalReason,
): Promise<void> {
  if (!email || !origin || !isMarket(market)) return
  const payload = { title: title.slice(0, longestTitle), reason }
  await sendMail(scope, refusedMail, { to: email, site: { market, mode, origin }, payload, key: `${about}:refused:${reason}` })
}
