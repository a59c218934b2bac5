import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { paidOrder, receivedOrder } from './testing.ts'
import {
  type Body,
  type Outcome,
  type Person,
  call,
  customer,
  database,
  decide,
  gateway,
  guest,
  newOffer,
  operator,
  outcome,
  pool,
  ratingOf,
  seller,
  text,
  write,
} from './test-reviews.ts'

test('R-076 R-596 a buyer reviews what has arrived, once; the rating of product and seller follows', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const orderId = await receivedOrder(database, ann, [offer])
  const list = '{ answer: reviewable { items { key subject title sellerName author written { stars state } } } }'
  const { items } = await call<{ items: { key: string; subject: string; title: string; written: object | null }[] }>(ann, list)
  assert.deepEqual(
    items.map(({ key, subject, title, written }) => [key, subject, title, written]),
    [
      [`${orderId}-1:product:${offer}`, 'product', `Drill ${offer}`, null],
      [`${orderId}-1:seller:1`, 'seller', 'Seller 1', null],
    ],
  )
  const [product, service] = items
  assert.ok(product && service)
  const first = await write(ann, product.key, { aspects: [5, null, 3] })
  assert.deepEqual([first.isPending, first.refusal], [false, null])
  assert.deepEqual(await ratingOf(offer), { rating: 4, count: 1 })
  assert.equal((await write(ann, product.key)).refusal?.reason, 'already-reviewed')
  assert.equal((await write(ann, service.key, { stars: 2 })).refusal, null)
  const { rows } = await pool.query('select rating::float8 as rating, rating_count as count from sellers.seller where id = 1')
  assert.deepEqual(rows, [{ rating: 2, count: 1 }])

  const bob = await customer()
  await receivedOrder(database, bob, [offer])
  const [his] = (await call<{ items: { key: string }[] }>(bob, list)).items
  assert.equal((await write(bob, his?.key ?? '', { stars: 1 })).refusal, null)
  assert.deepEqual(await ratingOf(offer), { rating: 2.5, count: 2 })
  const shown = await call<{ reviews: { count: number; rating: number; stars: object[]; reviews: { stars: number; author: string }[] } }>(
    { cookie: '' },
    `{ answer: product(id: "${offer}") { reviews { count rating stars { stars count } aspects { aspect rating } reviews { stars author } } } }`,
  )
  assert.deepEqual(structuredClone(shown.reviews), {
    count: 2,
    rating: 2.5,
    stars: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: stars === 4 || stars === 1 ? 1 : 0 })),
    aspects: [
      { aspect: 'quality', rating: 5 },
      { aspect: 'ease', rating: 3 },
    ],
    reviews: [
      { stars: 1, author: 'Ann B.' },
      { stars: 4, author: 'Ann B.' },
    ],
  })
})

test('R-076 nobody reviews what they have not received: unpaid, unshipped, of others, other products, other markets', async () => {
  const [offer, other] = [await newOffer(), await newOffer()]
  const ann = await customer()
  const paid = await paidOrder(database, ann, [offer])
  assert.equal((await write(ann, `${paid}-1:product:${offer}`)).refusal?.reason, 'unknown-purchase', 'paid, not delivered')
  const received = await receivedOrder(database, ann, [offer])
  const key = `${received}-1:product:${offer}`
  for (const who of [await customer(), await guest(), { cookie: '' }])
    assert.equal((await write(who, key)).refusal?.reason, 'unknown-purchase', 'of somebody else')
  for (const wrong of [
    `${received}-1:product:${other}`,
    `${received}-1:seller:2`,
    `${received}-2:product:${offer}`,
    'x',
    `${received}-1:order:1`,
  ])
    assert.equal((await write(ann, wrong)).refusal?.reason, 'unknown-purchase', wrong)
  const elsewhere = await gateway.post(
    `mutation ($input: ReviewInput!) { answer: writeReview(input: $input) ${outcome} }`,
    { input: { key, ...text() } },
    { cookie: ann.cookie, host: 'de.localhost' },
  )
  assert.match(JSON.stringify(elsewhere.body), /unknown-purchase|UNAUTHENTICATED/)
  assert.deepEqual(await ratingOf(offer), { rating: null, count: 0 })
  assert.equal((await write(ann, key)).refusal, null, 'the buyer may')
})

