import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { createGateway } from '../../edges/gateway/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs } from '../../people/insights/jobs.ts'
import { deleteOldNotes, forgetOrderChannels } from '../../people/insights/order-channel.ts'
import { dropOldPartitions } from '../../people/insights/partitions.ts'
import { rollUp } from '../../people/insights/roll-up.ts'
import { addOffer, addresses, fillShop } from './testing.ts'

/** Where the buyers of orders came from, from the page view to the page of insights. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6101' })
const { execute } = await createGateway({ pool: database.pool, hosts: createSiteHosts({ port: 3000 }) })
const gateway = await testGateway(database.pool)
after(() => gateway.close())

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const consentOf = (visitorId: string, purposes = 'statistics', visitId?: string) =>
  `mm_consent=v1:${purposes}; mm_visitor_id=${visitorId}${visitId ? `; mm_session_id=${visitId}` : ''}`

async function send(cookie: string, ...events: { name?: string; data: object }[]): Promise<void> {
  const answer = await fetch(`${gateway.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent, cookie },
    body: JSON.stringify({
      events: events.map(({ name = 'page_view', data }) => ({ id: newId(), name, page: { name: 'homeB2C', type: 'home' }, data })),
    }),
  })
  assert.ok(answer.ok, String(answer.status))
}

const came = (trackingChannel: string, trackingCategory?: string, trackingCampaign?: string) => ({
  data: { trackingChannel, ...(trackingCategory && { trackingCategory }), ...(trackingCampaign && { trackingCampaign }) },
})

/** From an empty cart to a paid order, in a browser with these cookies. */
async function buy(consent: string, amount = 2940): Promise<string> {
  const id = await order(consent)
  await pay(id, amount)
  return id
}

async function pay(id: string, amount = 2940): Promise<void> {
  await database.command({}, async ({ emit }) => emit('order.paid', { customerOrderId: id, market: 'gb', amount, currency: 'GBP' }))
  await runWork(database, handlers, jobs)
}

/** From an empty cart to an order that is placed. */
async function order(consent: string): Promise<string> {
  let session = ''
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors, setCookies } = await execute({
      query,
      variables,
      headers: { host: 'localhost:3000', cookie: `${session}; ${consent}` },
    })
    assert.equal(errors, undefined, JSON.stringify(errors))
    session = setCookies?.[0]?.split(';')[0] ?? session
    return data as Record<string, { order?: { id: string }; refusal: unknown }>
  }
  await ask('mutation { addToCart(offerId: "6101", quantity: 1) { refusal { reason } } }')
  await ask(`mutation { continueAsGuest(email: "${randomUUID()}@example.com") { refusal { reason } } }`)
  const save = 'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id } refusal { reason } } }'
  const id = (await ask(save, { input: addresses.gb }))['saveAddress']?.order?.id ?? ''
  const place = 'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { refusal { reason } } }'
  assert.equal((await ask(place, { id, key: randomUUID() }))['placeOrder']?.refusal, null)
  return id
}

async function withdraw(visitorId: string): Promise<void> {
  await fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent, cookie: consentOf(visitorId) },
    body: JSON.stringify({ choice: 'none' }),
  })
  await runWork(database, handlers, jobs)
}

const channelOf = async (id: string) => {
  const { rows } = await database.pool.query<Record<string, string>>(
    'select channel, category, campaign from insights.order_channel where customer_order_id = $1',
    [id],
  )
  return rows[0] && Object.values(rows[0])
}
const daysAgo = (visitorId: string, days: number) =>
  database.pool.query(
    `update insights.event set at = at - make_interval(days => $2), day = day - $2::integer where visitor_id = $1 and at > now() - interval '1 hour'`,
    [visitorId, days],
  )
const rollUpAll = () => rollUp(database.db, new Date(Date.now() - 25 * 3_600_000))
const dayRows = async (text: string) => (await database.pool.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row))
const channelDays = () =>
  dayRows(`select channel, category, campaign, sum(visits)::int as visits, sum(orders)::int as orders, sum(revenue)::int as revenue from insights.channel_day
    where day >= current_date - 1 group by 1, 2, 3 order by 1, 2, 3`)

