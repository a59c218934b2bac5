import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { transactionOf } from '@purlin/contract/transaction.ts'
import { enqueue, newId } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { startMeasurementFake, type MeasurementFake } from '../../../../services/src/measurement-fake/index.ts'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { newVisitorId } from '../consent/issued-visitor.ts'
import { jobs as consentJobs } from '../consent/jobs.ts'
import { forward, planForwarding, type Forward } from './forward-events.ts'
import { handlers, jobs } from './jobs.ts'

const secret = 'a-webhook-secret-of-the-tests'
const database = await testDatabase({ upTo: 'insights' })
let fake: MeasurementFake
let gateway: TestGateway

before(async () => {
  fake = await startMeasurementFake({ apiSecret: 'ga-secret', token: 'conversions-token' })
  useSettings({
    GA4_MEASUREMENT_ID: 'G-TEST1234',
    GA4_API_SECRET: 'ga-secret',
    GA4_URL: `${fake.url}/mp/collect`,
    CONVERSIONS_URL: `${fake.url}/events`,
    CONVERSIONS_TOKEN: 'conversions-token',
    EVENTS_WEBHOOK_URL: `${fake.url}/hook`,
    EVENTS_WEBHOOK_SECRET: secret,
  })
  gateway = await testGateway(database.pool)
})
after(async () => {
  await gateway.close()
  await fake.close()
  useSettings()
})
beforeEach(async () => {
  fake.received.length = 0
  fake.problems.length = 0
  await database.pool.query(
    'delete from insights.event; delete from insights.forwarded; delete from insights.sent_visitor; delete from platform.job',
  )
  await plan()
})

const plan = () => database.command({}, (scope) => planForwarding(scope))
const work = () => runWork(database, handlers, jobs)
/** Due at once, as if its pause were over. */
const retry = async (known = jobs) => {
  await database.pool.query('update platform.job set run_at = now(), locked_until = null where parked_at is null')
  await runWork(database, handlers, known)
}
/** What has arrived is older than the minutes in which it may still be committed, or deleted again. */
async function forwardAll() {
  await database.pool.query(`update insights.event set received_at = received_at - interval '4 minutes'`)
  await database.pool.query(`update insights.forwarded set received_at = received_at - interval '5 minutes'`)
  await plan()
  await work()
}

interface Sent {
  purposes: string
  cookies?: string
  name?: string
  page?: { name: string; type: string }
  data?: object
  id?: string
}
async function send(
  visitorId: string,
  { purposes, name = 'page_view', page = { name: 'product', type: 'product' }, data = {}, id = newId(), cookies = '' }: Sent,
) {
  const answer = await fetch(`${gateway.url}/api/v1/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 Chrome/140 Safari/537.36',
      cookie: `mm_consent=v1:${purposes}; mm_visitor_id=${visitorId}${cookies}`,
    },
    body: JSON.stringify({ events: [{ id, name, page, data }] }),
  })
  assert.ok(answer.status === 202 || answer.status === 204, String(answer.status))
  return id
}
const at = (path: string) => fake.received.filter((one) => one.path === path)
const waiting = async () =>
  (
    await database.pool.query<{ key: string; dead: boolean; error: string }>(
      `select key, parked_at is not null as dead, last_error as error from platform.job where finished_at is null order by key`,
    )
  ).rows

test('each service receives the events of visitors who agreed to its purpose, in its own shape, and no others', async () => {
  const [measured, advertised, preferring] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const first = await send(measured, { purposes: 'statistics', data: { productId: 17, categoryId: 4, secret: 'grace@example.com' } })
  const second = await send(advertised, { purposes: 'statistics,personalisedAdvertising', name: 'add_to_cart', data: { quantity: 3 } })
  await send(preferring, { purposes: 'userPreferences' })
  await send(preferring, { purposes: 'personalisedAdvertising' })
  await forwardAll()
  assert.deepEqual(fake.problems, [])
  const clients = at('/mp/collect').map(
    ({ body }) => body as { client_id: string; consent: object; events: { name: string; params: object }[] },
  )
  assert.deepEqual(
    new Map(clients.map(({ consent, events }) => [events.map(({ name }) => name).join(), consent])),
    new Map([
      ['page_view', { ad_user_data: 'DENIED', ad_personalization: 'DENIED' }],
      ['add_to_cart', { ad_user_data: 'GRANTED', ad_personalization: 'GRANTED' }],
    ]),
  )
  const [{ body } = { body: null }, ...more] = at('/events')
  assert.deepEqual(more, [])
  const [conversion, ...others] = (body as { data: { event_name: string; event_id: string; user_data: { external_id: string[] } }[] }).data
  assert.deepEqual(others, [])
  assert.deepEqual([conversion?.event_name, conversion?.event_id], ['AddToCart', second])
  assert.deepEqual(conversion?.user_data.external_id, [createHash('sha256').update(`conversions:${advertised}`).digest('hex')])
  const hooked = at('/hook').flatMap((one) => (one.body as { data: { events: { id: string; facts: object }[] } }).data.events)
  assert.deepEqual(hooked.map(({ id }) => id).toSorted(), [first, second].toSorted())
  assert.deepEqual(hooked.find(({ id }) => id === first)?.facts, { productId: 17, categoryId: 4 })
  // Neither an id of the shop nor anything that a browser wrote into an event beside the known facts.
  for (const { text } of fake.received)
    for (const personal of [measured, advertised, preferring, 'grace@example.com']) assert.ok(!text.includes(personal))
})

test('webhooks are signed over id, time and body, with the same id at each attempt', async () => {
  await send(crypto.randomUUID(), { purposes: 'statistics', name: 'client_page_change' })
  fake.failNext('reset')
  await forwardAll()
  await retry()
  const [lost, arrived, ...more] = at('/hook')
  assert.deepEqual(more, [])
  assert.ok(lost && arrived)
  assert.equal(lost.headers['webhook-id'], arrived.headers['webhook-id'])
  const signed = `${arrived.headers['webhook-id']}.${arrived.headers['webhook-timestamp']}.${arrived.text}`
  assert.equal(arrived.headers['webhook-signature'], `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
})