test('R-076 invalid reviews are refused at their fields', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const key = `${await receivedOrder(database, ann, [offer])}-1:product:${offer}`
  const faults = async (more: object) => (await write(ann, key, more)).refusal?.fields.map(({ field }) => field)
  assert.deepEqual(await faults({ stars: 0 }), ['stars'])
  assert.deepEqual(await faults({ stars: 6 }), ['stars'])
  assert.deepEqual(await faults({ aspects: [9] }), ['aspects'])
  assert.deepEqual(await faults({ body: 'Too short' }), ['body'])
  assert.deepEqual(await faults({ body: 'x'.repeat(3001) }), ['body'])
  assert.deepEqual(await faults({ title: '', author: '' }), ['title', 'author'])
  assert.deepEqual(await faults({ title: '<b>bold</b>' }), ['title'])
  assert.equal((await write(ann, key, { photos: [randomUUID()] })).refusal?.reason, 'photo-gone', 'photos of nobody')
})

test('R-076 a purchase reviewed twelve times at once has one review', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const key = `${await receivedOrder(database, ann, [offer])}-1:product:${offer}`
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => write(ann, key)))
  assert.equal(outcomes.filter(({ refusal }) => refusal === null).length, 1)
  assert.deepEqual(await ratingOf(offer), { rating: 4, count: 1 })
})

test('R-076 reviews of one product that are published at once all count', async () => {
  const offer = await newOffer()
  const buyers = await Promise.all(Array.from({ length: 6 }, customer))
  const keys: string[] = []
  for (const buyer of buyers) keys.push(`${await receivedOrder(database, buyer, [offer])}-1:product:${offer}`)
  await Promise.all(buyers.map((buyer, index) => write(buyer, keys[index] ?? '', { stars: index < 3 ? 5 : 2 })))
  assert.deepEqual(await ratingOf(offer), { rating: 3.5, count: 6 })
})

test('R-076 the operator sees what the checks found, and approves or refuses it with a reason that the author is told', async () => {
  const offer = await newOffer()
  const [ann, bob] = [await customer(), await customer()]
  const keyOf = async (buyer: Person) => `${await receivedOrder(database, buyer, [offer])}-1:product:${offer}`
  const copied = 'Exactly this text is sent by two different buyers.'
  const one = await write(ann, await keyOf(ann), { body: copied })
  assert.equal(one.isPending, false)
  const two = await write(bob, await keyOf(bob), { body: copied.toUpperCase().toLowerCase(), stars: 1 })
  assert.equal(two.isPending, true)
  assert.deepEqual(await ratingOf(offer), { rating: 4, count: 1 }, 'a pending one does not count')
  const queue: { contributions: { id: string; findings: string[] }[] } = await (
    await operator('/api/v1/operator/contributions/review')
  ).json()
  assert.deepEqual(queue.contributions.find(({ id }) => id === two.id)?.findings, ['duplicate'])
  assert.equal((await fetch(`${gateway.url}/api/v1/operator/contributions/review`)).status, 401)
  assert.equal(await decide('review', two.id, { decision: 'refuse' }), 400, 'without a reason')
  assert.equal(await decide('review', randomUUID(), { decision: 'approve' }), 404)
  assert.equal(await decide('review', two.id, { decision: 'refuse', reason: 'fake' }), 200)
  const mails = async () =>
    (await pool.query(`select body_text as text from mail.mail where recipient = $1 and template = 'review-refused'`, [bob.email])).rows
  assert.match((await mails())[0]?.text ?? '', /does not report an experience/)
  assert.equal(await decide('review', two.id, { decision: 'refuse', reason: 'fake' }), 200, 'a repeat changes nothing')
  assert.equal((await mails()).length, 1)
  assert.equal(await decide('review', two.id, { decision: 'approve' }), 200, 'after an appeal')
  assert.deepEqual(await ratingOf(offer), { rating: 2.5, count: 2 })
  assert.equal(await decide('review', one.id, { decision: 'refuse', reason: 'unrelated' }), 200, 'a published one is taken off')
  assert.deepEqual(await ratingOf(offer), { rating: 1, count: 1 })
})