test('R-406 an order has the channel of the last arrival of thirty days that was not direct; without consent it has none', async () => {
  const [ann, old, bob] = [randomUUID(), randomUUID(), randomUUID()]
  await send(consentOf(ann), came('organic', 'google'))
  await daysAgo(ann, 20)
  await send(consentOf(ann), came('email', 'newsletter', 'week-47'))
  await daysAgo(ann, 2)
  await send(consentOf(ann), came('direct'), came('internal'), { data: {} })
  await send(consentOf(old), came('social', 'pinterest'))
  await daysAgo(old, 31)
  await send(consentOf(bob, ''), came('social', 'pinterest'))
  const [first, second, third] = [await buy(consentOf(ann)), await buy(consentOf(old)), await buy(consentOf(bob, 'userPreferences'))]
  await rollUpAll()
  assert.deepEqual(
    [await channelOf(first), await channelOf(second), await channelOf(third)],
    [['email', 'newsletter', 'week-47'], ['direct', null, null], undefined],
  )
})

test('visits, orders and revenue by channel and campaign, and click rates of recommendations, equal a recount and are on the page of insights', async () => {
  await database.pool.query('delete from insights.event; delete from insights.order_channel; delete from insights.channel_day')
  const [ann, bob] = [randomUUID(), randomUUID()]
  const [visit, other] = [randomUUID(), randomUUID()]
  await send(consentOf(ann, 'statistics', visit), came('direct'), came('paid', 'google', 'spring'), came('email', 'newsletter', 'week-47'))
  await send(consentOf(bob, 'statistics', other), { data: {} })
  // A browser can write anything: channels that there are none of, and texts that are no words, are not stored.
  await send(consentOf(bob, 'statistics', other), came('<b>', '<script>', '<i>'))
  const row = { placement: 'article_page', source: 'goes_with' }
  await send(
    consentOf(ann),
    ...[1, 2, 3, 4].map(() => ({ name: 'recommendation_view', data: row })),
    { name: 'recommendation_click', data: { ...row, productId: 6101, position: 2 } },
    { name: 'recommendation_view', data: { placement: 'invented', source: 'goes_with' } },
  )
  await buy(consentOf(ann), 2940)
  await rollUpAll()
  await rollUpAll()
  const counted = [
    ['direct', '', '', 1, 0, 0],
    ['email', 'newsletter', 'week-47', 0, 1, 2940],
    ['paid', 'google', 'spring', 1, 0, 0],
  ]
  assert.deepEqual(await channelDays(), counted)
  assert.deepEqual(await dayRows('select placement, source, views::int, clicks::int from insights.recommendation_day'), [
    ['article_page', 'goes_with', 4, 1],
  ])
  const html = (await (await fetch(`${gateway.url}/dev/insights`)).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  assert.match(html, /Attribution by channel, 28 days .* gb email newsletter 0 1 – 29 GBP gb direct 1 0 0\.0 % 0 GBP/)
  assert.match(html, /Attribution by campaign, 28 days .* gb week-47 email newsletter 0 1 – 29 GBP gb spring paid google 1 0 0\.0 % 0 GBP/)
  assert.match(html, /Click rates of recommendations, 28 days .* gb article_page goes_with 4 1 25\.0 %/)
})

test('invented campaigns do not fill the roll-ups: beyond 500 names the rarest count as "other"', async () => {
  await database.pool
    .query(`insert into insights.event (day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at)
    select current_date, gen_random_uuid(), 'fr', 'b2c', gen_random_uuid(), gen_random_uuid(), 'page_view', 'homeB2C', 'x', 'mobile', '{statistics}',
      json_build_object('trackingChannel', 'email', 'trackingCampaign', case when n <= 20 then 'real' else 'invented-' || n end), now()
    from generate_series(1, 700) as n`)
  await rollUpAll()
  const [[names, visits, real] = []] =
    await dayRows(`select count(distinct campaign)::int, sum(visits)::int, sum(visits) filter (where campaign = 'real')::int as real
    from insights.channel_day where market = 'fr'`)
  assert.ok(Number(names) <= 501, String(names))
  assert.deepEqual([visits, real], [700, 20])
})

test('a withdrawal of statistics deletes the channels of the visitor’s orders, and after 90 days they are gone anyway', async () => {
  const [gone, stays] = [randomUUID(), randomUUID()]
  const orders: string[] = []
  for (const id of [gone, stays]) {
    await send(consentOf(id), came('social', 'pinterest'))
    orders.push(await buy(consentOf(id)))
  }
  await rollUpAll()
  const known = async () => [await channelOf(orders[0] ?? ''), await channelOf(orders[1] ?? '')]
  const pinterest = ['social', 'pinterest', null]
  assert.deepEqual(await known(), [pinterest, pinterest])
  await fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent, cookie: consentOf(gone) },
    body: JSON.stringify({ choice: 'none' }),
  })
  await runWork(database, handlers, jobs)
  assert.deepEqual(await known(), [undefined, pinterest])
  await database.command({}, ({ db }) => dropOldPartitions(db, new Date(Date.now() + 89 * 86_400_000)))
  assert.deepEqual(await known(), [undefined, pinterest])
  await database.command({}, ({ db }) => dropOldPartitions(db, new Date(Date.now() + 91 * 86_400_000)))
  assert.deepEqual(await known(), [undefined, undefined])
})