test('an event is planned once, however often and late it is sent, and nothing from before a service was set is sent', async () => {
  const visitorId = crypto.randomUUID()
  await database.pool.query('delete from insights.forwarded')
  await send(visitorId, { purposes: 'statistics' })
  await database.pool.query(`update insights.event set received_at = received_at - interval '5 minutes'`)
  await plan()
  const id = await send(visitorId, { purposes: 'statistics' })
  await send(visitorId, { purposes: 'statistics', id })
  await database.pool.query(`update insights.event set received_at = now() - interval '4 minutes' where id = $1`, [id])
  await database.pool.query(`update insights.forwarded set received_at = now() - interval '5 minutes'`)
  await Promise.all([plan(), plan()].map((one) => one.catch(() => undefined)))
  await plan()
  await work()
  assert.deepEqual([at('/mp/collect').length, at('/hook').length], [1, 1])
})

test('an event that is committed late is not passed over, and one that a withdrawal may still delete is not sent: both wait three minutes', async () => {
  await send(crypto.randomUUID(), { purposes: 'statistics' })
  await database.pool.query(`update insights.event set received_at = received_at - interval '170 seconds'`)
  await database.pool.query(`update insights.forwarded set received_at = received_at - interval '5 minutes'`)
  await plan()
  assert.deepEqual(await waiting(), [])
})

test('R-519 events that arrive after their visitor has withdrawn, with the cookies of before, are deleted and never sent', async () => {
  const visitorId = newVisitorId()
  const purposes = 'statistics,personalisedAdvertising'
  const choose = (choice: object) =>
    fetch(`${gateway.url}/api/v1/consent`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: `mm_consent=v1:${purposes}; mm_visitor_id=${visitorId}`,
      },
      body: JSON.stringify(choice),
    })
  const stored = async () =>
    (await database.pool.query<{ purposes: string[] }>('select purposes from insights.event where visitor_id = $1', [visitorId])).rows
  const everything = [...consentJobs, ...jobs]
  const after = async (seconds: number) => {
    const earlier = (table: string, column: string) =>
      database.pool.query(`update ${table} set ${column} = ${column} - make_interval(secs => $1)`, [seconds])
    await earlier('insights.event', 'received_at')
    await earlier('insights.forwarded', 'received_at')
    await earlier('platform.job', 'run_at')
    await plan()
    await runWork(database, handlers, everything)
  }

  assert.equal((await choose({ choice: 'some', purposes: ['statistics'] })).status, 204)
  await after(1)
  await send(visitorId, { purposes })
  assert.deepEqual(await stored(), [{ purposes: purposes.split(',') }])
  await after(119)
  assert.deepEqual(await stored(), [{ purposes: ['statistics'] }], 'only advertising was withdrawn')

  assert.equal((await choose({ choice: 'none' })).status, 204)
  await after(1)
  assert.deepEqual(await stored(), [])
  await send(visitorId, { purposes })
  await after(118)
  assert.equal((await stored()).length, 1)
  await after(1)
  assert.deepEqual(await stored(), [])
  await after(600)
  assert.deepEqual(fake.received, [])
  const { rowCount } = await database.pool.query('select 1 from insights.sent_visitor')
  assert.equal(rowCount, 0, 'nor is the visitor noted as sent')
})