test('R-596 each person and session has one vote on a review, however often and however fast it is sent', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const review = await write(ann, `${await receivedOrder(database, ann, [offer])}-1:product:${offer}`)
  const vote = (who: { cookie: string }, isHelpful: boolean) =>
    call<{ helpful: number | null; unhelpful: number | null; refusal: { reason: string } | null }>(
      who,
      'mutation ($id: ID!, $isHelpful: Boolean!) { answer: voteOnReview(id: $id, isHelpful: $isHelpful) { helpful unhelpful refusal { reason } } }',
      { id: review.id, isHelpful },
    )
  const [bob, visitor] = [await customer(), await guest()]
  await Promise.all([...Array.from({ length: 5 }, () => vote(bob, true)), ...Array.from({ length: 5 }, () => vote(visitor, true))])
  assert.deepEqual(structuredClone(await vote(bob, true)), { helpful: 2, unhelpful: 0, refusal: null })
  assert.deepEqual(structuredClone(await vote(bob, false)), { helpful: 1, unhelpful: 1, refusal: null }, 'a changed mind')
  assert.equal((await vote(ann, true)).refusal?.reason, 'own-review')
  await pool.query(
    `insert into reviews.vote (review_id, voter, session_id, is_helpful) select r.id, 'x' || n, $1, true from reviews.review r, generate_series(1, 1) n
    where r.id <> $2 limit 60`,
    [bob.scope().session?.id ?? '', review.id],
  )
  const counted = await pool.query('select helpful, unhelpful from reviews.review where id = $1', [review.id])
  assert.deepEqual(counted.rows, [{ helpful: 1, unhelpful: 1 }])
})

test('R-596 a script that drops its cookies neither stuffs the ballot nor fills the operators’ queue', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const review = await write(ann, `${await receivedOrder(database, ann, [offer])}-1:product:${offer}`)
  const from = (remoteAddress: string, query: string) =>
    gateway.execute({ query, headers: { host: 'localhost', 'sec-fetch-site': 'same-origin' }, remoteAddress })
  const vote = (remoteAddress: string) =>
    from(remoteAddress, `mutation { answer: voteOnReview(id: "${review.id}", isHelpful: true) { refusal { reason } } }`)
  const helpful = async () => (await pool.query('select helpful from reviews.review where id = $1', [review.id])).rows[0].helpful
  for (let sent = 0; sent < 6; sent++) await vote('203.0.113.20')
  assert.equal(await helpful(), 1, 'guests of one network')
  await vote('203.0.113.21')
  assert.equal(await helpful(), 2)
  await vote('2001:db8:1:2::1')
  await vote('2001:db8:1:2::2')
  assert.equal(await helpful(), 3, 'one IPv6 customer')

  const question = (index: number) =>
    from(
      '203.0.113.20',
      `mutation { answer: askQuestion(input: { productId: "${offer}", text: "Does it fit a socket of size ${index}?", author: "Guest" }) { id } }`,
    )
  for (let sent = 0; sent < 15; sent++) await question(sent)
  const asked = await pool.query('select count(*)::int as n from reviews.question where product_id = $1', [offer])
  assert.ok(asked.rows[0].n > 0 && asked.rows[0].n <= 11, `${asked.rows[0].n} questions of one network`)
})

