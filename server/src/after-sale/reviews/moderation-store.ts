import type { Db } from '#platform'
import type { ReviewState } from './review.ts'

/** The operators' queue: reviews, questions and answers, oldest first. */
export const contributionKinds = ['review', 'question', 'answer'] as const
export type ContributionKind = (typeof contributionKinds)[number]

export interface Contribution {
  id: string
  kind: ContributionKind
  market: string
  language: string
  author: string
  title: string | null
  body: string
  stars: number | null
  photos: number
  state: ReviewState
  findings: string[]
  refusal: string | null
  about: string
  at: Date
}

const columns: Record<ContributionKind, string> = {
  review: `r.id::text, 'review' as kind, r.market, r.language, r.author, r.title, concat_ws(E'\\n', r.body, r.pros, r.cons) as body, r.stars::int,
    jsonb_array_length(r.photos) as photos, r.state, r.findings, r.refusal, r.subject || ':' || r.subject_id as about, r.written_at as at
    from reviews.review r where r.state = $1 and (r.written_at, r.id) > ($2::timestamptz, $3::uuid) order by r.written_at, r.id limit $4`,
  question: `q.id::text, 'question' as kind, q.market, q.language, q.author, null as title, q.body, null::int as stars, 0 as photos, q.state, q.findings,
    q.refusal, 'product:' || q.product_id as about, q.at
    from reviews.question q where q.state = $1 and (q.at, q.id) > ($2::timestamptz, $3::uuid) order by q.at, q.id limit $4`,
  answer: `a.id::text, 'answer' as kind, q.market, q.language, a.author, null as title, a.body, null::int as stars, 0 as photos, a.state, a.findings,
    a.refusal, 'question:' || a.question_id as about, a.at
    from reviews.answer a join reviews.question q on q.id = a.question_id
    where a.state = $1 and (a.at, a.id) > ($2::timestamptz, $3::uuid) order by a.at, a.id limit $4`,
}
const lists = {
  review: { name: 'reviews.queue-reviews', text: `select ${columns.review}` },
  question: { name: 'reviews.queue-questions', text: `select ${columns.question}` },
  answer: { name: 'reviews.queue-answers', text: `select ${columns.answer}` },
}

export function readQueue(
  db: Db,
  kind: ContributionKind,
  { state, after, limit }: { state: ReviewState; after: { at: Date; id: string } | null; limit: number },
): Promise<Contribution[]> {
  const start = after ?? { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
  return db.rows<Contribution>(lists[kind], [state, start.at, start.id, limit])
}

const decisions = {
  review: {
    name: 'reviews.decide-review',
    text: `update reviews.review set state = $2, refusal = $3, decided_by = 'operator', decided_at = now() where id = $1`,
  },
  question: {
    name: 'reviews.decide-question',
    text: 'update reviews.question set state = $2, refusal = $3, decided_at = now() where id = $1',
  },
  answer: {
    name: 'reviews.decide-answer',
    text: 'update reviews.answer set state = $2, refusal = $3, decided_at = now() where id = $1',
  },
}
export async function writeDecision(db: Db, kind: ContributionKind, id: string, state: ReviewState, refusal: string | null): Promise<void> {
  await db.run(decisions[kind], [id, state, refusal])
}

const lockA = {
  name: 'reviews.lock-answer',
  text: `select id::text, question_id::text as "questionId", author, body, state from reviews.answer where id = $1 for update`,
}
export function lockAnswer(
  db: Db,
  id: string,
): Promise<{ id: string; questionId: string; author: string; body: string; state: ReviewState } | undefined> {
  return db.row(lockA, [id])
}
