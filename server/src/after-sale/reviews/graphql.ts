import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { ownerOf } from '#accounts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { answerReview, type Answered } from './answer-review.ts'
import { answerQuestion, askQuestion, type AnsweredQuestion, type Asked } from './ask-question.ts'
import { endInvitations } from './invitation.ts'
import { listReviewable } from './list-reviewable.ts'
import { writeSurveyAnswer } from './question-store.ts'
import { reviewLimits } from './review.ts'
import { showQuestions, showReviews } from './show-reviews.ts'
import { vote, type Voted } from './vote.ts'
import { writeReview, type WroteReview } from './write-review.ts'

type Outcome = WroteReview | Answered | Asked | AnsweredQuestion
type Refused = Extract<Outcome | Voted, { ok: false }>

function told(market: Market, refused: Refused) {
  const t = wordsFor(market)
  const faults = 'faults' in refused ? [...refused.faults] : []
  return {
    reason: refused.reason,
    message: t(`review.refusal.${refused.reason}`),
    fields: faults.map(([field, fault]) => ({ field, message: t(`review.fault.${fault}`) })),
  }
}

async function answer({ market }: Scope, outcome: Promise<Outcome>) {
  const done = await outcome
  return done.ok ? { id: done.id, isPending: done.isPending, refusal: null } : { id: null, isPending: false, refusal: told(market, done) }
}

export const resolvers = {
  Query: {
    reviewable: (_parent, args, scope: Scope) => listReviewable(scope, args),
  },
  Product: {
    reviews: ({ product }, { input }, scope: SiteScope) => showReviews(scope, 'product', product.id, input ?? {}),
    questions: ({ product }, args, scope: SiteScope) => showQuestions(scope, product.id, args),
  },
  Seller: {
    reviews: ({ id }, { input }, scope: SiteScope) => showReviews(scope, 'seller', String(id), input ?? {}),
  },
  Mutation: {
    writeReview: (_parent, { input }, scope: Scope) => answer(scope, writeReview(scope, { ...input })),
    voteOnReview: async (_parent, { id, isHelpful }, scope: Scope) => {
      const voted = await vote(scope, id, isHelpful)
      return voted.ok ? { ...voted, refusal: null } : { helpful: null, unhelpful: null, refusal: told(scope.market, voted) }
    },
    answerReview: (_parent, { id, text }, scope: Scope) => answer(scope, answerReview(scope, id, text)),
    endReviewInvitations: async (_parent, { token }, scope: Scope) => {
      await endInvitations(scope.db, token)
      return true
    },
    askQuestion: (_parent, { input }, scope: Scope) => answer(scope, askQuestion(scope, input)),
    answerQuestion: (_parent, { id, text }, scope: Scope) => answer(scope, answerQuestion(scope, id, text)),
    replyToQuestion: (_parent, { id, text }, scope: Scope) => answer(scope, answerQuestion(scope, id, text)),
    answerSurvey: async (_parent, { score, comment }, scope: Scope) => {
      const { market, mode } = scope
      const owner = ownerOf(scope)
      const said = (comment ?? '').replace(/\s+/g, ' ').trim()
      if (owner === null || score < 0 || score > 10 || said.length > reviewLimits.question)
        return answer(scope, Promise.resolve({ ok: false, reason: 'review-invalid', faults: new Map() }))
      await writeSurveyAnswer(scope.db, { owner, market, mode, score, comment: said || null })
      return { id: null, isPending: false, refusal: null }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.reviewable': 'review.see',
  'Mutation.writeReview': 'review.write',
  'Mutation.voteOnReview': 'review.vote',
  'Mutation.answerReview': 'review.answer',
  'Mutation.endReviewInvitations': 'review.vote',
  'Mutation.askQuestion': 'question.ask',
  'Mutation.answerQuestion': 'question.answer',
  'Mutation.replyToQuestion': 'question.reply',
  'Mutation.answerSurvey': 'survey.answer',
} satisfies ActionsOf<typeof resolvers>
