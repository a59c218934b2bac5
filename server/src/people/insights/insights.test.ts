import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pageAddresses } from '@purlin/contract/generated/page-addresses.ts'
import { pageNames } from '@purlin/contract/generated/page-names.ts'
import type { Market } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { newId, takeQuota } from '#platform'
import { testDatabase, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../accounts/testing.ts'
import { pageChangeInput } from './beacons.ts'
import { handlers, jobs } from './jobs.ts'
import { createPartitions, dropOldPartitions } from './partitions.ts'
import { recordEvent } from './record-event.ts'
import { rollUp } from './roll-up.ts'
import { storedData } from './stored-data.ts'

let database: TestDatabase
let gateway: TestGateway

before(async () => {
  database = await testDatabase()
  gateway = await testGateway(database.pool)
})
after(() => gateway.close())

const browser = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const visitor = () => crypto.randomUUID()
const agrees = (id: string) => `mm_consent=v1:statistics; mm_visitor_id=${id}`

interface Sent {
  cookie?: string
  agent?: string
  site?: string
  method?: string
}

async function send(path: string, body?: unknown, { cookie = '', agent = browser, site = 'same-origin', method = 'POST' }: Sent = {}) {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': site, 'user-agent': agent, ...(cookie && { cookie }) },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text(), headers: answer.headers }
}

/** A UUIDv7 of a moment. */
function idAt(at: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${newId().slice(15)}`
}

const event = (more: object = {}) => ({ id: newId(), name: 'page_view', page: { name: 'category', type: 'category' }, data: {}, ...more })
const stored = (visitorId: string) =>
  database.db.rows<{ id: string; name: string; market: Market; pageName: string; device: string; purposes: string[]; data: object }>(
    {
      name: 'test.events',
      text: `select id, name, market, page_name as "pageName", device, purposes, data from insights.event where visitor_id = $1 order by id`,
    },
    [visitorId],
  )

test('R-028 R-586 a batch of events is stored under the visitor, market and consent that came with it, and acknowledged afterwards', async () => {
  const id = visitor()
  const data = { referer: 'https://search.example/', statusCode: 200, categoryId: 4 }
  const sent = event({ data })
  const answer = await send('/api/v1/events', { events: [sent, event()] }, { cookie: agrees(id) })
  assert.deepEqual([answer.status, answer.text], [202, ''])
  const [first, second] = await stored(id)
  const { id: eventId, ...rest } = first!
  assert.equal(eventId, sent.id)
  assert.deepEqual(rest, { name: 'page_view', market: 'gb', pageName: 'category', device: 'desktop', purposes: ['statistics'], data })
  assert.ok(second)
})

test('R-694 events carry the visit of mm_session_id, with consent and only as a UUID; the insights count visits and their page views', async () => {
  const [id, visit] = [visitor(), crypto.randomUUID()]
  const visits = async () =>
    (await database.pool.query('select visit_id from insights.event where visitor_id = $1 order by id', [id])).rows.map(
      ({ visit_id }) => visit_id as string | null,
    )
  for (const cookie of [`mm_session_id=${visit}`, `mm_session_id=${visit}`, 'mm_session_id=1', `mm_session_id=${visit}x`, ''])
    assert.equal((await send('/api/v1/events', { events: [event()] }, { cookie: `${agrees(id)}; ${cookie}` })).status, 202)
  assert.deepEqual(await visits(), [visit, visit, null, null, null])
  const preferences = `mm_consent=v1:userPreferences; mm_visitor_id=${id}; mm_session_id=${visit}`
  await send('/api/v1/events', { events: [event()] }, { cookie: preferences })
  assert.equal((await visits()).length, 5)
  const shown = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const counted = /<h2>Visits, 7 days<\/h2>.*?<tbody>(.*?)<\/tbody>/
    .exec(shown)?.[1]
    ?.replaceAll(/<[^>]+>/g, ' ')
    .trim()
    .split(/\s+/)
  assert.deepEqual(counted, [new Date().toISOString().slice(0, 10), 'gb', 'b2c', '1', '2', '2.0'])
})

test('an event sent again is stored once, also across midnight and by several requests at once', async () => {
  const id = visitor()
  const lately = event({ id: idAt(Date.now() - 20 * 3_600_000) })
  const batch = { events: [event(), lately] }
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('/api/v1/events', batch, { cookie: agrees(id) })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  assert.equal((await stored(id)).length, 2)
})

test('R-517 without consent to statistics nothing is stored, and the response says nothing about it', async () => {
  const id = visitor()
  for (const cookie of [
    `mm_visitor_id=${id}`,
    `mm_visitor_id=${id}; mm_consent=v1:`,
    `mm_visitor_id=${id}; mm_consent=v1:userPreferences`,
  ]) {
    const answer = await send('/api/v1/events', { events: [event()] }, { cookie })
    assert.deepEqual([answer.status, answer.text], [204, ''], cookie)
  }
  assert.deepEqual(await stored(id), [])
})

test('R-519 nothing is stored of a browser that has lost its visitor id, because no withdrawal could name it', async () => {
  const count = async () => Number((await database.pool.query<{ count: string }>('select count(*) from insights.event')).rows[0]?.count)
  const before = await count()
  const cookie = `mm_consent=v1:statistics; mm_session_id=${visitor()}`
  assert.equal((await send('/api/v1/events', { events: [event()] }, { cookie })).status, 204)
  const change = new URLSearchParams({ code: '200', method: 'back', to: '/cart', from: '/' })
  assert.equal((await send(`/api/v1/client-page-change?${change}`, undefined, { cookie, method: 'GET' })).status, 204)
  const requested = { headers: { cookie, 'user-agent': browser }, site: { market: 'gb', mode: 'b2c' } } as const
  await recordEvent(database.db, requested, { name: 'add_to_cart', data: {} })
  assert.equal(await count(), before)
  await recordEvent(
    database.db,
    { ...requested, headers: { cookie: agrees(visitor()), 'user-agent': browser } },
    { name: 'add_to_cart', data: {} },
  )
  assert.equal(await count(), before + 1)
})

test('R-515 crawlers leave no trace', async () => {
  const id = visitor()
  for (const agent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'facebookexternalhit/1.1',
    'Twitterbot/1.0',
    'LinkedInBot/1.0',
    'WhatsApp/2.23',
    'curl/8.5',
  ])
    assert.equal((await send('/api/v1/events', { events: [event()] }, { cookie: agrees(id), agent })).status, 204, agent)
  assert.deepEqual(await stored(id), [])
})

const vitals = (more: object = {}) => ({
  browserContext: { url: 'http://gb.localhost/drills-4', userAgent: browser },
  service: 'storefront',
  resource: 'category',
  version: '1',
  metrics: [
    { name: 'LCP', value: 2100, startTime: 0, tags: { rating: 'good' } },
    { name: 'CLS', value: 0.02, startTime: 0, tags: {} },
    { name: 'INTERACTION', value: 320, startTime: 900, tags: { type: 'click', target: 'button.add' } },
  ],
  startTime: 0,
  duration: 2100,
  ...more,
})

test('R-586 A44 invalid, foreign and oversized bodies get a problem document, and nothing of them is stored', async () => {
  const id = visitor()
  const cookie = agrees(id)
  const bad: [string, unknown, number][] = [
    ['/api/v1/events', {}, 400],
    ['/api/v1/events', { events: [] }, 400],
    ['/api/v1/events', '{', 400],
    ['/api/v1/events', { events: Array.from({ length: 51 }, () => event()) }, 400],
    ['/api/v1/events', { events: [event({ id: 'x' })] }, 400],
    ['/api/v1/events', { events: [event({ id: crypto.randomUUID() })] }, 400],
    ['/api/v1/events', { events: [event({ name: 'anything' })] }, 400],
    ['/api/v1/events', { events: [event({ data: { deep: { er: 1 } } })] }, 400],
    ['/api/v1/events', { events: [event({ data: { text: 'x'.repeat(301) } })] }, 400],
    ['/api/v1/events', { events: [event({ page: { name: '<script>', type: 'x' } })] }, 400],
    ['/api/v1/events', { events: [event({ data: { text: 'a\0b' } })] }, 400],
    ['/api/v1/events', { events: [event({ data: { text: '\ud800' } })] }, 400],
    ['/api/v1/events', { filler: 'x'.repeat(70_000) }, 413],
    ['/api/v1/web-vitals/beacon', vitals({ metrics: [{ name: 'LCP', value: -1, startTime: 0 }] }), 400],
    ['/api/v1/web-vitals/beacon', vitals({ metrics: [{ name: 'XYZ', value: 1, startTime: 0 }] }), 400],
    ['/api/v1/web-vitals/beacon', vitals({ browserContext: undefined }), 400],
    ['/api/v1/web-vitals/beacon', { filler: 'x'.repeat(40_000) }, 413],
  ]
  for (const [path, body, status] of bad) {
    const answer = await send(path, body, { cookie })
    assert.equal(answer.status, status, `${path} ${JSON.stringify(body).slice(0, 80)}`)
    assert.match(answer.type, /^application\/problem\+json/)
    assert.equal((JSON.parse(answer.text) as { status: number }).status, status)
  }
  assert.equal((await send('/api/v1/events', { events: [event()] }, { cookie, site: 'cross-site' })).status, 403)
  // A clock that is wrong by years would put events where no retention looks.
  const years = [event({ id: idAt(Date.now() - 3 * 86_400_000) }), event({ id: idAt(Date.now() + 3_600_000) })]
  assert.equal((await send('/api/v1/events', { events: years }, { cookie })).status, 202)
  assert.deepEqual(await stored(id), [])
})

test('R-586 A44 a sender beyond the rate limit is told to wait, and others are not', async () => {
  const cookie = agrees(visitor())
  const statuses: number[] = []
  for (let n = 0; n < 140; n++) statuses.push((await send('/api/v1/events', { events: [] }, { cookie })).status)
  assert.equal(statuses[0], 400)
  assert.equal(statuses.at(-1), 429)
  assert.equal((await send('/api/v1/events', { events: [event()] }, { cookie: agrees(visitor()) })).status, 202)
})

test('a batch counts by its events: a visitor has as many a minute, however they are packed', async () => {
  const cookie = agrees(visitor())
  const batch = () => ({ events: Array.from({ length: 50 }, () => event()) })
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await send('/api/v1/events', batch(), { cookie })).status)
  assert.deepEqual(statuses, [202, 202, 429, 429])
})

test('V-11 an event has two kilobytes of data at most, and one line so many a day, however many networks and visitors it has', async () => {
  const cookie = agrees(visitor())
  const fields = (count: number, value: string) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, value]))
  const report = async (data: object) => (await send('/api/v1/events', { events: [event({ data })] }, { cookie })).status
  assert.deepEqual([await report(fields(6, 'x'.repeat(300))), await report(fields(20, 'x'.repeat(80)))], [202, 202])
  assert.deepEqual([await report(fields(7, 'x'.repeat(300))), await report(fields(3, '€'.repeat(300)))], [400, 400])

  const proxied = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
  const from = async (address: string, path = '/api/v1/events', body: object = { events: [event()] }) =>
    (
      await fetch(proxied.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'user-agent': browser,
          cookie: agrees(visitor()),
          'x-forwarded-for': address,
        },
        body: JSON.stringify(body),
      })
    ).status
  await takeQuota('measurement', { line: '2a01:4f8:9::1' }, quotas.measurement.line.units - 2)
  assert.deepEqual([await from('2a01:4f8:9:1::1'), await from('2a01:4f8:9:2::1'), await from('2a01:4f8:9:3::1')], [202, 202, 429])
  assert.equal(await from('2a01:4f8:9:4::1', '/api/v1/web-vitals/beacon', vitals()), 429)
  assert.equal(await from('2a01:4f8:a::1'), 202)
  await proxied.close()
})

test('R-029 R-558 R-559 R-560 R-561 web vitals are stored by page kind, market and device, without a visitor, and measured for Prometheus', async () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) AppleWebKit/605 Mobile/15E148 Safari/604'
  const answer = await send('/api/v1/web-vitals/beacon', vitals(), { cookie: agrees(visitor()), agent: phone })
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await send('/api/v1/web-vitals/beacon', vitals())).status, 204, 'and dropped without consent')
  const rows = await database.db.rows<{
    metric: string
    value: number
    page: string
    market: string
    device: string
    detail: string | null
  }>({
    name: 'test.vitals',
    text: 'select metric, value, page_name as page, market, device, detail from insights.web_vital order by metric',
  })
  const common = { page: 'category', market: 'gb', device: 'mobile' }
  assert.deepEqual(
    rows.map(({ value, ...rest }) => ({ ...rest, value: Math.round(value * 100) / 100 })),
    [
      { metric: 'CLS', value: 0.02, detail: null, ...common },
      { metric: 'INTERACTION', value: 320, detail: 'click button.add', ...common },
      { metric: 'LCP', value: 2100, detail: null, ...common },
    ],
  )
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  assert.match(metrics, /purlin_web_vital_ms_bucket\{le="2500",metric="LCP",page="category",device="mobile"\} 1/)
  assert.match(metrics, /purlin_web_vital_cls_bucket\{le="0.025",metric="CLS",page="category",device="mobile"\} 1/)
})

test('V-13 invented page names add no series to the metrics of web vitals and take no place of a page; each metric counts as one', async () => {
  const names = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB']
  const report = (resource: string, more: Sent = {}) =>
    send('/api/v1/web-vitals/beacon', vitals({ resource, metrics: names.map((name) => ({ name, value: 0.1, startTime: 0, tags: {} })) }), {
      cookie: agrees(visitor()),
      ...more,
    })
  const series = async () =>
    (await (await fetch(`${gateway.url}/metrics`)).text()).split('\n').filter((line) => line.startsWith('purlin_web_vital'))
  for (let at = 0; at < 300; at++) assert.equal((await report(`invented-${at}`)).status, 204)
  const before = await series()
  assert.equal(before.filter((line) => line.includes('invented')).length, 0)
  assert.ok(before.some((line) => line.includes('page="other"')))
  await report('sitemap')
  assert.ok((await series()).some((line) => line.includes('page="sitemap",device="desktop"')))
  const all = pageNames.length + 2
  const perPage = (await series()).filter((line) => line.includes('page="sitemap"')).length
  assert.ok(all * perPage * 3 < 40_000, `${all * perPage * 3} series at most`)

  await database.pool.query(`delete from insights.web_vital where page_name like 'invented-%'`)

  const cookie = agrees(visitor())
  const statuses: number[] = []
  for (let at = 0; at < 49; at++) statuses.push((await report('category', { cookie })).status)
  assert.deepEqual([statuses.at(47), statuses.at(48)], [204, 429], '240 metrics a minute')
})

test('R-570 R-586 a page change is stored by the patterns of its addresses, and answered without a body', async () => {
  const id = visitor()
  const change = (query: Record<string, string>) =>
    send(`/api/v1/client-page-change?${new URLSearchParams(query)}`, undefined, { cookie: agrees(id), method: 'GET' })
  const answer = await change({ code: '200', method: 'back', to: '/cart?email=ann@example.com', from: '/drills-4#top' })
  assert.deepEqual([answer.status, answer.text], [204, ''])
  const [row] = await stored(id)
  assert.deepEqual([row?.name, row?.data], ['client_page_change', { code: 200, method: 'back', to: '/cart', from: '/{category}-{id}' }])
  for (const query of [{}, { code: '999', method: 'back', to: '/', from: '/' }, { code: '200', method: 'b', to: '//evil', from: '/' }])
    assert.match((await change(query as Record<string, string>)).type, /problem\+json/)
})

test('of pages of ours that led to a page or a page change their pattern is stored, for every address with a part of its own; of others no query', async () => {
  const secret = 'Zq7xTokenOfAParcel99'
  const id = visitor()
  const addresses = pageAddresses.filter((address) => address.includes('{'))
  assert.ok(addresses.some((address) => address.includes('{token}')))
  const filled = addresses.map((address) => [
    address,
    `${address.replaceAll(/\{\w+:(\w+)[^}]*\}/g, '$1').replaceAll(/\{(\w+)[?*]?\}/g, (_, name: string) => (/^(?:id|pageNumber)$/.test(name) ? '734567' : secret))}?t=${secret}#${secret}`,
  ])
  for (const origin of ['http://gb.localhost:3000', 'http://pro.fr.localhost'])
    for (const [address = '', path = ''] of filled) {
      const data = storedData({ referer: origin + path }, (host) => host.includes('localhost'))
      assert.ok(!JSON.stringify(data).includes(secret) && !JSON.stringify(data).includes('734567'), `${address} ${JSON.stringify(data)}`)
    }
  const send1 = (data: object) => send('/api/v1/events', { events: [event({ data })] }, { cookie: agrees(id) })
  await send1({ referer: `http://gb.localhost/track-my-parcel/${secret}?t=${secret}` })
  await send1({ referer: `http://gb.localhost/no/such/page/${secret}` })
  await send1({ referer: `https://ann:${secret}@other.example/a/page?session=${secret}#${secret}` })
  await send1({ referer: `javascript:${secret}` })
  await send1({ referer: 'android-app://com.google.android.gm/x' })
  for (const [, path = ''] of filled) {
    const query = new URLSearchParams({ code: '200', method: 'restore', to: path, from: path })
    assert.equal(pageChange(query), true, path)
  }
  assert.deepEqual(
    (await stored(id)).map(({ data }) => data),
    [
      { referer: 'http://gb.localhost/track-my-parcel/{token}' },
      { referer: 'http://gb.localhost/' },
      { referer: 'https://other.example/a/page' },
      { referer: '' },
      { referer: 'android-app://com.google.android.gm/' },
    ],
  )
  function pageChange(query: URLSearchParams): boolean {
    const { to, from } = v.parse(pageChangeInput, Object.fromEntries(query))
    return [to, from].every((path) => pageAddresses.includes(path) && !path.includes(secret))
  }
})

