import { wasTheirs, type OwnAddress } from '#accounts'
import type { Db } from '#platform'

/** Written by this owner, or by a guest who stated one of these addresses while it was theirs. */
const isTheirs = (addresses: string, at: string) => `(owner = $1 or owner like 's:%' and ${wasTheirs('email', at, addresses)})`

const read = {
  name: 'reviews.of-owner',
  text: `select jsonb_build_object(
      'reviews', coalesce((select jsonb_agg(jsonb_build_object('about', subject || ':' || subject_id, 'stars', stars, 'title', title, 'body', body,
        'pros', pros, 'cons', cons, 'author', author, 'email', email, 'state', state, 'writtenAt', written_at)) from reviews.review where ${isTheirs('$3', 'written_at')} or seller_order_id = any($2)), '[]'),
      'questions', coalesce((select jsonb_agg(jsonb_build_object('productId', product_id, 'body', body, 'author', author, 'email', email, 'at', at))
        from reviews.question where ${isTheirs('$3', 'at')}), '[]'),
      'answers', coalesce((select jsonb_agg(jsonb_build_object('body', body, 'author', author, 'at', at)) from reviews.answer where owner = $1), '[]'),
      'surveys', coalesce((select jsonb_agg(jsonb_build_object('day', day, 'market', market, 'score', score, 'comment', comment))
        from reviews.survey_answer where owner = $1), '[]'),
      'votes', coalesce((select jsonb_agg(jsonb_build_object('reviewId', review_id, 'isHelpful', is_helpful, 'at', at) order by at)
        from reviews.vote where voter = $1), '[]')) as data`,
}
/** The contributions of a person, also those written as a guest: about these orders, or with one of these addresses. */
export interface Contributor {
  owner: string
  sellerOrderIds: readonly string[]
  addresses: readonly OwnAddress[]
}
const valuesOf = ({ owner, sellerOrderIds, addresses }: Contributor) => [owner, sellerOrderIds, JSON.stringify(addresses)]

/** Everything a customer has contributed: for their data export. */
export async function readReviewsOf(db: Db, by: Contributor): Promise<unknown> {
  return (await db.row<{ data: unknown }>(read, valuesOf(by)))?.data ?? null
}

// A published text stays, because other buyers rely on it; nothing in it leads to the person any more.
const forgetReviews = {
  name: 'reviews.forget-reviews',
  text: `update reviews.review set owner = null, email = null, seller_order_id = null, photos = '[]', author = '–'
    where ${isTheirs('$3', 'written_at')} or seller_order_id = any($2) returning id::text`,
}
const forgetQuestions = {
  name: 'reviews.forget-questions',
  text: `update reviews.question set owner = null, email = null, author = '–' where ${isTheirs('$2', 'at')}`,
}
const forget = [
  { name: 'reviews.forget-answers', text: `update reviews.answer set owner = null, author = '–' where owner = $1` },
  {
    name: 'reviews.forget-votes',
    text: `update reviews.vote set voter = 'erased:' || review_id, session_id = 'erased:' || gen_random_uuid() where voter = $1`,
  },
  { name: 'reviews.forget-survey', text: 'delete from reviews.survey_answer where owner = $1' },
]
const forgetInvitations = { name: 'reviews.forget-invitations', text: 'delete from reviews.invitation where seller_order_id = any($1)' }

/**
 * Erases a customer from their contributions, and the invitations of these orders. Returns the ids of the reviews, whose
 * photos go too.
 */
export async function forgetReviewsOf(db: Db, by: Contributor): Promise<string[]> {
  const [owner, sellerOrderIds, addresses] = valuesOf(by)
  for (const statement of forget) await db.run(statement, [owner])
  await db.run(forgetQuestions, [owner, addresses])
  await db.run(forgetInvitations, [sellerOrderIds])
  return (await db.rows<{ id: string }>(forgetReviews, [owner, sellerOrderIds, addresses])).map(({ id }) => id)
}
