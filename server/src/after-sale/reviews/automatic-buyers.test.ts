import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { customerIdOf } from '#accounts'
import { runWork } from '../../edges/worker/testing.ts'
import { connectAutomaticBuyers } from './automatic-buyers.ts'
import { handlers, jobs } from './jobs.ts'
import { customer, database, newOffer, pool, ratingOf, write } from './test-reviews.ts'
import { receivedOrder } from './testing.ts'

const mine = new Set<string>()
let bodies = 0
connectAutomaticBuyers({
  isTheirs: (customerId) => mine.has(customerId),
  reviewAfterMs: 0,
  compose: ({ market, family }) => ({
    stars: 5,
    title: 'As expected',
    body: `${'Bought for the shed and used twice since. '.repeat(++bodies)} ${market} ${family}`,
    pros: null,
    cons: null,
  }),
})
after(() => connectAutomaticBuyers(null))
const work = () =>
  runWork(
    database,
    handlers,
    jobs.filter(({ name }) => name === 'reviews.act-as-buyer'),
  )
const reviewsOf = async (orderId: string) =>
  (
    await pool.query<{ body: string; author: string; state: string }>(
      `select body, author, state from reviews.review where seller_order_id like $1 || '-%'`,
      [orderId],
    )
  ).rows

test('a person of the demo reviews what has arrived: once, about its family, with a rating on the card', async () => {
  const [buyer, offerId] = [await customer(), await newOffer()]
  mine.add(customerIdOf(buyer.scope()) ?? '')
  const orderId = await receivedOrder(database, buyer, [offerId])
  await work()
  await work()
  const [review, ...others] = await reviewsOf(orderId)
  assert.equal(others.length, 0)
  assert.match(review?.body ?? '', / gb \w/)
  assert.equal(review?.state, 'published')
  assert.deepEqual(await ratingOf(offerId), { rating: 5, count: 1 })
})

test('nobody writes for a visitor, nor over what somebody has written themselves', async () => {
  const [visitor, person] = [await customer(), await customer()]
  mine.add(customerIdOf(person.scope()) ?? '')
  const [theirs, own] = [await newOffer(), await newOffer()]
  const visitors = await receivedOrder(database, visitor, [theirs])
  const persons = await receivedOrder(database, person, [own])
  await write(person, `${persons}-1:product:${own}`)
  await work()
  assert.deepEqual(await reviewsOf(visitors), [])
  assert.deepEqual(
    (await reviewsOf(persons)).map(({ author }) => author),
    ['Ann B.'],
  )
})
