import type { Db } from '#platform'
import type { ReviewRow, Subject } from './review.ts'

/** What visitors read: published reviews and their distribution. */

export interface Distribution {
  stars: number
  language: string
  count: number
  aspects: [number | null, number | null, number | null]
  aspectCounts: [number, number, number]
}

const distribution = {
  name: 'reviews.distribution',
  text: `select stars::int, language, count(*)::int as count,
      array[sum(aspects[1]), sum(aspects[2]), sum(aspects[3])]::int[] as aspects,
      array[count(aspects[1]), count(aspects[2]), count(aspects[3])]::int[] as "aspectCounts"
    from reviews.review where subject = $1 and subject_id = $2 and state = 'published' group by stars, language`,
}

/** Numbers of published reviews by stars and language, with the sums of their sub-ratings. */
export function readDistribution(db: Db, subject: Subject, subjectId: string): Promise<Distribution[]> {
  return db.rows<Distribution>(distribution, [subject, subjectId])
}

export const reviewSorts = ['helpful', 'newest', 'best', 'worst'] as const
export type ReviewSort = (typeof reviewSorts)[number]

const orders: Record<ReviewSort, string> = {
  // Detail helps as well, where nobody has voted yet.
  helpful: 'helpful - unhelpful desc, (pros is not null or cons is not null) desc, written_at desc, id',
  newest: 'written_at desc, id',
  best: 'stars desc, helpful - unhelpful desc, written_at desc, id',
  worst: 'stars, helpful - unhelpful desc, written_at desc, id',
}
const lists = Object.fromEntries(
  reviewSorts.map((sort) => [
    sort,
    {
      name: `reviews.list-${sort}`,
      text: `select id::text, stars::int, aspects, title, body, pros, cons, author, language, market, written_at as "writtenAt", photos, answer,
          seller_id as "sellerId", helpful, unhelpful
        from reviews.review
        where subject = $1 and subject_id = $2 and state = 'published' and ($3::int is null or stars = $3) and ($4::text is null or language = $4)
        order by language = $5 desc, ${orders[sort]} limit $6 offset $7`,
    },
  ]),
)

export interface ListFilter {
  subject: Subject
  subjectId: string
  stars: number | null
  language: string | null
  sort: ReviewSort
  /** The market's language, which comes first. */
  own: string
  first: number
  offset: number
}

export function readReviews(db: Db, filter: ListFilter): Promise<ReviewRow[]> {
  const { subject, subjectId, stars, language, sort, own, first, offset } = filter
  const statement = lists[sort]
  if (!statement) throw new RangeError(`no order ${sort}`)
  return db.rows<ReviewRow>(statement, [subject, subjectId, stars, language, own, first, offset])
}

export interface QuestionRow {
  id: string
  body: string
  author: string
  language: string
  at: Date
  answers: { id: string; kind: 'seller' | 'buyer'; author: string; body: string; at: string }[]
}

const questions = {
  name: 'reviews.questions',
  text: `select q.id::text, q.body, q.author, q.language, q.at, coalesce(a.answers, '[]'::json) as answers, count(*) over ()::int as total
    from reviews.question q
      left join lateral (
        select json_agg(json_build_object('id', id, 'kind', kind, 'author', author, 'body', body, 'at', at) order by kind desc, at) as answers
        from reviews.answer where question_id = q.id and state = 'published') a on true
    where q.product_id = $1 and q.state = 'published'
    order by q.language = $2 desc, a.answers is null, q.at desc, q.id limit $3 offset $4`,
}

/** Questions about a product, answered ones first, and their number. */
export async function readQuestions(
  db: Db,
  productId: string,
  { own, first, offset }: { own: string; first: number; offset: number },
): Promise<{ rows: QuestionRow[]; total: number }> {
  const rows = await db.rows<QuestionRow & { total: number }>(questions, [productId, own, first, offset])
  return { rows, total: rows[0]?.total ?? 0 }
}
