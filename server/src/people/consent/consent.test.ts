import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { visitorIdOf } from '@purlin/contract/consent.ts'
import { testDatabase, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runJobsAt, runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs as merchandisingJobs } from '../../goods/merchandising/jobs.ts'
import { handlers as historyHandlers, jobs as historyJobs } from '../../selling/history/jobs.ts'
import { addCustomer, signIn } from '../accounts/testing.ts'
import { isIssuedVisitor, newVisitorId } from './issued-visitor.ts'
import { jobs, schedules } from './jobs.ts'
import { countChoices } from './store.ts'

let database: TestDatabase
let gateway: TestGateway

before(async () => {
  database = await testDatabase()
  gateway = await testGateway(database.pool)
})
after(() => gateway.close())

interface Answer {
  status: number
  /** Cookies set, by name; null for those removed. */
  cookies: Record<string, string | null>
  lines: string[]
  location: string | null
}

/** As a page sends it whose cookies do not fit the consent. */
const renew = (cookie: string, headers: Record<string, string> = {}, body = '') =>
  fetch(`${gateway.url}/api/v1/consent/visitor`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', cookie, ...headers }, body })
const cookiesOf = (lines: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split('=')
      return [name, line.includes('Max-Age=0') ? null : value]
    }),
  )

async function choose(body: object | string, headers: Record<string, string> = {}): Promise<Answer> {
  const isForm = typeof body === 'string'
  const answer = await fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  })
  const lines = answer.headers.getSetCookie()
  return { status: answer.status, cookies: cookiesOf(lines), lines, location: answer.headers.get('location') }
}
const cookieOf = ({ cookies }: Answer) =>
  Object.entries(cookies)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Reported since the last call. */
const withdrawals = async () =>
  (
    await database.pool.query<{ payload: { withdrawnAt?: string } }>(
      `delete from platform.outbox where type = 'consent.withdrawn' returning payload`,
    )
  ).rows.map(({ payload }) => timeless(payload))
const timeless = ({ withdrawnAt, ...rest }: { withdrawnAt?: string }) => {
  assert.ok(Math.abs(Date.now() - Date.parse(withdrawnAt ?? '')) < 180_000, 'the time of the withdrawal')
  return rest
}

const choices = () =>
  database.db.rows<{
    id: string
    market: string
    textVersion: string
    purposes: string[]
    replaced: boolean
    hasPrivacySignal: boolean
  }>({
    name: 'test.choices',
    text: `select id, market, text_version as "textVersion", purposes, replaced_at is not null as replaced,
      has_privacy_signal as "hasPrivacySignal" from consent.choice order by at`,
  })

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

test('R-025 R-554 R-555 R-556 consent is recorded with text version, time and choice, and sets a visitor id of one year for the whole site', async () => {
  const answer = await choose({ choice: 'all' })
  assert.equal(answer.status, 204)
  const [, , recordId] = answer.cookies['mm_consent']!.split(':')
  assert.match(answer.cookies['mm_consent']!, /^v1:statistics,personalisedAdvertising,userPreferences:/)
  const { id, ...record } = (await choices()).at(-1)!
  assert.equal(id, recordId)
  assert.deepEqual(record, {
    market: 'gb',
    textVersion: 'v1',
    purposes: ['statistics', 'personalisedAdvertising', 'userPreferences'],
    replaced: false,
    hasPrivacySignal: false,
  })
  assert.match(answer.cookies['mm_visitor_id']!, uuid)
  assert.match(
    answer.lines.find((line) => line.startsWith('mm_visitor_id'))!,
    /; Path=\/; SameSite=Lax; Max-Age=31536000/,
  )
  const again = await choose({ choice: 'some', purposes: ['statistics'] }, { cookie: cookieOf(answer) })
  assert.equal(again.cookies['mm_visitor_id'], undefined, 'a known id is neither replaced nor prolonged')
})

const refusedCookies = { mm_gclid_session: null, mm_session_id: null, mm_experiments: null }

