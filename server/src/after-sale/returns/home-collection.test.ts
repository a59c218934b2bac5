import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { signatureOf } from '@purlin/services/parcel-carrier/index.ts'
import { moveLines } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { forgetWaysBack } from './forget-ways-back.ts'
import { handleReturn, stepByBuyer } from './handle-return.ts'
import { lapseReturns } from './lapse-returns.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { requestReturn } from './request-return.ts'
import { returnToken } from './return-link.ts'
import { readAnyReturn, writeReturnStep } from './return-store.ts'
import { showReturn, showReturnOptions } from './show-return.ts'
import { aggregatorCarrier } from '../fulfilment/aggregator-carrier.ts'
import { useCarrier } from '../fulfilment/carrier-of-shop.ts'
import { jobs as parcelJobs } from '../fulfilment/jobs.ts'
import { testCarrier } from '../fulfilment/test-carrier.ts'

/** Goods on their way back with the shop's carrier, reached over HTTP and heard by its signed messages. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '8301', stock: 1000, price: 20_000, delivery: [{ kind: 'kerbside', fee: 4900, daysMin: 3, daysMax: 6 }] })
await addOffer(database, { id: '8302', stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs, ...jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
let clock = Date.now()
const { server: post, settings: carrier } = await testCarrier(gateway.url, { now: () => clock })
after(async () => {
  await post.close()
  await provider.close()
})

const customer = await addCustomer(database.db)
const cookie = `__Host-purlin=${(await signIn(database.db, { customerId: customer.id })).token}`
const ann = () =>
  newBuyer(database, {
    principal: { kind: 'customer', id: customer.id, email: 'ann@example.com', name: 'Ann', market: 'gb' },
  })

async function askFor(buyer: Buyer, orderId: string, offerId: string): Promise<string> {
  const order = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, lines: [{ offerId, quantity: 1 }] }
  const wish = { reason: 'changed-mind', wish: 'refund', description: '', photos: [] }
  const method = offerId === '8301' ? 'home-collection' : 'label'
  const asked = await buyer.does((scope) => requestReturn(scope, { ...order, ...wish, method }))
  assert.ok(asked.ok, JSON.stringify(asked))
  await work()
  return asked.id
}
/** A return of one delivered piece, accepted at once because it is a withdrawal. */
async function returned(offerId: string, buyer: Buyer = newBuyer(database)) {
  const lines = [{ offerId, quantity: 1 }]
  const orderId = await provider.paidOrder(buyer, lines)
  for (const [actor, from, to] of [
    ['seller', 'pending', 'accepted'],
    ['seller', 'accepted', 'shipped'],
    ['carrier', 'shipped', 'delivered'],
  ] as const)
    await database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason: 'test', moves: lines.map((line) => ({ ...line, from, to })) }),
    )
  const id = await askFor(buyer, orderId, offerId)
  return { orderId, id, buyer, token: returnToken(id) }
}

type Answer = { ok: boolean; refusal: { reason: string; fields: { field: string }[] } | null }
async function ask<Data>(query: string, variables: Record<string, unknown> = {}, host = 'gb.localhost:3000'): Promise<Data> {
  const { data } = await gateway.execute({ query, variables, headers: { host } })
  return structuredClone(data) as Data
}
interface Seen {
  state: string
  from: string | null
  address: { city: string; line1: string }
  appointments: { value: string; from: string; isChosen: boolean }[]
}
const see = async (token: string, host?: string): Promise<Seen | null> =>
  (
    await ask<{ it: Seen | null }>(
      'query ($token: String!) { it: homeCollection(token: $token) { state from address { city line1 } appointments { value from isChosen } } }',
      { token },
      host,
    )
  ).it
const result = '{ ok refusal { reason fields { field } } }'
const accept = async (token: string, appointment: string): Promise<Answer> =>
  (
    await ask<{ it: Answer }>(
      `mutation ($token: String!, $appointment: String!) { it: acceptHomeCollection(token: $token, appointment: $appointment) ${result} }`,
      { token, appointment },
    )
  ).it
const cancel = async (token: string): Promise<Answer> =>
  (await ask<{ it: Answer }>(`mutation ($token: String!) { it: cancelHomeCollection(token: $token) ${result} }`, { token })).it