test('R-076 sellers answer the reviews of their own orders, and nobody else does', async () => {
  const offer = await newOffer()
  const ann = await customer()
  const review = await write(ann, `${await receivedOrder(database, ann, [offer])}-1:product:${offer}`)
  const document = `mutation ($id: ID!, $text: String!) { answer: answerReview(id: $id, text: $text) ${outcome} }`
  const answer = (who: { cookie: string }, said: string) => call(who, document, { id: review.id, text: said })
  assert.equal((await answer(await seller(2), 'Thank you for this.')).refusal?.reason, 'unknown-review')
  const own = await seller(1)
  assert.equal((await answer(own, 'Call us on 0161 496 0000 instead.')).refusal?.reason, 'not-for-publication')
  assert.equal((await answer(own, 'Thank you for this.')).refusal, null)
  for (const who of [ann, await guest()]) {
    const body: Body<Outcome> = (await gateway.post(document, { id: review.id, text: 'Me too!' }, { cookie: who.cookie })).body
    assert.match(body.errors?.[0]?.extensions.code ?? '', /FORBIDDEN|UNAUTHENTICATED/)
  }
  const { rows } = await pool.query('select answer from reviews.review where id = $1', [review.id])
  assert.deepEqual(rows, [{ answer: 'Thank you for this.' }])
})