test('R-571 R-572 R-573 R-574 R-617 A44 product views are stored for signed-in customers, about themselves alone', async () => {
  const ann = await addCustomer(database.db)
  const session = `__Host-purlin=${(await signIn(database.db, { customerId: ann.id })).token}`
  const id = visitor()
  const view = (more: object = {}) => ({
    market: 'gb',
    platform_id: 'b2c',
    channel: 'website',
    event: 'pageview-product',
    visitor_id: id,
    customer_id: ann.id,
    content: { product_id: 7, category_id: 4 },
    ...more,
  })
  const path = '/api/v1/pro-event/event'
  const cookie = `${session}; ${agrees(id)}`
  const answer = await send(path, [view()], { cookie })
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await send(path, [view()], { cookie: agrees(id) })).status, 401, 'not for guests')
  for (const foreign of [{ customer_id: newId() }, { visitor_id: visitor() }, { market: 'fr' }])
    assert.equal((await send(path, [view(foreign)], { cookie })).status, 403, JSON.stringify(foreign))
  for (const bad of [{ event: 'other' }, { channel: 'app' }, { content: {} }, { content: { product_id: 'x' } }, { visitor_id: 'x' }])
    assert.equal((await send(path, [view(bad)], { cookie })).status, 400, JSON.stringify(bad))
  const missing = await send(path, [view()], { cookie: `${session}; mm_consent=v1:statistics` })
  assert.equal(missing.status, 400)
  assert.match(missing.text, /No visitor_id found/)
  assert.equal((await send(path, [view()], { cookie: `${session}; mm_visitor_id=${id}` })).status, 204, 'dropped without consent')
  const rows = await database.db.rows({
    name: 'test.views',
    text: `select market, platform_id, event, visitor_id, customer_id, product_id::int, category_id::int from insights.pro_event`,
  })
  const row = { market: 'gb', platform_id: 'b2c', event: 'pageview-product', visitor_id: id, customer_id: ann.id }
  assert.deepEqual(
    rows.map((each) => ({ ...each })),
    [{ ...row, product_id: 7, category_id: 4 }],
  )
})

