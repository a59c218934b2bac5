import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Finding } from './check-text.ts'
import type { ReviewFields, ReviewState, Subject } from './review.ts'

const turn = { name: 'reviews.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }
/** Serialises what must be counted until the transaction ends: one person's texts, or the reviews of one subject. */
export async function takeTurn(db: Db, what: string): Promise<void> {
  await db.run(turn, [`reviews ${what}`])
}

export interface NewReview extends Omit<ReviewFields, 'photos' | 'aspects'> {
  id: string
  subject: Subject
  subjectId: string
  sellerId: number
  sellerOrderId: string
  owner: string
  email: string
  market: Market
  language: string
  origin: string
  aspects: (number | null)[]
  photos: { file: string; name: string }[]
  bodyHash: Buffer
  state: ReviewState
  findings: Finding[]
  purchasedOn: Date
}
const insert = {
  name: 'reviews.insert',
  text: `insert into reviews.review (id, subject, subject_id, seller_id, seller_order_id, owner, email, market, language, origin, author, stars, aspects,
      title, body, pros, cons, photos, body_hash, state, findings, purchased_on)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
    on conflict do nothing`,
}
/** False if this purchase has been reviewed before. */
export async function insertReview(db: Db, of: NewReview): Promise<boolean> {
  const { id, subject, subjectId, sellerId, sellerOrderId, owner, email, market, language, origin, author, stars, aspects } = of
  const { title, body, pros, cons, photos, bodyHash, state, findings, purchasedOn } = of
  const whose = [id, subject, subjectId, sellerId, sellerOrderId, owner, email, market, language, origin, author, stars, aspects]
  return (await db.run(insert, [...whose, title, body, pros, cons, JSON.stringify(photos), bodyHash, state, findings, purchasedOn])) === 1
}

const recent = {
  name: 'reviews.count-recent',
  text: `select (select count(*)::int from reviews.review where owner = $1 and written_at > now() - interval '1 day') as reviews,
      (select count(*)::int from reviews.question where owner = $1 and at > now() - interval '1 day') as questions,
      (select count(*)::int from reviews.answer where owner = $1 and at > now() - interval '1 day') as answers`,
}
/** What this owner has sent within a day. */
export async function countRecent(db: Db, owner: string): Promise<{ reviews: number; questions: number; answers: number }> {
  return (
    (await db.row<{ reviews: number; questions: number; answers: number }>(recent, [owner])) ?? { reviews: 0, questions: 0, answers: 0 }
  )
}

const copies = { name: 'reviews.has-copy', text: 'select 1 from reviews.review where body_hash = $1 limit 1' }
export async function hasCopy(db: Db, bodyHash: Buffer): Promise<boolean> {
  return (await db.row(copies, [bodyHash])) !== undefined
}

export interface OwnReview {
  id: string
  sellerOrderId: string
  subject: Subject
  subjectId: string
  stars: number
  title: string
  state: ReviewState
  refusal: string | null
  writtenAt: Date
}
const ofOrders = {
  name: 'reviews.of-orders',
  text: `select id::text, seller_order_id as "sellerOrderId", subject, subject_id::text as "subjectId", stars::int, title, state, refusal,
      written_at as "writtenAt" from reviews.review where seller_order_id = any($1)`,
}
export function readReviewsOfOrders(db: Db, sellerOrderIds: readonly string[]): Promise<OwnReview[]> {
  return sellerOrderIds.length === 0 ? Promise.resolve([]) : db.rows<OwnReview>(ofOrders, [sellerOrderIds])
}

export interface LockedReview {
  id: string
  subject: Subject
  subjectId: string
  sellerId: number
  isOwn: boolean
  email: string | null
  market: Market
  origin: string | null
  title: string
  state: ReviewState
  helpful: number
  unhelpful: number
}
const lock = {
  name: 'reviews.lock',
  text: `select id::text, subject, subject_id::text as "subjectId", seller_id as "sellerId", email, market, origin, title, state, helpful, unhelpful,
      coalesce(owner = $2, false) as "isOwn" from reviews.review where id = $1 for update`,
}
/** `isOwn`: whether it was written by the given owner. */
export function lockReview(db: Db, id: string, owner: string | null = null): Promise<LockedReview | undefined> {
  return db.row<LockedReview>(lock, [id, owner])
}

const votes = {
  name: 'reviews.votes-within-hour',
  text: `select count(*)::int as count from reviews.vote where session_id = $1 and at > now() - interval '1 hour'`,
}
export async function countVotes(db: Db, sessionId: string): Promise<number> {
  return (await db.row<{ count: number }>(votes, [sessionId]))?.count ?? 0
}
const changeVote = {
  name: 'reviews.change-vote',
  text: 'update reviews.vote set is_helpful = $4 where review_id = $1 and (voter = $2 or session_id = $3)',
}
const insertVote = {
  name: 'reviews.vote',
  text: 'insert into reviews.vote (review_id, voter, session_id, is_helpful) values ($1, $2, $3, $4)',
}
const addVotes = {
  name: 'reviews.add-votes',
  text: 'update reviews.review set helpful = helpful + $2, unhelpful = unhelpful + $3 where id = $1 returning helpful, unhelpful',
}
const known = {
  name: 'reviews.vote-of',
  text: 'select is_helpful as "isHelpful" from reviews.vote where review_id = $1 and (voter = $2 or session_id = $3)',
}
/** Stores the only vote of this person or session on a locked review, and returns its counts. */
export async function keepVote(
  db: Db,
  reviewId: string,
  { voter, sessionId, isHelpful }: { voter: string; sessionId: string; isHelpful: boolean },
): Promise<{ helpful: number; unhelpful: number }> {
  const before = await db.rows<{ isHelpful: boolean }>(known, [reviewId, voter, sessionId])
  await db.run(before.length > 0 ? changeVote : insertVote, [reviewId, voter, sessionId, isHelpful])
  const was = (value: boolean) => before.filter((vote) => vote.isHelpful === value).length
  const kept = Math.max(1, before.length)
  const [helpful, unhelpful] = isHelpful ? [kept - was(true), -was(false)] : [-was(true), kept - was(false)]
  return (await db.row<{ helpful: number; unhelpful: number }>(addVotes, [reviewId, helpful, unhelpful])) ?? { helpful: 0, unhelpful: 0 }
}

const answer = { name: 'reviews.answer', text: 'update reviews.review set answer = $2, answered_at = now() where id = $1' }
export async function writeAnswer(db: Db, id: string, text: string): Promise<void> {
  await db.run(answer, [id, text])
}

const photo = {
  name: 'reviews.photo',
  text: `select photos -> $2::int ->> 'file' as file from reviews.review where id = $1 and state = 'published'`,
}
/** The file key of a published photo. */
export async function findPhoto(db: Db, id: string, index: number): Promise<string | null> {
  return (await db.row<{ file: string | null }>(photo, [id, index]))?.file ?? null
}