const home = { firstName: 'Ann', lastName: 'Oak', line1: '9 New Road', postcode: 'BS1 4DJ', city: 'Bristol', phone: '07700 900123' }
const moveTo = async (token: string, input: object): Promise<Answer> =>
  (
    await ask<{ it: Answer }>(
      `mutation ($token: String!, $input: CollectionAddressInput!) { it: changeHomeCollectionAddress(token: $token, input: $input) ${result} }`,
      { token, input },
    )
  ).it
async function pickup(reference: string) {
  const answer = await fetch(`${carrier.url}/v2/pickups/${reference}`, {
    headers: { authorization: `Basic ${Buffer.from(`${carrier.apiKey}:`).toString('base64')}` },
  })
  return (await answer.json()) as { status?: string; min_datetime?: string; address?: { city: string } }
}
const mailsOf = async (id: string) =>
  (
    await database.pool.query<{ subject: string; text: string }>(
      'select subject, body_text as text from mail.mail where key like $1 order by id',
      [`collection:${id}:%`],
    )
  ).rows
const stateOf = async (id: string) =>
  (await database.pool.query<{ state: string }>('select state from returns.request where id = $1', [id])).rows[0]?.state

test('R-117 a bulky return is fetched at home: the buyer chooses a time by a mail’s link, the carrier confirms, comes and reports', async () => {
  const { id, token } = await returned('8301')
  const [offer] = await mailsOf(id)
  assert.match(offer?.subject ?? '', /Choose a time/)
  for (const path of ['accept', 'change-address', 'cancel'])
    assert.ok(offer?.text.includes(`/home-collection/${path}?token=${token}`), path)
  const offered = await see(token)
  assert.deepEqual([offered?.state, offered?.from, offered?.appointments.length], ['OFFERED', null, 10])
  const [first, second] = offered?.appointments ?? []
  assert.ok(first && second)
  assert.equal((await accept(token, first.value)).ok, true)
  assert.equal((await see(token))?.state, 'ACCEPTED')
  await work()
  const booked = await see(token)
  assert.deepEqual([booked?.state, booked?.from], ['BOOKED', first.from])
  assert.equal((await pickup(`${id}-1`)).status, 'scheduled')
  assert.equal((await pickup(`${id}-1`)).min_datetime, new Date(first.from).toISOString())

  // Another time is another booking; the earlier one is called off.
  assert.equal((await accept(token, second.value)).ok, true)
  await work()
  assert.deepEqual([(await pickup(`${id}-1`)).status, (await pickup(`${id}-2`)).status], ['canceled', 'scheduled'])
  await post.tick()
  await work()
  assert.equal((await see(token))?.state, 'BOOKED', 'the message about the booking that was called off is out of date')
  clock += 14 * 86_400_000
  await post.tick()
  await work()
  assert.deepEqual([(await see(token))?.state, await stateOf(id)], ['COLLECTED', 'in-transit'])
  assert.equal((await cancel(token)).refusal?.reason, 'not-now', 'the driver has been there')
  clock = Date.now()
  assert.deepEqual(
    (await mailsOf(id)).map(({ subject }) => subject.split(' ')[0]),
    ['Choose', 'The', 'The'],
  )
})

test('R-119 the address of a collection is changed by the link: an agreed time is booked again for the new address', async () => {
  const { id, token } = await returned('8301')
  const [first] = (await see(token))?.appointments ?? []
  await accept(token, first?.value ?? '')
  await work()
  const wrong = await moveTo(token, { ...home, postcode: 'nonsense', phone: '' })
  assert.deepEqual([wrong.refusal?.reason, wrong.refusal?.fields.map(({ field }) => field).toSorted()], ['address-invalid', ['postcode']])
  const silent = await moveTo(token, { ...home, phone: '' })
  assert.deepEqual(
    silent.refusal?.fields.map(({ field }) => field),
    ['phone'],
    'drivers call before they come',
  )
  assert.equal((await moveTo(token, home)).ok, true)
  await work()
  const moved = await see(token)
  assert.deepEqual([moved?.state, moved?.address.city, moved?.from], ['BOOKED', 'Bristol', first?.from])
  assert.deepEqual([(await pickup(`${id}-1`)).status, (await pickup(`${id}-2`)).address?.city], ['canceled', 'Bristol'])
})