/** Plans the requests for everything received so far, as if it had come minutes ago. */
async function planDue(): Promise<void> {
  await database.pool.query(`update insights.event set received_at = received_at - interval '4 minutes'`)
  await database.pool.query(`update insights.forwarded set received_at = received_at - interval '5 minutes'`)
  await plan()
}

/** Sends the planned requests directly, as a place of the worker may before the outbox has been read. */
async function sendPlanned(db = database.db): Promise<PromiseSettledResult<void>[]> {
  const context = { key: '', attempt: 1, signal: new AbortController().signal, db, now: new Date(), log: database.scope().log }
  const { rows } = await database.pool.query<{ payload: Forward }>(`select payload from platform.job where name = 'insights.forward'`)
  return Promise.allSettled(rows.map(({ payload }) => forward(context, payload)))
}

test('a withdrawal stops what has not been sent: all of it for statistics, the advertising for advertising', async () => {
  const [gone, kept] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const visitorId of [gone, kept]) await send(visitorId, { purposes: 'statistics,personalisedAdvertising' })
  await planDue()
  assert.equal((await waiting()).length, 4)
  await database.command({}, async ({ emit }) => {
    emit('consent.withdrawn', { visitorId: gone, withdrawn: ['statistics'] })
    emit('consent.withdrawn', { visitorId: kept, withdrawn: ['personalisedAdvertising'] })
  })
  const forwarding = jobs.filter(({ name }) => name === 'insights.forward')
  await database.pool.query(`update platform.job set run_at = now() + interval '1 hour'`)
  await runWork(database, handlers, forwarding)
  await retry(forwarding)
  assert.deepEqual(fake.received, [], 'nothing is sent while the withdrawals wait')
  await retry()
  await retry()
  assert.deepEqual(await waiting(), [])
  assert.equal(at('/events').length, 0)
  const clients = at('/mp/collect').map(({ body }) => body as { client_id: string; consent: object })
  assert.deepEqual(
    clients.map(({ client_id, consent }) => [client_id, consent]),
    [[createHash('sha256').update(`ga4:${kept}`).digest('hex'), { ad_user_data: 'DENIED', ad_personalization: 'DENIED' }]],
  )
})

test('a withdrawal that no worker has taken up yet stops forwarding already: after an outage nothing of the visitor is sent', async () => {
  const [gone, kept] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const visitorId of [gone, kept]) await send(visitorId, { purposes: 'statistics,personalisedAdvertising' })
  await planDue()
  await database.command({}, async ({ emit }) =>
    emit('consent.withdrawn', { visitorId: gone, withdrawn: ['statistics', 'personalisedAdvertising'] }),
  )
  // Other places of the worker: the requests may come before the event.
  const attempts = await sendPlanned()
  assert.deepEqual(attempts.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
  const client = createHash('sha256').update(`ga4:${kept}`).digest('hex')
  const seen = fake.received.map(({ path, body }) => [path, (body as { client_id?: string }).client_id])
  assert.deepEqual(seen, [['/mp/collect', client]])
  await work()
})

test('what a late request stored after a withdrawal is not sent before the withdrawal has been repeated, however late that is', async () => {
  const [gone, kept] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const visitorId of [gone, kept]) await send(visitorId, { purposes: 'statistics' })
  const repeat = { name: 'consent.repeat-withdrawal', key: `${gone} statistics`, payload: { visitorId: gone, purpose: 'statistics' } }
  await enqueue(database.db, { ...repeat, runAt: new Date(Date.now() - 60_000) })
  await planDue()
  await sendPlanned()
  const clients = at('/mp/collect').map(({ body }) => (body as { client_id: string }).client_id)
  assert.deepEqual(clients, [createHash('sha256').update(`ga4:${kept}`).digest('hex')])
  await work()
})

test('a withdrawal that is handled while a request is put together is not sent: what it deletes had been read already', async () => {
  const gone = crypto.randomUUID()
  await send(gone, { purposes: 'statistics' })
  await planDue()
  let reads = 0
  const rows: typeof database.db.rows = async (statement, values) => {
    const found = await database.db.rows<never>(statement, values)
    if (statement.name === 'insights.to-forward' && ++reads === 1)
      await database.pool.query('delete from insights.event where visitor_id = $1', [gone])
    return found
  }
  const attempts = await sendPlanned({ ...database.db, rows })
  assert.ok(attempts.every(({ status }) => status === 'fulfilled'))
  assert.ok(reads > 0)
  assert.deepEqual(fake.received, [])
  await work()
})