test('withdrawing consent to statistics deletes the events stored for the visitor, and no others', async () => {
  const [gone, stays] = [visitor(), visitor()]
  for (const id of [gone, stays]) await send('/api/v1/events', { events: [event()] }, { cookie: agrees(id) })
  await send('/api/v1/consent', { choice: 'none' }, { cookie: agrees(gone) })
  await runWork(database, handlers, jobs)
  assert.equal((await stored(gone)).length, 0)
  assert.equal((await stored(stays)).length, 1)
})

const counted = () =>
  database.db.rows<{ span: string; events: number; visitors: number }>({
    name: 'test.rolled',
    text: `select span, sum(events)::int as events, sum(visitors)::int as visitors from insights.roll_up where page_name = 'bingo' group by span order by span`,
  })

test('hourly and daily roll-ups equal a recount, also after late events and repeated runs', async () => {
  const page = { name: 'bingo', type: 'x' }
  const ids = [visitor(), visitor(), visitor()]
  const now = new Date()
  const at = (hoursAgo: number) => idAt(now.getTime() - hoursAgo * 3_600_000)
  for (const id of ids)
    await send(
      '/api/v1/events',
      { events: [event({ page, id: at(0) }), event({ page, id: at(0) }), event({ page, id: at(3) })] },
      { cookie: agrees(id) },
    )
  const from = new Date(now.getTime() - 25 * 3_600_000)
  await rollUp(database.db, from)
  await rollUp(database.db, from)
  const recount = async () => {
    const row = await database.db.row<{ events: number; hours: number; days: number }>({
      name: 'test.recount',
      text: `select count(*)::int as events, count(distinct (date_trunc('hour', at), visitor_id))::int as hours,
        count(distinct (date_trunc('day', at, 'UTC'), visitor_id))::int as days from insights.event where page_name = 'bingo'`,
    })
    return [
      { span: 'day', events: row?.events, visitors: row?.days },
      { span: 'hour', events: row?.events, visitors: row?.hours },
    ]
  }
  assert.deepEqual(structuredClone(await counted()), await recount())
  assert.equal((await counted())[0]?.events, 9)
  await send('/api/v1/events', { events: [event({ page, id: at(20) })] }, { cookie: agrees(ids[0]!) })
  await rollUp(database.db, from)
  assert.deepEqual(structuredClone(await counted()), await recount())
  // A withdrawal deletes events that have been counted: the last of an hour takes its row with it.
  await database.pool.query('delete from insights.event where visitor_id = any($1)', [ids])
  await rollUp(database.db, from)
  assert.deepEqual(structuredClone(await counted()), [])
})