test('R-118 a collection is cancelled by the link, and another one booked as long as the goods are expected', async () => {
  const { id, token, buyer } = await returned('8301')
  const [first, second] = (await see(token))?.appointments ?? []
  await accept(token, first?.value ?? '')
  await work()
  assert.equal((await cancel(token)).ok, true)
  await work()
  assert.deepEqual([(await see(token))?.state, (await pickup(`${id}-1`)).status], ['CANCELLED', 'canceled'])
  assert.match((await mailsOf(id)).at(-1)?.subject ?? '', /is cancelled/)
  assert.equal((await accept(token, second?.value ?? '')).ok, true)
  await work()
  assert.equal((await see(token))?.state, 'BOOKED')
  // The buyer keeps the goods: no driver comes for nothing.
  assert.equal((await buyer.does((scope) => stepByBuyer(scope, id, 'closed'))).ok, true)
  await work()
  assert.equal((await pickup(`${id}-3`)).status, 'canceled')
  assert.equal((await accept(token, first?.value ?? '')).refusal?.reason, 'not-now')
})

test('R-117 R-118 R-119 forged, expired and foreign links open nothing and change nothing', async () => {
  const { id, token, orderId } = await returned('8301')
  const [first] = (await see(token))?.appointments ?? []
  const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  for (const wrong of ['', 'none', forged, id, orderId, returnToken('018f0000-0000-7000-8000-000000000099')]) {
    assert.equal(await see(wrong), null, wrong)
    for (const done of [await accept(wrong, first?.value ?? ''), await moveTo(wrong, home), await cancel(wrong)])
      assert.equal(done.refusal?.reason, 'unknown-link', wrong)
  }
  assert.equal(await see(token, 'de.localhost:3000'), null, 'a link of another market')
  for (const gone of ['2020-01-01/morning', `${first?.value.slice(0, 10)}/evening`, 'x'])
    assert.equal((await accept(token, gone)).refusal?.reason, 'appointment-gone', gone)
  await database.pool.query(`update returns.request set updated_at = now() - interval '61 days' where id = $1`, [id])
  assert.equal(await see(token), null, 'an old link')
  assert.equal((await cancel(token)).refusal?.reason, 'unknown-link')
})

/** The carrier's signed message about a booking. */
async function tell(id: string, round: number, status: string): Promise<void> {
  const about = {
    id: `evt_${status}_${id}_${round}`,
    description: 'pickup.updated',
    result: { id: 'p', reference: `${id}-${round}`, status },
  }
  const body = JSON.stringify(about)
  const headers = { ...signatureOf(carrier.webhookSecret, { path: '/webhooks/carrier', body, at: new Date() }) }
  assert.equal((await fetch(`${gateway.url}/webhooks/carrier`, { method: 'POST', body, headers })).status, 200)
  await work()
}
/** A return for which a driver is booked. */
async function booked() {
  const made = await returned('8301')
  const [first, second] = (await see(made.token))?.appointments ?? []
  assert.ok(first && second)
  await accept(made.token, first.value)
  await work()
  return { ...made, another: second.value }
}
const isProved = async (id: string) => (await readAnyReturn(database.db, id))?.isCarried

test('R-117 goods that a driver fetches are not reported as handed over by their buyer', async () => {
  const { id, buyer } = await booked()
  const stepped = await buyer.does((scope) => stepByBuyer(scope, id, 'in-transit'))
  assert.deepEqual(stepped, { ok: false, reason: 'not-now' })
  // As an earlier release accepted it: the driver's report is the proof all the same.
  await database.command({}, async ({ db, emit }) => {
    const request = await readAnyReturn(db, id)
    assert.ok(request)
    await writeReturnStep(db, id, { from: 'label-sent', to: 'in-transit', actor: 'buyer' })
    const { customerOrderId, sellerOrderId } = request
    emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: 'in-transit' })
  })
  await work()
  assert.equal(await isProved(id), false)
  await tell(id, 1, 'collected')
  assert.deepEqual([await stateOf(id), await isProved(id)], ['in-transit', true])
})