test('an event that a move stored while its visitor withdrew is not sent', async () => {
  const [gone, other] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const visitorId of [gone, other]) await send(visitorId, { purposes: 'statistics' })
  await database.pool.query(`insert into insights.withdrawal (visitor_id, purpose) values ($1, 'statistics'), ($2, 'userPreferences')`, [
    gone,
    other,
  ])
  await forwardAll()
  const clients = at('/mp/collect').map(({ body }) => (body as { client_id: string }).client_id)
  assert.deepEqual(clients, [createHash('sha256').update(`ga4:${other}`).digest('hex')])
})

test('a withdrawal follows what has been sent: the receiver of webhooks is told which of its visitors withdrew what, and once', async () => {
  const [gone, kept, unsent] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  for (const visitorId of [gone, kept]) await send(visitorId, { purposes: 'statistics,personalisedAdvertising' })
  await forwardAll()
  await send(unsent, { purposes: 'statistics' })
  const nameOf = (visitorId: string) => createHash('sha256').update(`webhook:${visitorId}`).digest('hex')
  const withdraw = async (visitorId: string, withdrawn: ('statistics' | 'personalisedAdvertising')[]) => {
    // Services are noted minutes after the events that they have had.
    const withdrawnAt = new Date(Date.now() - 60_000).toISOString()
    await database.command({}, async ({ emit }) => emit('consent.withdrawn', { visitorId, withdrawn, withdrawnAt }))
    await runWork(database, handlers, jobs)
  }
  fake.received.length = 0
  await withdraw(gone, ['statistics', 'personalisedAdvertising'])
  await withdraw(kept, ['personalisedAdvertising'])
  await withdraw(unsent, ['statistics'])
  assert.deepEqual(at('/hook'), [], 'a request under way arrives first')
  fake.failNext(503)
  await retry()
  await retry()
  const told = at('/hook').map(({ body, headers, text }) => {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    const { type, data } = body as { type: string; data: { visitor: string; withdrawn: string[] } }
    return [type, data.visitor, data.withdrawn.join()]
  })
  assert.deepEqual(
    told.toSorted(),
    [
      ['consent.withdrawn', nameOf(gone), 'statistics,personalisedAdvertising'],
      ['consent.withdrawn', nameOf(kept), 'personalisedAdvertising'],
    ].toSorted(),
  )
  const { rows } = await database.pool.query<{ visitor_id: string }>('select distinct visitor_id from insights.sent_visitor')
  assert.ok(!rows.some(({ visitor_id }) => visitor_id === gone), 'and nothing here remembers the visitor')
  await withdraw(gone, ['statistics'])
  await retry()
  assert.equal(at('/hook').length, 2)
  assert.deepEqual(fake.problems, [])
})

test('a service that fails, hangs up or asks to wait is called again; one that refuses leaves a dead letter, and the others go on', async () => {
  for (const how of [500, 503, 429, 'reset'] as const) {
    await database.pool.query('delete from insights.event')
    await send(crypto.randomUUID(), { purposes: 'statistics', name: 'experiment_exposure' })
    fake.received.length = 0
    fake.failNext(how)
    await forwardAll()
    assert.deepEqual(
      (await waiting()).map(({ dead }) => dead),
      [false],
      String(how),
    )
    await retry()
    assert.deepEqual(await waiting(), [], String(how))
    assert.equal(at('/hook').length, how === 'reset' ? 2 : 1)
  }
  for (const status of [400, 401, 403, 302]) {
    await database.pool.query('delete from insights.event; delete from platform.job')
    await send(crypto.randomUUID(), { purposes: 'statistics', name: 'experiment_exposure' })
    fake.failNext(status)
    await forwardAll()
    assert.deepEqual(
      (await waiting()).map(({ dead, error }) => [dead, error]),
      [[true, `webhook: ${status}`]],
    )
  }
})