test('invented names of pages count as "other" in the roll-ups, however many visitors they have', async () => {
  const at = new Date(Date.UTC(2020, 0, 1, 12))
  await database.pool.query(
    `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
     select '2020-01-01', gen_random_uuid(), 'gb', 'b2c', gen_random_uuid(), 'page_view',
       case when n <= 3 then 'contact' when n = 4 then 'error' when n = 5 then '' else 'invented-' || n % 300 end, 'x', 'mobile',
       '{statistics}', '{}', $1 from generate_series(1, 3005) as n`,
    [at],
  )
  await rollUp(database.db, at, at)
  const { rows } = await database.pool.query<{ page: string; events: number }>(
    `select page_name as page, events::int from insights.roll_up where span = 'day' and start = '2020-01-01T00:00Z' order by events, page_name`,
  )
  assert.deepEqual(
    rows.map(({ page, events }) => [page, events]),
    [
      ['', 1],
      ['error', 1],
      ['contact', 3],
      ['other', 3000],
    ],
  )
  await database.pool.query(`delete from insights.event where day = '2020-01-01'; delete from insights.roll_up where start < '2021-01-01'`)
})

test('invented pages, and pages that one line reports more often than all others, take no place of a page in the table of web vitals', async () => {
  const insert = (page: string, market: string, count: number) =>
    database.pool.query(
      `insert into insights.web_vital (day, id, market, mode, page_name, device, metric, value, version)
       select (now() at time zone 'UTC')::date, gen_random_uuid(), $2, 'b2c', page, 'mobile', 'LCP', 1, 'flood'
       from unnest($1::text[]) as page, generate_series(1, $3)`,
      [
        page === 'invented' ? Array.from({ length: 300 }, (_, at) => `invented-${at}`) : page === 'known' ? pageNames : [page],
        market,
        count,
      ],
    )
  await insert('invented', 'gb', 20)
  for (const market of ['gb', 'de']) await insert('known', market, 20)
  await insert('legals', 'it', 3)
  const html = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const row = (page: string, market: string, count: number) =>
    new RegExp(`<td>LCP</td><td[^>]*>1 ms</td><td>good</td><td>${page}</td><td>${market}</td><td>mobile</td><td[^>]*>${count}</td>`)
  assert.match(html, row('legals', 'it', 3))
  assert.match(html, row('other', 'gb', 6000))
  assert.doesNotMatch(html, /invented/)
  await database.pool.query(`delete from insights.web_vital where version = 'flood'`)
})