test('R-117 a driver who collects the goods while another time is being chosen has collected them, and the next one is called off', async () => {
  const { id, token, another } = await booked()
  await accept(token, another)
  await work()
  assert.equal((await pickup(`${id}-2`)).status, 'scheduled')
  await tell(id, 1, 'missed')
  await tell(id, 3, 'collected')
  assert.equal((await see(token))?.state, 'BOOKED', 'the next one still comes')
  await tell(id, 1, 'collected')
  assert.deepEqual([(await see(token))?.state, await stateOf(id), await isProved(id)], ['COLLECTED', 'in-transit', true])
  assert.equal((await pickup(`${id}-2`)).status, 'canceled')
})

test('R-117 goods that were collected show the appointment at which they were, and none if it was of a booking that the buyer had changed', async () => {
  const [same, earlier] = [await booked(), await booked()]
  await accept(earlier.token, earlier.another)
  await work()
  const shown = async ({ id, token, buyer }: typeof same) => [
    (await see(token))?.from ?? null,
    (await showReturn(buyer.scope(), id))?.collection?.from?.toISOString() ?? null,
  ]
  const before = await shown(same)
  // As if the report had overtaken the record of its booking.
  await database.pool.query('update returns.collection set booked_round = null where request_id = $1', [same.id])
  for (const { id } of [same, earlier]) await tell(id, 1, 'collected')
  assert.deepEqual([(await see(same.token))?.state, (await see(earlier.token))?.state], ['COLLECTED', 'COLLECTED'])
  assert.ok(before[0])
  assert.deepEqual(await shown(same), before)
  assert.deepEqual(await shown(earlier), [null, null])
})

for (const [what, status] of [
  ['does not come', 'missed'],
  ['is called off by the carrier', 'canceled'],
] as const)
  test(`R-117 a buyer who chooses a time after the reminder, and whose driver ${what}, may choose another one: the return does not lapse`, async () => {
    const { id, token } = await returned('8301')
    const lapse = (days: number) => database.command({ now: new Date(Date.now() + days * 86_400_000) }, lapseReturns)
    await lapse(14.1)
    const [first, second] = (await see(token))?.appointments ?? []
    assert.equal((await accept(token, first?.value ?? '')).ok, true)
    await work()
    // The appointment was yesterday, by the clock of the schedule below.
    await database.pool.query(`update returns.collection set day = (now() + interval '20 days')::date where request_id = $1`, [id])
    await tell(id, 1, status)
    assert.equal((await see(token))?.state, 'MISSED')
    await lapse(21.2)
    assert.equal(await stateOf(id), 'label-sent')
    assert.equal((await accept(token, second?.value ?? '')).ok, true)
    const { rows } = await database.pool.query(`select 1 from mail.mail where key like $1`, [`return:${id}:reminder%`])
    assert.equal(rows.length, 2, 'the buyer is reminded anew before it lapses')
  })

test('R-484 goods whose collection is reported after their return has lapsed are on their way with proof, unless their pieces are returned anew', async () => {
  const [late, anew] = [await booked(), await booked()]
  const lapse = (days: number) => database.command({ now: new Date(Date.now() + days * 86_400_000) }, lapseReturns)
  // Their appointments are over.
  for (const { id } of [late, anew]) await database.pool.query(`update returns.collection set day = day - 20 where request_id = $1`, [id])
  await lapse(14.1)
  await lapse(21.2)
  await work()
  assert.deepEqual([await stateOf(late.id), await stateOf(anew.id)], ['lapsed', 'lapsed'])
  await askFor(anew.buyer, anew.orderId, '8301')
  for (const { id } of [late, anew]) await tell(id, 1, 'collected')
  assert.deepEqual([await stateOf(late.id), await isProved(late.id), await stateOf(anew.id)], ['in-transit', true, 'lapsed'])
})