const notesOf = async (id: string) => (await database.pool.query(`select 1 from platform.job where key = $1`, [id])).rowCount

test('an order that is placed and paid while the collector fails has its channel once the collector works again', async () => {
  const visitor = randomUUID()
  await send(consentOf(visitor), came('social', 'pinterest'))
  await database.pool.query('alter schema insights rename to hidden')
  const fails = async () => {
    const placed = await buy(consentOf(visitor))
    // As after some hours of attempts.
    await database.pool.query(`update platform.job set run_at = now(), attempts = 290 where key = $1`, [placed])
    await runWork(database, handlers, jobs)
    return placed
  }
  const id = await fails().finally(() => database.pool.query('alter schema hidden rename to insights'))
  await rollUpAll()
  assert.equal(await channelOf(id), undefined)
  await database.pool.query(
    `update platform.job set run_at = now(), payload = payload || jsonb_build_object('paidAt', now() - interval '20 hours')
      where key = $1 and parked_at is null`,
    [id],
  )
  await runWork(database, handlers, jobs)
  await rollUpAll()
  assert.deepEqual(await channelOf(id), ['social', 'pinterest', null])
  assert.equal(await notesOf(id), 0)
  const paid = await dayRows(
    `select round(extract(epoch from now() - paid_at) / 3600)::int from insights.order_channel where customer_order_id = '${id}'`,
  )
  assert.deepEqual(paid, [[20]], 'its revenue counts when it was paid')
})

test('a note that could not be taken up for a day is deleted after two weeks', async () => {
  const [early, late] = [await order(consentOf(randomUUID())), await order(consentOf(randomUUID()))]
  const park = `update platform.job set parked_at = now() - make_interval(days => $2) where key = $1`
  await database.pool.query(park, [early, 15])
  await database.pool.query(park, [late, 13])
  await database.command({}, (scope) => deleteOldNotes(scope))
  assert.deepEqual([await notesOf(early), await notesOf(late)], [0, 1])
  await database.pool.query('delete from platform.job where key = $1', [late])
})

test('a withdrawal of statistics, or an erasure, before an order is paid leaves nothing of whose order it was', async () => {
  const [ann, bob, eve] = [randomUUID(), randomUUID(), randomUUID()]
  const [first, second, third] = [await order(consentOf(ann)), await order(consentOf(bob)), await order(consentOf(eve))]
  await withdraw(ann)
  await database.command({}, ({ db }) => forgetOrderChannels(db, [second]))
  assert.deepEqual([await notesOf(first), await notesOf(second), await notesOf(third)], [0, 0, 1])
  for (const id of [first, second, third]) await pay(id)
  await rollUpAll()
  assert.deepEqual(
    [await channelOf(first), await channelOf(second), await channelOf(third)],
    [undefined, undefined, ['direct', null, null]],
  )
})

test('of an order that nobody pays within a week nothing is kept', async () => {
  const id = await order(consentOf(randomUUID()))
  const { rows } = await database.pool.query<{ days: number }>(
    `select round(extract(epoch from run_at - now()) / 86400)::int as days from platform.job where key = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ days: 7 }])
  await database.pool.query('update platform.job set run_at = now() where key = $1', [id])
  await runWork(database, handlers, jobs)
  assert.equal(await notesOf(id), 0)
  assert.equal(await channelOf(id), undefined)
})