test('R-715 an interaction is among the slowest once five lines have reported it, each with one vote; one line puts none there, whatever it reports', async () => {
  const proxied = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
  const report = async (address: string, resource: string, ...interactions: [target: string, value: number][]) => {
    const metrics = interactions.map(([target, value]) => ({ name: 'INTERACTION', value, startTime: 0, tags: { type: 'click', target } }))
    const answer = await fetch(`${proxied.url}/api/v1/web-vitals/beacon`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'user-agent': browser,
        cookie: agrees(visitor()),
        'x-forwarded-for': address,
      },
      body: JSON.stringify(vitals({ resource, metrics })),
    })
    assert.equal(answer.status, 204)
  }
  const hour = 3_600_000
  for (let n = 1; n <= 20; n++) {
    await report(`198.51.100.${n}`, 'product', ...Array.from({ length: 9 }, (_, at): [string, number] => [`p.flood${at}`, hour]))
    await report(`2001:db8:7:${n}::1`, 'product', ['p.flood0', hour], ['button.add', hour])
  }
  for (const line of [1, 2, 3]) await report(`203.0.${line}.1`, 'product', ['button.add', 100 * line], ['button.rare', hour])
  assert.deepEqual(await slowest(), [], 'four lines are too few')
  for (const line of [1, 2, 3, 4, 5]) await report(`203.0.${line}.1`, 'invented', ['button.add', 900])
  await report('203.0.4.1', 'product', ['button.add', 400], ['button.add', 50])
  assert.deepEqual(await slowest(), [['click button.add', 'product', '400 ms', '5']])
  // On other days the same lines have no other votes.
  await database.pool.query(
    `insert into insights.web_vital (day, id, market, mode, page_name, device, metric, value, detail, version)
     select day - n, id, market, mode, page_name, device, metric, value, detail, version from insights.web_vital, generate_series(1, 6) as n
     where metric = 'INTERACTION' and page_name = 'product'`,
  )
  assert.deepEqual(await slowest(), [['click button.add', 'product', '400 ms', '5']])
  await proxied.close()
})