test('R-117 the reminder of a bulky return that nobody has fetched leads to the choice of a time, and asks for nothing that its buyer cannot do', async () => {
  const { id, token } = await returned('8301')
  await database.command({ now: new Date(Date.now() + 14.1 * 86_400_000) }, lapseReturns)
  const { rows } = await database.pool.query<{ subject: string; text: string }>(
    `select subject, body_text as text from mail.mail where key like $1`,
    [`return:${id}:reminder%`],
  )
  assert.match(rows[0]?.subject ?? '', /choose a time for its collection/)
  assert.match(rows[0]?.text ?? '', /no driver has collected them yet[^]*Choose a time for the collection by [^]*write to /)
  assert.ok(rows[0]?.text.includes(`/home-collection/accept?token=${token}`))
  assert.doesNotMatch(rows[0]?.text ?? '', /Hand them over|page of the return|Return to/)
})

test('without a carrier of the shop a bulky return is sent to its seller’s address: no driver is offered, and its buyer says that it is handed over', async () => {
  const earlier = await returned('8301')
  const { orderId, buyer } = await returned('8301')
  const of = { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }
  const lines = [{ offerId: '8301', quantity: 1 }]
  const wish = { ...of, lines, reason: 'changed-mind', wish: 'refund', description: '', photos: [] }
  const offered = async () => {
    const options = await showReturnOptions(buyer.scope(), orderId, of.sellerOrderId, lines)
    return options?.reasons.find(({ reason }) => reason === 'changed-mind')?.methods.map(({ value, label }) => [value, label])
  }
  assert.deepEqual(await offered(), [['home-collection', 'A driver collects it from my home, free of charge']])
  await database.pool.query(`update returns.request set state = 'closed' where customer_order_id = $1`, [orderId])
  // As an earlier release accepted it without a carrier.
  await database.pool.query('delete from returns.collection where request_id = $1', [earlier.id])
  useCarrier(null)
  try {
    assert.deepEqual(await offered(), [['label', 'I send it back myself']])
    const refused = await buyer.does((scope) => requestReturn(scope, { ...wish, method: 'home-collection' }))
    assert.deepEqual(refused, { ok: false, reason: 'not-offered' })
    const asked = await buyer.does((scope) => requestReturn(scope, { ...wish, method: 'label' }))
    assert.ok(asked.ok)
    await work()
    await database.command({ now: new Date(Date.now() + 14.1 * 86_400_000) }, lapseReturns)
    for (const { id, buyer: owner } of [earlier, { id: asked.id, buyer }]) {
      const shown = await showReturn(owner.scope(), id)
      assert.deepEqual([shown?.collection, shown?.isLabelAwaited, shown?.canHandOver], [null, false, true])
      const { rows } = await database.pool.query<{ subject: string; text: string }>(
        `select subject, body_text as text from mail.mail where key like $1`,
        [`return:${id}:reminder%`],
      )
      assert.match(rows[0]?.subject ?? '', /Please send back the goods/)
      assert.match(rows[0]?.text ?? '', /Return to[^]*Return number \d/)
      assert.ok(!rows[0]?.text.includes('/home-collection/'))
      assert.deepEqual(await owner.does((scope) => stepByBuyer(scope, id, 'in-transit')), { ok: true, state: 'in-transit' })
    }
  } finally {
    useCarrier(aggregatorCarrier(carrier))
  }
})

test('R-117 a driver who found nobody, and a carrier who calls off, lead to another choice; forged messages are not heard', async () => {
  const { id, token } = await returned('8301')
  const [first] = (await see(token))?.appointments ?? []
  await accept(token, first?.value ?? '')
  await work()
  const message = (status: string) =>
    JSON.stringify({ id: `evt_${status}_${id}`, description: 'pickup.updated', result: { id: 'p', reference: `${id}-1`, status } })
  const send = (body: string, secret: string) =>
    fetch(`${gateway.url}/webhooks/carrier`, {
      method: 'POST',
      body,
      headers: { ...signatureOf(secret, { path: '/webhooks/carrier', body, at: new Date() }) },
    })
  assert.equal((await send(message('collected'), 'another-secret')).status, 400)
  await work()
  assert.equal((await see(token))?.state, 'BOOKED')
  assert.equal((await send(message('missed'), carrier.webhookSecret)).status, 200)
  await work()
  assert.equal((await see(token))?.state, 'MISSED')
  assert.match((await mailsOf(id)).at(-1)?.subject ?? '', /not collected/)
})