test('R-557 a refusal sets no visitor id and no id of a record, and removes the one from before', async () => {
  const refused = await choose({ choice: 'none' })
  assert.deepEqual(refused.cookies, { mm_consent: 'v1:', mm_visitor_id: null, ...refusedCookies })
  const given = await choose({ choice: 'all' })
  const withdrawn = await choose({ choice: 'none' }, { cookie: cookieOf(given) })
  assert.deepEqual(withdrawn.cookies, { mm_consent: 'v1:', mm_visitor_id: null, ...refusedCookies })
  const records = await choices()
  assert.equal(records.find(({ id }) => given.cookies['mm_consent']!.endsWith(id))?.replaced, true, 'the record says when it ended')
})

test('a browser that agrees, or has lost its id since, gets one that this server issued; what was stored under one that it made is deleted', async () => {
  const made = '0d9cdd1e-3a5b-4f6e-9f3c-2f2f1a6a7b8c'
  const again = await choose({ choice: 'all' }, { cookie: `mm_visitor_id=${made}` })
  const issued = again.cookies['mm_visitor_id'] ?? ''
  assert.deepEqual([isIssuedVisitor(made), isIssuedVisitor(issued)], [false, true])
  const withdrawn = ['statistics', 'personalisedAdvertising', 'userPreferences']
  assert.deepEqual((await withdrawals()).at(-1), { visitorId: made, customerId: null, withdrawn, endsId: true })

  const idOf = (answer: Response) =>
    /mm_visitor_id=([^;]+); Path=\/; SameSite=Lax; Max-Age=31536000/.exec(answer.headers.getSetCookie().join())?.[1]
  for (const cookie of ['mm_consent=v1:userPreferences', `mm_consent=v1:statistics; mm_visitor_id=${made}`])
    assert.equal(isIssuedVisitor(idOf(await renew(cookie)) ?? ''), true, cookie)
  assert.equal(idOf(await renew(`mm_consent=v1:statistics; mm_visitor_id=${issued}`)), undefined, 'an issued id stays')
  for (const cookie of ['', 'mm_consent=v1:', 'mm_consent=v0:statistics']) {
    const answer = await renew(cookie)
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [204, []], 'nobody gets an id without consent')
  }
  assert.equal((await renew('mm_consent=v1:statistics', { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await renew('mm_consent=v1:statistics', {}, 'no such signal')).status, 400)
})

test('a visitor id without consent, or that is no UUID, counts for nothing', () => {
  const id = '0d9cdd1e-3a5b-4f6e-9f3c-2f2f1a6a7b8c'
  const of = (cookie: string) => visitorIdOf({ headers: { cookie } })
  assert.equal(of(`mm_visitor_id=${id}; mm_consent=v1:statistics`), id)
  assert.equal(of(`mm_visitor_id=${id}; mm_consent=v1:`), null)
  assert.equal(of(`mm_visitor_id=${id}`), null)
  assert.equal(of(`mm_visitor_id=${id}' or 1=1; mm_consent=v1:statistics`), null)
})

test('Global Privacy Control refuses personalised advertising, whatever is clicked', async () => {
  for (const [body, headers] of [
    [{ choice: 'all' }, { 'sec-gpc': '1' }],
    // The header may get lost on its way: scripts say it in the body.
    [{ choice: 'all', signal: 'gpc' }, {}],
    ['choice=all&signal=gpc', {}],
  ] as const) {
    const answer = await choose(body, headers)
    assert.match(answer.cookies['mm_consent']!, /^v1:statistics,userPreferences:/, JSON.stringify(body))
    assert.partialDeepStrictEqual((await choices()).at(-1), { purposes: ['statistics', 'userPreferences'], hasPrivacySignal: true })
  }
  assert.match((await choose('choice=all&signal=')).cookies['mm_consent']!, /^v1:statistics,personalisedAdvertising,userPreferences:/)
  assert.equal((await choose({ choice: 'all', signal: 'none' })).status, 400)
})

test('whoever agrees, then less, then has a privacy signal is counted once, as having chosen last', async () => {
  const counted = async () => (await countChoices(database.db, 30)).find(({ market }) => market === 'gb')
  const before = await counted()
  assert.ok(before)
  const first = await choose({ choice: 'all' })
  const second = await choose({ choice: 'some', purposes: ['statistics', 'personalisedAdvertising'] }, { cookie: cookieOf(first) })
  await choose({ choice: 'some', purposes: ['statistics', 'personalisedAdvertising'] }, { cookie: cookieOf(second), 'sec-gpc': '1' })
  assert.deepEqual(await counted(), { ...before, choices: before.choices + 1, statistics: before.statistics + 1 })
})

test('a form without JavaScript leads back to its page, and to no other site', async () => {
  const back = async (path: string) => choose(`choice=some&purposes=statistics&purposes=userPreferences&back=${encodeURIComponent(path)}`)
  const answer = await back('/drills-4?page=2')
  assert.deepEqual([answer.status, answer.location], [303, '/drills-4?page=2'])
  assert.match(answer.cookies['mm_consent']!, /^v1:statistics,userPreferences:/)
  const from = async (referer: string) => (await choose('choice=none', { referer })).location
  assert.equal(await from(`${gateway.url}/search/saw?page=2`), '/search/saw?page=2', 'without a field, to the page it was on')
  assert.equal(await from('https://evil.example/x'), '/')
  for (const hostile of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/a\r\nset-cookie: x=1'])
    assert.equal((await back(hostile)).status, 400, hostile)
})

test('other sites cannot choose for a visitor, and a choice that is none is refused', async () => {
  const before = (await choices()).length
  assert.equal((await choose({ choice: 'all' }, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const url = '/api/v1/consent'
  const ofOldBrowser = (origin: string, remoteAddress = '127.0.0.1') =>
    gateway.app.inject({ method: 'POST', url, remoteAddress, headers: { origin, host: 'localhost' }, payload: { choice: 'none' } })
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
    assert.equal((await ofOldBrowser(origin)).statusCode, 403, origin)
  for (const body of [{}, { choice: 'most' }, { choice: 'some', purposes: ['everything'] }, { choice: 'some', purposes: 'statistics' }, []])
    assert.equal((await choose(body)).status, 400, JSON.stringify(body))
  assert.equal((await choose({ choice: 'all', back: `/${'x'.repeat(3_000)}` })).status, 413)
  assert.equal((await choices()).length, before)
})

/** A call from some network. */
async function from(remoteAddress: string, payload: object | string | undefined, cookie = '', url = '/api/v1/consent') {
  const headers = {
    host: 'localhost',
    'sec-fetch-site': 'same-origin',
    cookie,
    ...(typeof payload === 'string' && { 'content-type': 'text/plain' }),
  }
  const { statusCode, headers: answered } = await gateway.app.inject({ method: 'POST', url, remoteAddress, headers, payload })
  return { statusCode, cookies: cookiesOf([answered['set-cookie'] ?? []].flat()) }
}

test('nobody fills the table of choices: one network has as many as an office, and the next one is not affected; beyond that refusals still take effect', async () => {
  const before = (await choices()).length
  for (let sent = 0; sent < 70; sent++) assert.equal((await from('203.0.113.9', { choice: 'none' })).statusCode, 204)
  assert.equal((await choices()).length, before + 60)
  assert.equal((await from('203.0.113.9', { choice: 'all' })).statusCode, 429)
  assert.equal((await from('203.0.113.10', { choice: 'all' })).statusCode, 204)

  await withdrawals()
  const visitorId = newVisitorId()
  const agreed = `mm_visitor_id=${visitorId}; mm_consent=v1:statistics,userPreferences:${randomUUID()}`
  const some = (...purposes: string[]) => ({ choice: 'some', purposes })
  const less = await from('203.0.113.9', some('statistics'), agreed)
  const record = /:([^:]+)$/.exec(agreed)?.[1]
  assert.deepEqual(
    [less.statusCode, less.cookies['mm_consent']],
    [204, `v1:statistics:${record}`],
    'the record of the consent stays the proof',
  )
  const none = await from('203.0.113.9', { choice: 'none' }, agreed)
  assert.deepEqual([none.statusCode, none.cookies['mm_consent'], none.cookies['mm_visitor_id']], [204, 'v1:', null])
  assert.partialDeepStrictEqual(await withdrawals(), [
    { visitorId, withdrawn: ['userPreferences'] },
    { visitorId, withdrawn: ['statistics', 'userPreferences'] },
  ])
  assert.equal((await from('203.0.113.9', some('statistics', 'personalisedAdvertising'), agreed)).statusCode, 429, 'something new')
  assert.equal((await choices()).length, before + 61)
})

test('R-519 withdrawals reach every module: ids that anybody can invent share what their network has, and a visitor has some dozen; beyond that a refusal takes effect, and a later page has the rest deleted', async () => {
  const agreedAs = (visitorId: string) => `mm_visitor_id=${visitorId}; mm_consent=v1:statistics,userPreferences:${randomUUID()}`
  const refusals = async (address: string, visitorId: string, count: number, payload: object = { choice: 'none' }) => {
    await withdrawals()
    const answers = []
    for (let sent = 0; sent < count; sent++) answers.push(await from(address, payload, agreedAs(visitorId)))
    return { withdrawn: (await withdrawals()).length, last: answers.at(-1) ?? assert.fail('nothing was sent') }
  }
  const visitorId = newVisitorId()
  for (const [address, id, count] of [
    ['203.0.113.19', randomUUID(), 60],
    ['203.0.113.20', visitorId, 20],
  ] as const) {
    const { withdrawn, last } = await refusals(address, id, count + 1)
    assert.equal(withdrawn, count)
    // The id is all that names what is to be deleted.
    assert.deepEqual([last.statusCode, last.cookies], [204, { mm_consent: 'v1:', ...refusedCookies }])
  }
  const unchanged = { choice: 'some', purposes: ['statistics', 'userPreferences'] }
  const replaced = await refusals('203.0.113.19', randomUUID(), 1, unchanged)
  assert.deepEqual([replaced.last.statusCode, replaced.withdrawn], [429, 0], 'nor by agreeing to the same under one of them')
  const some = { choice: 'some', purposes: ['statistics'] }
  assert.equal((await refusals('203.0.113.20', visitorId, 1, some)).last.statusCode, 429, 'nothing would tell what is left to withdraw')
  const next = await from('203.0.113.20', undefined, `mm_consent=v1:; mm_visitor_id=${newVisitorId()}`, '/api/v1/consent/visitor')
  assert.deepEqual([next.statusCode, next.cookies], [204, { mm_visitor_id: null, ...refusedCookies }])
  assert.equal((await withdrawals()).length, 1, 'of the id that was left')
  await from('203.0.113.20', { choice: 'none' }, `mm_consent=v1:; mm_visitor_id=${newVisitorId()}`)
  assert.equal((await withdrawals()).length, 1, 'without scripts, with the next choice')
})

test('an id that a refusal has left names nothing that is agreed to later: the next choice has it deleted, and brings another id', async () => {
  const withdrawn = ['statistics', 'personalisedAdvertising', 'userPreferences']
  for (const [choice, consent] of [
    [{ choice: 'all' }, 'mm_consent=v1:; '],
    [{ choice: 'some', purposes: ['statistics'] }, 'mm_consent=v1:; '],
    [{ choice: 'all' }, ''],
  ] as const) {
    const left = newVisitorId()
    await withdrawals()
    const { statusCode, cookies } = await from('203.0.113.21', choice, `${consent}mm_visitor_id=${left}`)
    const issued = cookies['mm_visitor_id'] ?? ''
    assert.deepEqual([statusCode, isIssuedVisitor(issued), issued === left], [204, true, false])
    assert.deepEqual((await withdrawals()).at(-1), { visitorId: left, customerId: null, withdrawn, endsId: true })
  }
})

test('R-519 nobody floods the shop with withdrawals of ids that were issued: a network has some hundreds, and neighbours, customers and the effect of a refusal do not depend on them', async () => {
  const refuse = (address: string, cookie = '') => from(address, { choice: 'none' }, `mm_visitor_id=${newVisitorId()}; ${cookie}`)
  await withdrawals()
  for (let sent = 0; sent < 320; sent++) {
    const { statusCode, cookies } = await refuse('203.0.113.30')
    assert.deepEqual(
      [statusCode, cookies['mm_consent'], cookies['mm_visitor_id']],
      [204, 'v1:', sent < 300 ? null : undefined],
      String(sent),
    )
  }
  assert.equal((await withdrawals()).length, 300)
  const settling = () => from('203.0.113.30', undefined, `mm_visitor_id=${newVisitorId()}`, '/api/v1/consent/visitor')
  assert.deepEqual([(await settling()).statusCode, (await withdrawals()).length], [429, 0], 'the next page tries again')

  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  await refuse('203.0.113.30', `__Host-purlin=${token}`)
  assert.partialDeepStrictEqual(await withdrawals(), [{ customerId: id }])
  await refuse('203.0.113.31')
  assert.equal((await withdrawals()).length, 1)
  for (let sent = 0; sent < 900; sent++) await refuse(`203.0.113.${32 + (sent % 4)}`)
  assert.ok((await withdrawals()).length < 700, 'nor from many addresses of one line')
})

test('R-526 a consent that has lapsed is withdrawn by the next page, and the id leaves with what it names', async () => {
  const visitorId = newVisitorId()
  for (const lapsed of ['', 'mm_consent=v0:statistics,userPreferences; ']) {
    await withdrawals()
    const answer = await renew(`${lapsed}mm_visitor_id=${visitorId}`)
    assert.deepEqual([answer.status, cookiesOf(answer.headers.getSetCookie())], [204, { mm_visitor_id: null, ...refusedCookies }])
    const withdrawn = ['statistics', 'personalisedAdvertising', 'userPreferences']
    assert.deepEqual(await withdrawals(), [{ visitorId, customerId: null, withdrawn, endsId: true }])
  }
})

test('a browser that sends Global Privacy Control after it has agreed withdraws what it agreed to for advertising, and the rest ends no later', async () => {
  const agreed = await choose({ choice: 'all' })
  const visitorId = agreed.cookies['mm_visitor_id']
  const recordId = agreed.cookies['mm_consent']?.split(':')[2]
  const withdrawn = ['personalisedAdvertising']
  await withdrawals()
  const lines = (await renew(cookieOf(agreed), { 'sec-gpc': '1' })).headers.getSetCookie()
  assert.deepEqual(await withdrawals(), [{ visitorId, customerId: null, withdrawn }])
  const proof = (await choices()).filter(({ id, replaced }) => id === recordId || !replaced).slice(-2)
  assert.partialDeepStrictEqual(proof, [
    { id: recordId, replaced: true, hasPrivacySignal: false },
    { purposes: ['statistics', 'userPreferences'], replaced: false, hasPrivacySignal: true },
  ])
  const left = `v1:statistics,userPreferences:${proof[1]?.id}`
  assert.deepEqual(cookiesOf(lines), { mm_consent: left, mm_gclid_session: null })
  const again = await renew(`mm_consent=${left}; mm_visitor_id=${visitorId}`, { 'sec-gpc': '1' })
  assert.deepEqual([again.headers.getSetCookie(), await withdrawals()], [[], []], 'once')

  // A choice of a hundred days ago, by the time in the id of its record.
  const madeAt = (Date.now() - 100 * 86_400_000 + 60_000).toString(16).padStart(12, '0')
  const old = `${madeAt.slice(0, 8)}-${madeAt.slice(8)}${recordId?.slice(13)}`
  const late = await renew(`mm_consent=v1:statistics,personalisedAdvertising:${old}; mm_visitor_id=${visitorId}`, { 'sec-gpc': '1' })
  assert.match(late.headers.getSetCookie().join('\n'), new RegExp(`mm_consent=v1:statistics:[-0-9a-f]{36}; .*Max-Age=${266 * 86_400};?`))

  const told = await renew(cookieOf(await choose({ choice: 'all' })), {}, 'gpc')
  assert.match(cookiesOf(told.headers.getSetCookie())['mm_consent'] ?? '', /^v1:statistics,userPreferences:/, 'a header that got lost')

  const alone = await renew(`mm_consent=v1:personalisedAdvertising; mm_visitor_id=${visitorId}`, { 'sec-gpc': '1' })
  assert.deepEqual(cookiesOf(alone.headers.getSetCookie()), { mm_consent: 'v1:', mm_visitor_id: null, ...refusedCookies })
  await withdrawals()
  await choose('choice=some&purposes=statistics&purposes=userPreferences', { cookie: cookieOf(agreed), 'sec-gpc': '1' })
  assert.deepEqual(await withdrawals(), [{ visitorId, customerId: null, withdrawn }], 'without scripts, with the next choice')
})

test('a page whose cookies fit its consent uses up nothing of what its network has, however often it asks', async () => {
  const agreed = `mm_consent=v1:statistics:${randomUUID()}; mm_visitor_id=${newVisitorId()}`
  for (let sent = 0; sent < 70; sent++)
    assert.equal((await from('203.0.113.40', sent % 2 ? 'gpc' : undefined, agreed, '/api/v1/consent/visitor')).statusCode, 204)
  assert.equal((await from('203.0.113.40', { choice: 'all' })).statusCode, 204)
})

test('R-519 withdrawal deletes the search events stored for the visitor, and those of nobody else', async () => {
  const given = await choose({ choice: 'all' })
  const own = given.cookies['mm_visitor_id']
  const insert = {
    name: 'test.search-event',
    text: `insert into merchandising.search_event (id, market, type, user_token, product_ids) values (gen_random_uuid(), 'gb', 'click', $1, '{7}')`,
  }
  await database.db.run(insert, [own])
  await database.db.run(insert, ['somebody-else'])
  await choose({ choice: 'some', purposes: ['statistics'] }, { cookie: cookieOf(given) })
  await runWork(database, handlers, merchandisingJobs)
  const left = await database.db.rows({ name: 'test.left', text: 'select user_token as "userToken" from merchandising.search_event' })
  assert.deepEqual(left, [{ userToken: 'somebody-else' }])
})

test('R-519 what late requests store after a withdrawal is deleted two minutes later, in every table; what the visitor agrees to again stays', async () => {
  await database.pool.query('delete from platform.outbox; delete from platform.job')
  const { handlers: all, jobs: allJobs } = await loadJobs()
  const { id: customerId } = await addCustomer(database.db)
  const store = async (visitorId: string) => {
    for (const [table, columns, values] of [
      [
        'insights.pro_event',
        'id, market, platform_id, event, visitor_id, customer_id, product_id',
        `gen_random_uuid(), 'gb', '1', 'view', $1, $2, 7`,
      ],
      ['insights.order_channel', 'customer_order_id, visitor_id, market, mode', `$2, $1, 'gb', 'b2c'`],
      ['experiments.exposure', 'campaign_id, visitor_id, variation_id, unit', `1, $1, 1, $2`],
      ['history.entry', 'customer_id, product_id, viewed_at, visitor_id', `$2, 7, now(), $1`],
      [
        'merchandising.search_event',
        'id, market, type, user_token, product_ids, sender_hash',
        `gen_random_uuid(), 'gb', 'click', $1, '{7}', $2`,
      ],
      [
        'push.subscription',
        'id, endpoint, p256dh, auth, market, mode, origin, visitor_id, customer_id',
        `gen_random_uuid(), 'https://push.example', 'k', 'a', 'gb', 'b2c', 'https://gb.example', $1, $2`,
      ],
    ])
      await database.pool.query(`insert into ${table} (${columns}) values (${values}) on conflict do nothing`, [visitorId, customerId])
  }
  const tables = {
    statistics: ['insights.pro_event', 'insights.order_channel', 'experiments.exposure'],
    userPreferences: ['history.entry', 'merchandising.search_event', 'push.subscription'],
  }
  const rows = async (names: readonly string[], visitorId: string) => {
    const counts = names.map(async (name) => {
      const found = await database.pool.query(`select 1 from ${name} as each_row where each_row::text like $1`, [`%${visitorId}%`])
      return found.rowCount
    })
    return Promise.all(counts)
  }
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  const handled = () => runWork(database, all, allJobs)
  const both = [...tables.statistics, ...tables.userPreferences]

  const given = await choose({ choice: 'all' })
  const visitorId = given.cookies['mm_visitor_id'] ?? ''
  await choose({ choice: 'none' }, { cookie: cookieOf(given) })
  await handled()
  await store(visitorId)
  assert.deepEqual(await rows(both, visitorId), [1, 1, 1, 1, 1, 1])
  const due = await database.pool.query<{ seconds: number }>(
    `select distinct round(extract(epoch from run_at - now()) / 10)::int * 10 as seconds from platform.job where name = $1`,
    [jobs[0]?.name],
  )
  assert.deepEqual(due.rows, [{ seconds: 120 }], 'when no request from before can arrive any more')
  await runJobsAt(database, jobs, minutes(2))
  await handled()
  assert.deepEqual(await rows(both, visitorId), [0, 0, 0, 0, 0, 0])

  const again = await choose({ choice: 'all' })
  const other = again.cookies['mm_visitor_id'] ?? ''
  assert.notEqual(other, visitorId)
  const less = await choose({ choice: 'some', purposes: ['personalisedAdvertising'] }, { cookie: cookieOf(again) })
  await handled()
  const cookie = `${cookieOf(less)}; mm_visitor_id=${other}`
  await choose({ choice: 'some', purposes: ['personalisedAdvertising', 'statistics'] }, { cookie })
  await store(other)
  await runJobsAt(database, jobs, minutes(2))
  await handled()
  assert.deepEqual(
    [await rows(tables.statistics, other), await rows(tables.userPreferences, other)],
    [
      [1, 1, 1],
      [0, 0, 0],
    ],
  )
})

test('a visitor who agrees again with the cookies of before, because the response to a refusal got lost, keeps what is stored from then on', async () => {
  await database.pool.query('delete from platform.job')
  const cookie = cookieOf(await choose({ choice: 'all' }))
  const waiting = async () => (await database.pool.query('select 1 from platform.job where name = $1', [jobs[0]?.name])).rowCount
  await choose({ choice: 'some', purposes: ['statistics'] }, { cookie })
  assert.equal(await waiting(), 2)
  await choose({ choice: 'all' }, { cookie })
  assert.equal(await waiting(), 0)
})

test('a visitor who agrees again after a refusal of everything whose response got lost keeps what is stored since then, however late the refusal is handled', async () => {
  await database.pool.query('delete from platform.outbox; delete from platform.job')
  const { handlers: all, jobs: allJobs } = await loadJobs()
  const searches = async (visitorId: string) =>
    (await database.pool.query('select 1 from merchandising.search_event where user_token = $1', [visitorId])).rowCount
  const search = (visitorId: string) =>
    database.pool.query(
      `insert into merchandising.search_event (id, market, type, user_token, product_ids) values (gen_random_uuid(), 'gb', 'click', $1, '{7}')`,
      [visitorId],
    )
  const agreed = await choose({ choice: 'all' })
  const [cookie, before] = [cookieOf(agreed), agreed.cookies['mm_visitor_id'] ?? '']
  await search(before)
  await choose({ choice: 'none' }, { cookie })
  const since = (await choose({ choice: 'all' }, { cookie })).cookies['mm_visitor_id'] ?? before
  await search(since)
  await runWork(database, all, allJobs)
  await runJobsAt(database, jobs, new Date(Date.now() + 2 * 60_000))
  await runWork(database, all, allJobs)
  assert.equal(await searches(since), 1)
  assert.equal(await searches(before), 0)
})

test('the search events of a visitor are found by an index, however many the shop has stored', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>("explain delete from merchandising.search_event where user_token = 'v'")
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /search_event_user/)
  } finally {
    await client.query('reset enable_seqscan')
    client.release()
  }
})

test('a withdrawal names the customer who is signed in, and counts after a choice has expired or was about another wording', async () => {
  await withdrawals()
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const visitorId = newVisitorId()
  const of = (consent: string) => ({ cookie: `mm_visitor_id=${visitorId}; __Host-purlin=${token}; ${consent}` })
  await choose({ choice: 'some', purposes: ['statistics'] }, of('mm_consent=v1:statistics,userPreferences'))
  assert.partialDeepStrictEqual(await withdrawals(), [
    { visitorId, customerId: id, withdrawn: ['personalisedAdvertising', 'userPreferences'] },
  ])
  for (const earlier of ['mm_consent=v0:statistics', 'a=b']) {
    await choose({ choice: 'none' }, { cookie: `mm_visitor_id=${visitorId}; ${earlier}` })
    const withdrawn = ['statistics', 'personalisedAdvertising', 'userPreferences']
    assert.partialDeepStrictEqual(await withdrawals(), [{ visitorId, customerId: null, withdrawn }], earlier)
  }
  await choose({ choice: 'all' }, of('mm_consent=v1:statistics'))
  await choose({ choice: 'none' }, { cookie: 'a=b' })
  assert.deepEqual(await withdrawals(), [])
})

test('R-519 a customer who refuses without a visitor id, or again after refusing signed out, withdraws what the account stores', async () => {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const product = async () =>
    database.pool.query(`insert into history.entry (customer_id, product_id, viewed_at) values ($1, '7', now()) on conflict do nothing`, [
      id,
    ])
  const stored = async () => (await database.pool.query('select 1 from history.entry where customer_id = $1', [id])).rowCount
  for (const earlier of ['a=b', 'mm_consent=v1:', 'mm_consent=v1:userPreferences']) {
    await product()
    assert.equal(await stored(), 1)
    await choose({ choice: 'some', purposes: ['statistics'] }, { cookie: `__Host-purlin=${token}; ${earlier}` })
    await runWork(database, [...handlers, ...historyHandlers], [...merchandisingJobs, ...historyJobs])
    assert.equal(await stored(), 0, earlier)
  }
})

test('without scripts a style sheet opens the dialog, for those alone who have not chosen', async () => {
  const css = async (headers: Record<string, string>) => {
    const answer = await fetch(`${gateway.url}/api/v1/consent/dialog.css`, { headers })
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    return answer.text()
  }
  assert.match(await css({}), /display:block/)
  assert.match(await css({ cookie: 'mm_consent=v0:statistics' }), /display:block/, 'another wording is another question')
  assert.equal(await css({ cookie: 'mm_consent=v1:' }), '')
  assert.equal(await css({ 'sec-gpc': '1' }), '')
})

test('records are deleted once they prove nothing any more', async () => {
  const past = async (purposes: string, at: string, replaced: string | null) =>
    database.pool.query(
      `insert into consent.choice (id, market, text_version, purposes, has_privacy_signal, at, replaced_at)
       values (gen_random_uuid(), 'fr', 'v1', $1, false, now() - $2::interval, now() - $3::interval)`,
      [purposes, at, replaced],
    )
  await past('{}', '91 days', null)
  await past('{statistics}', '1300 days', null)
  await past('{statistics}', '1200 days', '1100 days')
  await past('{statistics}', '1200 days', '1000 days')
  await past('{}', '10 days', null)
  for (const { run } of schedules) await database.command({}, run)
  const left = (await choices()).filter(({ market }) => market === 'fr')
  assert.deepEqual(
    left.map(({ purposes }) => purposes),
    [['statistics'], []],
  )
})
