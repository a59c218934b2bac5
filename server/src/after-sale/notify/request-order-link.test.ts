/** A guest asks for the link to an order through the published API; jobs and mails are real. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { useMailSettings } from '#mail'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { endHold } from '../../selling/checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { handlers, jobs } from './jobs.ts'

const database = await testDatabase()
await fillShop(database)
useSettings({ ORDER_LINK_SECRET: 'a-link-secret-of-the-tests-long-enough' })
useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp: null })
await addOffer(database, { id: '8101' })
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })

async function order({ isPlaced = true, email = `${randomUUID()}@example.com` } = {}) {
  const buyer = newBuyer(database, { principal: { kind: 'guest', id: randomUUID(), email } })
  const id = await draftOrder(buyer, [{ offerId: '8101', quantity: 1 }])
  if (isPlaced) must(await place(buyer, id))
  return { id, email }
}
const query = 'mutation ($orderId: String!, $email: String!) { requestOrderLink(orderId: $orderId, email: $email) }'
async function request(orderId: string, email: string, { host = 'gb.localhost', remoteAddress = '203.0.113.7' } = {}) {
  const { status, body, cookie, statements } = await gateway.post(
    query,
    { orderId, email },
    { host, headers: { 'x-forwarded-for': remoteAddress } },
  )
  return { status, body, cookie, statements }
}
interface Sent {
  recipient: string
  text: string
}
async function mailsOf(orderId: string): Promise<Sent[]> {
  await runWork(database, handlers, jobs)
  const text = `select recipient, body_text as text from mail.mail where key like 'order:' || $1 || ':link:%'`
  return database.db.rows<Sent>({ name: 'test.link-mails', text }, [orderId])
}

test('R-030 A12 number and address of an order send its link to that address, and the link opens the order', async () => {
  const { id, email } = await order()
  await request(` ${id.toLowerCase()} `, email.toUpperCase())
  const [mail, ...more] = await mailsOf(id)
  assert.equal(more.length, 0)
  assert.equal(mail?.recipient, email)
  const token = /access=([\w-]{43})/.exec(mail.text)?.[1] ?? ''
  assert.doesNotMatch(mail.text, /£|Drill/, 'a link, and nothing about the order')
  const open = 'mutation ($token: String!) { openOrderByToken(token: $token) { order { id } } }'
  const { body } = await gateway.post(open, { token }, { host: 'gb.localhost' })
  assert.equal((body as { data: { openOrderByToken: { order: { id: string } } } }).data.openOrderByToken.order.id, id)
})

test('A12 a wrong address, an unknown number, a draft, another market and nonsense send nothing, and are answered alike', async () => {
  const [placed, draft] = [await order(), await order({ isPlaced: false })]
  const right = await request(placed.id, placed.email)
  assert.deepEqual(right.body, { data: { requestOrderLink: true } })
  await mailsOf(placed.id)
  let from = 0
  for (const [id, email, host] of [
    [placed.id, 'somebody@example.org'],
    [placed.id, `${placed.email},thief@example.org`],
    [placed.id, placed.email, 'de.localhost'],
    ['P9999999999999999', placed.email],
    [draft.id, draft.email],
    ['', ''],
    ["' or 1=1 --", 'x'],
    ['x'.repeat(4_000), 'y'.repeat(4_000)],
  ] as const) {
    const answer = await request(id, email, { remoteAddress: `203.0.113.${(from += 1)}`, ...(host && { host }) })
    assert.deepEqual(
      [answer.status, answer.body, answer.cookie !== '', answer.statements],
      [right.status, right.body, right.cookie !== '', right.statements],
      `${id.slice(0, 20)} ${email.slice(0, 30)}`,
    )
    assert.equal((await mailsOf(placed.id)).length, 1, 'the first alone')
    assert.equal((await mailsOf(draft.id)).length, 0)
  }
})

test('A12 after five requests for an order, or twenty of one network, nothing is sent any more, without saying so', async () => {
  const [one, other] = [await order(), await order()]
  for (let n = 0; n < 8; n++)
    assert.deepEqual((await request(one.id, one.email, { remoteAddress: `198.51.100.${n}` })).body, { data: { requestOrderLink: true } })
  assert.equal((await mailsOf(one.id)).length, 5)
  for (let n = 0; n < 20; n++) await request(`P000000000000${1000 + n}`, `a${n}@example.org`, { remoteAddress: '192.0.2.1' })
  assert.deepEqual((await request(other.id, other.email, { remoteAddress: '192.0.2.1' })).body, { data: { requestOrderLink: true } })
  assert.equal((await mailsOf(other.id)).length, 0)
})

test('V-11 strangers who know the number of an order use up none of the links of its buyer', async () => {
  const { id, email } = await order()
  for (let n = 0; n < 10; n++) await request(id, `guess-${n % 2}@example.org`, { remoteAddress: `198.51.101.${n % 3}` })
  // A network that may not ask any more uses up nothing either, not even with the right address.
  for (let n = 0; n < 20; n++) await request(`P000000000001${1000 + n}`, 'x@example.org', { remoteAddress: '198.51.101.50' })
  for (let n = 0; n < 10; n++) await request(id, email, { remoteAddress: '198.51.101.50' })
  await request(id, email, { remoteAddress: '203.0.113.99' })
  assert.deepEqual(
    (await mailsOf(id)).map(({ recipient }) => recipient),
    [email],
  )
})

test('V-11 orders placed with a stranger’s address and never paid put five mails a day in the mailbox', async () => {
  const email = 'nobody-asked@example.com'
  for (let n = 0; n < 8; n++) {
    const { id } = await order({ email })
    await database.pool.query(`update orders.customer_order set holds_until = now() - interval '1 second' where id = $1`, [id])
    await database.command({}, (scope) => endHold(scope, id))
  }
  await runWork(database, handlers, jobs)
  const { rowCount } = await database.pool.query(`select from mail.mail where recipient = $1`, [email])
  assert.equal(rowCount, 5)
})

test('A12 R-525 by the clock, the lookup of an order takes equally long for a right pair, a wrong address and an unknown number', async () => {
  let network = 0
  const from = () => ({ remoteAddress: `198.18.${++network >> 8}.${network & 255}` })
  type Placed = Awaited<ReturnType<typeof order>>
  for (const [what, wrong] of [
    ['a wrong address', ({ id }: Placed, n: number) => request(id, `somebody-${n}@example.org`, from())],
    ['an unknown number', ({ email }: Placed, n: number) => request(`P${String(9_000_000_000_000_000 + n)}`, email, from())],
  ] as const) {
    // Each pair is sent as often as its quota allows: beyond it nothing is queued.
    const placed: Placed[] = []
    for (let n = 0; n < 36; n++) placed.push(await order())
    const one = (n: number) => placed[n % placed.length]!
    const right = (n: number) => request(one(n).id, one(n).email, from())
    await Promise.all([request('P1', 'warm@example.org', from()), request('P2', 'warm@example.org', from())])
    const ratio = await timeRatio(right, (n) => wrong(one(n), n % placed.length))
    assert.ok(isEqualTime(ratio), `${what}: ratio ${ratio.toFixed(2)}`)
  }
})