test('R-113 the label of a return is a PDF for its buyer alone, and the carrier’s report sets the goods on their way back', async () => {
  const { id, orderId } = await returned('8302', ann())
  const { rows } = await database.pool.query<{ file: string; number: string }>(
    'select label_file as file, tracking_number as number from returns.request where id = $1',
    [id],
  )
  assert.match(rows[0]?.number ?? '', /^PP\d{12}/)
  const label = (who: string) => fetch(`${gateway.url}/api/v1/returns/${id}/label`, { headers: { cookie: who } })
  const own = await label(cookie)
  assert.deepEqual([own.status, own.headers.get('content-type')], [200, 'application/pdf'])
  assert.equal(
    Buffer.from(await own.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
  const other = await addCustomer(database.db)
  const stranger = `__Host-purlin=${(await signIn(database.db, { customerId: other.id })).token}`
  for (const who of [stranger, '']) assert.ok([401, 403, 404].includes((await label(who)).status))
  const mails = await database.pool.query<{ subject: string }>(`select subject from mail.mail where key = $1`, [`return:${id}:label`])
  assert.match(mails.rows[0]?.subject ?? '', /Your label for return/)
  clock += 86_400_000
  await post.tick()
  await work()
  clock = Date.now()
  assert.equal(await stateOf(id), 'in-transit', orderId)
})

test('R-114 the buyer rates an ended return by the link of its mail; a second answer replaces the first', async () => {
  const { id, token } = await returned('8302')
  const rate = async (given: string, rating: number, comment = '') =>
    (
      await ask<{ it: Answer }>(
        `mutation ($token: String!, $rating: Int!, $comment: String) { it: rateReturn(token: $token, rating: $rating, comment: $comment) ${result} }`,
        { token: given, rating, comment },
      )
    ).it
  assert.equal((await rate(token, 5)).refusal?.reason, 'not-now', 'nothing has ended yet')
  const settled = await database.command({ principal: testSellerMember({ sellerId: 1 }) }, (scope) =>
    handleReturn(scope, id, { do: 'refund', finding: '', amount: null, note: null }),
  )
  assert.ok(settled.ok)
  await work()
  const mails = await database.pool.query<{ text: string }>(`select body_text as text from mail.mail where key = $1`, [
    `return:${id}:settled`,
  ])
  assert.ok(mails.rows[0]?.text.includes(`/return/feedback?token=${token}`))
  assert.equal((await rate(token, 6)).refusal?.reason, 'input-invalid')
  assert.equal((await rate(`${token.slice(0, -1)}_`, 5)).refusal?.reason, 'unknown-link')
  assert.equal((await rate(token, 2, 'Slow')).ok, true)
  assert.equal((await rate(token, 4, 'Fine, call 07700 900123')).ok, true)
  const { it } = await ask<{ it: object }>('query ($token: String!) { it: returnToRate(token: $token) { canRate rating comment } }', {
    token,
  })
  assert.deepEqual(it, { canRate: true, rating: 4, comment: 'Fine, call […]' })
})

test('six months after a collection was agreed shop and carrier have lost its address', async () => {
  const { id, token } = await returned('8301')
  const [first] = (await see(token))?.appointments ?? []
  await accept(token, first?.value ?? '')
  await moveTo(token, home)
  await work()
  const after = async (days: number) => {
    const now = new Date()
    now.setUTCMonth(now.getUTCMonth() + 6)
    now.setUTCDate(now.getUTCDate() + days)
    for (const { run } of schedules.filter(({ name }) => name === 'returns.forget-old')) await database.command({ now }, run)
    await runWork(database, [], parcelJobs)
    const { rows } = await database.pool.query<{ city: string | null }>(
      `select address ->> 'city' as city from returns.collection where request_id = $1`,
      [id],
    )
    const { round } =
      (await database.pool.query<{ round: number }>('select round from returns.collection where request_id = $1', [id])).rows[0] ?? {}
    return [rows[0]?.city, (await pickup(`${id}-${round}`)).address?.city]
  }
  assert.deepEqual(await after(-1), ['Bristol', 'Bristol'])
  assert.deepEqual(await after(1), [null, ''])
})

test('the carrier is asked to forget a return whose label was never stored, at an erasure and after six months, and each once', async () => {
  const real = aggregatorCarrier(carrier)
  const forgotten: string[] = []
  useCarrier({
    ...real,
    book: async (...booking) => {
      await real.book(...booking)
      throw new Error('The label got lost')
    },
    forget: async (what, options) => {
      await real.forget(what, options)
      forgotten.push(what.reference)
    },
  })
  const [erased, old] = [await returned('8302'), await returned('8302')]
  const now = new Date()
  now.setUTCMonth(now.getUTCMonth() + 6)
  const asked = async () => {
    for (const { run } of schedules.filter(({ name }) => name === 'returns.forget-old')) await database.command({ now }, run)
    await runWork(database, [], parcelJobs)
    return forgotten.filter((reference) => [erased.id, old.id].includes(reference))
  }
  now.setUTCDate(now.getUTCDate() - 1)
  await database.command({}, ({ db }) => forgetWaysBack(db, [erased.orderId]))
  assert.deepEqual(await asked(), [erased.id])
  now.setUTCDate(now.getUTCDate() + 2)
  assert.deepEqual(await asked(), [erased.id, old.id])
  assert.deepEqual(await asked(), [erased.id, old.id])
  useCarrier(real)
})

test('a return that is forgotten while its label is being booked keeps no label, and the carrier is asked once more', async () => {
  await database.pool.query(`delete from platform.job where name = 'returns.book-label'`)
  const real = aggregatorCarrier(carrier)
  const forgotten: string[] = []
  useCarrier({
    ...real,
    book: async (consignment, options) => {
      const ofReturn = 'select customer_order_id as "orderId" from returns.request where id = $1'
      const { rows } = await database.pool.query<{ orderId: string }>(ofReturn, [consignment.parcelId])
      await database.command({}, ({ db }) =>
        forgetWaysBack(
          db,
          rows.map(({ orderId }) => orderId),
        ),
      )
      // As if the carrier had been asked meanwhile, and had not known the parcel.
      await database.pool.query(`delete from platform.job where name = 'fulfilment.forget-at-carrier'`)
      return real.book(consignment, options)
    },
    forget: async ({ reference }) => void forgotten.push(reference),
  })
  const { id } = await returned('8302')
  // The work of a return alone has met this job, and put it off.
  await database.pool.query(`update platform.job set run_at = now() where name = 'fulfilment.forget-at-carrier'`)
  await runWork(database, [], parcelJobs)
  const { rows } = await database.pool.query('select label_file as file, tracking_number as number from returns.request where id = $1', [
    id,
  ])
  assert.deepEqual([rows, forgotten], [[{ file: null, number: null }], [id]])
  useCarrier(real)
})

test('a collection that is forgotten while it is being booked has no address at the carrier, and is not booked again', async () => {
  const real = aggregatorCarrier(carrier)
  const { id, orderId, token } = await returned('8301')
  const [first, second] = (await see(token))?.appointments ?? []
  await moveTo(token, home)
  await accept(token, first?.value ?? '')
  const booked: string[] = []
  useCarrier({
    ...real,
    bookCollection: async (booking, options) => {
      booked.push(booking.reference)
      await database.command({}, ({ db }) => forgetWaysBack(db, [orderId]))
      // As if the carrier had been asked meanwhile, and had not known the collection.
      await database.pool.query(`delete from platform.job where name = 'fulfilment.forget-at-carrier'`)
      return real.bookCollection(booking, options)
    },
  })
  await work()
  const [reference = ''] = booked
  await database.pool.query(`update platform.job set run_at = now() where name = 'fulfilment.forget-at-carrier'`)
  await runWork(database, [], parcelJobs)
  assert.equal((await pickup(reference)).address?.city ?? '', '')
  await accept(token, second?.value ?? '')
  await work()
  assert.deepEqual(booked, [reference])
  assert.equal((await pickup(reference)).status, 'canceled', 'the appointment before')
  assert.equal((await pickup(`${id}-${Number(reference.split('-').at(-1)) + 1}`)).status, undefined)
  useCarrier(real)
})
