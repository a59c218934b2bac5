import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Finding } from './check-text.ts'
import type { ReviewState } from './review.ts'

export interface NewQuestion {
  id: string
  productId: string
  market: Market
  language: string
  mode: Mode
  origin: string
  owner: string
  email: string | null
  author: string
  body: string
  state: ReviewState
  findings: Finding[]
}
const insertQ = {
  name: 'reviews.ask',
  text: `insert into reviews.question (id, product_id, market, language, mode, origin, owner, email, author, body, state, findings)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}
export async function insertQuestion(db: Db, of: NewQuestion): Promise<void> {
  const { id, productId, market, language, mode, origin, owner, email, author, body, state, findings } = of
  await db.run(insertQ, [id, productId, market, language, mode, origin, owner, email, author, body, state, findings])
}

export interface LockedQuestion {
  id: string
  productId: string
  market: Market
  mode: Mode
  origin: string | null
  owner: string | null
  email: string | null
  body: string
  state: ReviewState
}
const lockQ = {
  name: 'reviews.lock-question',
  text: `select id::text, product_id::text as "productId", market, mode, origin, owner, email, body, state from reviews.question where id = $1 for update`,
}
export function lockQuestion(db: Db, id: string): Promise<LockedQuestion | undefined> {
  return db.row<LockedQuestion>(lockQ, [id])
}

export interface NewAnswer {
  id: string
  questionId: string
  kind: 'seller' | 'buyer'
  sellerId: number | null
  owner: string
  author: string
  body: string
  state: ReviewState
  findings: Finding[]
}
const insertA = {
  name: 'reviews.answer-question',
  text: `insert into reviews.answer (id, question_id, kind, seller_id, owner, author, body, state, findings)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
}
/** False if this person has answered the question before. */
export async function insertAnswer(db: Db, of: NewAnswer): Promise<boolean> {
  const { id, questionId, kind, sellerId, owner, author, body, state, findings } = of
  return (await db.run(insertA, [id, questionId, kind, sellerId, owner, author, body, state, findings])) === 1
}

const survey = {
  name: 'reviews.survey',
  text: `insert into reviews.survey_answer (owner, day, market, mode, score, comment) values ($1, current_date, $2, $3, $4, $5)
    on conflict (owner, day) do update set score = excluded.score, comment = excluded.comment, at = now()`,
}
export async function writeSurveyAnswer(
  db: Db,
  { owner, market, mode, score, comment }: { owner: string; market: Market; mode: Mode; score: number; comment: string | null },
): Promise<void> {
  await db.run(survey, [owner, market, mode, score, comment])
}

const summary = {
  name: 'reviews.survey-summary',
  text: `select market, count(*)::int as answers, count(*) filter (where score >= 9)::int as promoters,
      count(*) filter (where score <= 6)::int as detractors
    from reviews.survey_answer where day > current_date - $1::int group by market order by market`,
}
/** Answers of the last days by market; the net promoter score is promoters minus detractors, as a share of the answers. */
export function readSurvey(db: Db, days: number): Promise<{ market: Market; answers: number; promoters: number; detractors: number }[]> {
  return db.rows(summary, [days])
}