test('R-058 R-156 R-260 five days after delivery one invitation is sent; its link opens its own order until it ends, and ends them all', async () => {
  const [offer, other] = [await newOffer(), await newOffer(2)]
  const ann = await guest()
  const orderId = await receivedOrder(database, ann, [offer, other])
  await runWork(database, handlers, jobs)
  const mails = async () =>
    (
      await pool.query(
        `select body_text as text, unsubscribe_url as url from mail.mail where recipient = $1 and template = 'review-invitation' order by created_at, key`,
        [ann.email],
      )
    ).rows
  assert.equal((await mails()).length, 0, 'not at once')
  const soon = () => pool.query(`update platform.job set run_at = now() where name = 'reviews.invite' and key like $1`, [`${orderId}%`])
  await soon()
  await runWork(database, handlers, jobs)
  await soon()
  await runWork(database, handlers, jobs)
  const sent = await mails()
  assert.equal(sent.length, 2, 'one per seller order')
  const tokens = sent.map((mail) => /review\?token=([\w-]{43})/.exec(mail.text)?.[1] ?? '')
  const list = 'query ($token: String) { answer: reviewable(token: $token) { items { key } } }'
  const stranger = await guest()
  const opened: string[][] = []
  for (const token of tokens) opened.push((await call<{ items: { key: string }[] }>(stranger, list, { token })).items.map(({ key }) => key))
  assert.deepEqual(opened.flat().toSorted(), [
    `${orderId}-1:product:${offer}`,
    `${orderId}-1:seller:1`,
    `${orderId}-2:product:${other}`,
    `${orderId}-2:seller:2`,
  ])
  assert.deepEqual(
    (await call<{ items: object[] }>(stranger, list, { token: 'x'.repeat(43) })).items,
    [],
    'an invented token opens nothing',
  )
  const [firstToken = '', secondToken = ''] = tokens
  const [firstKey = ''] = opened[0] ?? []
  assert.equal((await write(stranger, firstKey, { token: secondToken })).refusal?.reason, 'unknown-purchase', 'the token of another order')
  assert.equal((await write(stranger, firstKey, { token: firstToken })).refusal, null)
  assert.equal((await write(stranger, firstKey, { token: firstToken })).refusal?.reason, 'already-reviewed', 'a token used again')
  await pool.query(`update reviews.invitation set expires_at = now() - interval '1 second'`)
  const [secondKey = ''] = opened[1] ?? []
  assert.equal((await write(stranger, secondKey, { token: secondToken })).refusal?.reason, 'unknown-purchase', 'an expired token')

  const path = new URL(sent[0]?.url ?? '').pathname
  assert.equal((await fetch(gateway.url + path)).status, 404, 'a GET does not unsubscribe')
  assert.equal(
    (
      await fetch(gateway.url + path, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).status,
    204,
  )
  const again = await receivedOrder(database, ann, [offer])
  await runWork(database, handlers, jobs)
  await pool.query(`update platform.job set run_at = now() where name = 'reviews.invite' and key like $1`, [`${again}%`])
  await runWork(database, handlers, jobs)
  assert.equal((await mails()).length, 2, 'none after that')
})

test('R-068 questions: guests’ wait for the operator, customers’ are published; sellers and buyers who received it answer, and the asker is told', async () => {
  const offer = await newOffer()
  const ask = (who: { cookie: string }, said = 'Is a second battery included in the case?') =>
    call(who, `mutation ($input: QuestionInput!) { answer: askQuestion(input: $input) ${outcome} }`, {
      input: { productId: offer, text: said, author: 'Cleo' },
    })
  const answer = (who: { cookie: string }, id: string | null, said = 'Yes, two of them.') =>
    call(who, `mutation ($id: ID!, $text: String!) { answer: answerQuestion(id: $id, text: $text) ${outcome} }`, { id, text: said })
  const reply = (who: { cookie: string }, id: string | null, said = 'Yes, two of them.') =>
    call(who, `mutation ($id: ID!, $text: String!) { answer: replyToQuestion(id: $id, text: $text) ${outcome} }`, { id, text: said })
  const list = async () =>
    structuredClone(
      (
        await call<{ questions: { total: number; questions: { body: string; answers: { kind: string; author: string }[] }[] } }>(
          { cookie: '' },
          `{ answer: product(id: "${offer}") { questions { total questions { body answers { kind author } } } } }`,
        )
      ).questions,
    )
  const byGuest = await ask(await guest(), 'Does it come with a charger, too?')
  assert.equal(byGuest.isPending, true)
  assert.equal((await list()).total, 0)
  assert.equal(await decide('question', byGuest.id, { decision: 'approve' }), 200)
  const cleo = await customer()
  const { id } = await ask(cleo)
  assert.equal((await ask(cleo, 'Shop at example.com?')).isPending, true)
  assert.equal((await list()).total, 2)
  assert.equal((await answer(await customer(), id)).refusal?.reason, 'not-a-buyer')
  assert.equal((await reply(await seller(2), id)).refusal?.reason, 'not-a-buyer', 'a seller of other goods')
  const own = await seller(1)
  assert.equal((await reply(own, id)).refusal, null)
  assert.equal((await reply(own, id, 'And a third one.')).refusal?.reason, 'already-answered')
  const dan = await customer()
  await receivedOrder(database, dan, [offer])
  assert.equal((await answer(dan, id, 'Mine had two as well.')).refusal, null)
  const [first] = (await list()).questions
  assert.deepEqual(
    first?.answers.map(({ kind }) => kind),
    ['seller', 'buyer'],
  )
  const { rows } = await pool.query(`select body_text as text from mail.mail where recipient = $1 and template = 'question-answered'`, [
    cleo.email,
  ])
  assert.equal(rows.length, 2)
  for (let sent = 0; sent < 3; sent += 1) await ask(cleo, `One more question, number ${sent}?`)
  assert.equal((await ask(cleo)).refusal?.reason, 'too-many-questions')
})

test('R-276 the survey counts one answer per person and day', async () => {
  const ann = await customer()
  const answer = (score: number) => call(ann, `mutation ($score: Int!) { answer: answerSurvey(score: $score) ${outcome} }`, { score })
  assert.equal((await answer(11)).refusal?.reason, 'review-invalid')
  await answer(2)
  await answer(9)
  const summary = await (await operator('/api/v1/operator/survey')).json()
  assert.deepEqual(summary, { markets: [{ market: 'gb', answers: 1, promoters: 1, detractors: 0, score: 100 }] })
})