/** The rows of the table of slowest interactions. */
async function slowest(): Promise<string[][]> {
  const html = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const [, body = ''] = /<h2>Slowest interactions[^<]*<\/h2>(.*?)<\/section>/.exec(html) ?? []
  return [...body.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)].map(([, row = '']) => row.split(/<\/td><td[^>]*>/))
}

test('live events name known pages; others are "other", and what the server records names none', async () => {
  const cookie = agrees(visitor())
  for (const name of ['contact', 'sale-at-evil-example', ''])
    assert.equal((await send('/api/v1/events', { events: [event({ name: 'login', page: { name, type: 'x' } })] }, { cookie })).status, 202)
  const html = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const [, live = ''] = /<h2>Events now<\/h2>(.*?)<\/section>/.exec(html) ?? []
  const pages = [...live.matchAll(/<td>login<\/td><td>gb<\/td><td>b2c<\/td><td>(.*?)<\/td>/g)].map(([, page]) => page)
  assert.deepEqual(pages.slice(0, 3), ['', 'other', 'contact'])
  assert.doesNotMatch(html, /evil/)
})

test('R-677 R-678 R-679 R-680 R-681 /dev/insights shows consent, events, and web vitals with their ratings; hostile names are text', async () => {
  const measured = async (name: string, value: number, resource: string) => {
    const body = vitals({ resource, metrics: [{ name, value, startTime: 0, tags: {} }] })
    assert.equal((await send('/api/v1/web-vitals/beacon', body, { cookie: agrees(visitor()) })).status, 204)
  }
  const thresholds: [string, number, number][] = [
    ['FCP', 1800, 3000],
    ['LCP', 2500, 4000],
    ['CLS', 0.1, 0.25],
    ['INP', 200, 500],
    ['TTFB', 800, 1800],
  ]
  for (const [name, good, poor] of thresholds) {
    await measured(name, good, 'approval')
    await measured(name, good * 1.01, 'billie')
    await measured(name, poor * 1.01, 'compare')
  }
  await send('/api/v1/consent', { choice: 'all' })
  const answer = await fetch(`${gateway.url}/dev/insights`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const html = await answer.text()
  for (const [name] of thresholds)
    for (const [page, rating] of [
      ['approval', 'good'],
      ['billie', 'needs-improvement'],
      ['compare', 'poor'],
    ])
      assert.match(html, new RegExp(`<td>${name}</td><td[^>]*>[^<]*</td><td>${rating}</td><td>${page}</td>`))
  for (const part of ['Consent, 30 days', 'Events now', 'page_view', 'Newsletter']) assert.ok(html.includes(part), part)
})

test('the demo shop has two weeks of measurements in every market, which its roll-ups count', async () => {
  const { fillInsights } = await import('../../../../start/fill-insights.ts')
  await fillInsights(database)
  const row = await database.db.row<{ events: number; rolled: number; markets: number; rates: number }>({
    name: 'test.demo',
    text: `select (select count(*)::int from insights.event where page_name = 'homeB2C') as events,
      (select sum(events)::int from insights.roll_up where span = 'day' and page_name = 'homeB2C') as rolled,
      (select count(distinct market)::int from insights.web_vital where version = 'demo') as markets,
      (select count(distinct purposes)::int from consent.choice) as rates`,
  })
  assert.equal(row?.events, 14 * 5 * 6)
  assert.equal(row.rolled, row.events)
  assert.deepEqual([row.markets, row.rates >= 4], [5, true])
})

test('events are kept in a partition per day, created ahead, and dropped after 90 days', async () => {
  const partitions = async () =>
    (
      await database.db.rows<{ name: string }>({
        name: 'test.partitions',
        text: `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'insights.event'::regclass order by 1`,
      })
    ).map(({ name }) => name.replace('insights.', ''))
  // A day that no event of this file is of.
  const later = new Date('2031-03-01T12:00:00Z')
  await database.command({}, ({ db }) => createPartitions(db, later))
  await database.command({}, ({ db }) => createPartitions(db, later))
  assert.deepEqual(await partitions(), ['event_20310301', 'event_20310302', 'event_20310303', 'event_20310304', 'event_default'])
  const insert = `insert into insights.event (day, id, market, mode, name, page_name, page_type, device, purposes, data, at)
    values ($1::date, gen_random_uuid(), 'gb', 'b2c', 'page_view', 'old', '', 'desktop', '{}', '{}', $1::date)`
  for (const day of ['2031-03-02', '2031-06-01', '2030-01-01']) await database.pool.query(insert, [day])
  await database.command({}, ({ db }) => dropOldPartitions(db, new Date('2031-06-01T01:00:00Z')))
  assert.deepEqual(await partitions(), ['event_20310303', 'event_20310304', 'event_default'])
  const left = await database.db.rows<{ day: string }>({
    name: 'test.left-days',
    text: `select day::text from insights.event where page_name = 'old'`,
  })
  assert.deepEqual(structuredClone(left), [{ day: '2031-06-01' }])
})