test('a receipt is a purchase with the amount that was paid; a receipt nobody paid for is a page view', async () => {
  const visitorId = crypto.randomUUID()
  const paid = { customerOrderId: 'C-1', market: 'gb', amount: 12_345, currency: 'GBP' } as const
  await database.command({}, async ({ emit }) => emit('order.paid', paid))
  await work()
  const receipt = { name: 'orderRecap', type: 'orderRecap' }
  const [real, invented] = [await transactionOf('C-1'), await transactionOf('C-2')]
  for (const transaction of [real, invented])
    await send(visitorId, {
      purposes: 'statistics,personalisedAdvertising',
      page: receipt,
      data: { transaction, amount: 9_999_999, value: 1 },
    })
  await forwardAll()
  assert.deepEqual(fake.problems, [])
  const events = at('/mp/collect').flatMap(({ body }) => (body as { events: { name: string; params: Record<string, unknown> }[] }).events)
  assert.deepEqual(
    events.map(({ name, params }) => [name, params['transaction_id'], params['value'], params['currency']]),
    [
      ['purchase', real, 123.45, 'GBP'],
      ['page_view', undefined, undefined, undefined],
    ],
  )
  const [{ body } = { body: null }] = at('/events')
  const { data } = body as { data: { event_name: string; event_id: string; custom_data: object }[] }
  assert.deepEqual(
    data.map(({ event_name, custom_data }) => [event_name, custom_data]),
    [
      ['Purchase', { currency: 'GBP', value: 123.45, order_id: real }],
      ['PageView', {}],
    ],
  )
  assert.equal(data[0]?.event_id, real, 'a receipt that is opened again is known as the same purchase')
})

test('R-705 a receipt in the second format of facts is a purchase at each service, too', async () => {
  const paid = { customerOrderId: 'C-3', market: 'gb', amount: 500, currency: 'GBP' } as const
  await database.command({}, async ({ emit }) => emit('order.paid', paid))
  await work()
  const transaction = await transactionOf('C-3')
  await send(crypto.randomUUID(), {
    purposes: 'statistics,personalisedAdvertising',
    page: { name: 'orderRecap', type: 'orderRecap' },
    data: { view_transaction: transaction },
  })
  await forwardAll()
  assert.deepEqual(fake.problems, [])
  for (const [path, name] of [
    ['/mp/collect', /"name":"purchase"/],
    ['/events', /"event_name":"Purchase"/],
    ['/hook', /"name":"purchase"/],
  ] as const)
    assert.deepEqual(
      at(path).map(({ text }) => name.test(text)),
      [true],
      path,
    )
})

test('R-495 R-695 the ad click goes out with conversions alone, to services for advertising, while it has not expired and is agreed to', async () => {
  const click = (id: string, expiresIn = 60_000) =>
    `; mm_gclid_session=${encodeURIComponent(JSON.stringify({ id, expires: Date.now() + expiresIn }))}`
  const both = 'statistics,personalisedAdvertising'
  const receipt = { name: 'orderRecap', type: 'orderRecap' }
  const [buyer, late, measured, forger, gone] = [1, 2, 3, 4, 5].map(() => crypto.randomUUID())
  await send(buyer ?? '', { purposes: both, page: receipt, cookies: click('of-the-buyer') })
  await send(buyer ?? '', { purposes: both, cookies: click('of-the-buyer') })
  await send(late ?? '', { purposes: both, page: receipt, cookies: click('expired', -1) })
  await send(measured ?? '', { purposes: 'statistics', page: receipt, cookies: click('without-consent') })
  await send(forger ?? '', { purposes: both, page: receipt, data: { clickId: 'written-by-a-page' } })
  await send(gone ?? '', { purposes: both, page: receipt, cookies: click('of-the-gone') })
  await database.command({}, async ({ emit }) =>
    emit('consent.withdrawn', { visitorId: gone ?? '', withdrawn: ['personalisedAdvertising'] }),
  )
  await work()
  const { rows } = await database.pool.query<{ data: object }>('select data from insights.event where visitor_id = $1', [gone])
  assert.deepEqual(rows, [{ data: {} }], 'a withdrawal deletes the click')
  await forwardAll()
  assert.deepEqual(fake.problems, [])
  const told = at('/events').flatMap(({ body }) => (body as { data: { event_name: string; user_data: { click_id?: string } }[] }).data)
  assert.deepEqual(told.map(({ user_data }) => user_data.click_id ?? null).toSorted(), [null, null, null, 'of-the-buyer'])
  const hooked = at('/hook').flatMap(
    ({ body }) => (body as { data: { events: { clickId?: string; page: { name: string } }[] } }).data.events,
  )
  assert.deepEqual(
    hooked.flatMap(({ clickId, page }) => (clickId ? [[clickId, page.name]] : [])),
    [['of-the-buyer', 'orderRecap']],
  )
  for (const { text } of fake.received) assert.doesNotMatch(text, /expired|without-consent|written-by-a-page|of-the-gone/)
})
