import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { dbOn, newId, type Work } from '#platform'
import { testDatabase, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { isShort } from '../../edges/worker/long-jobs.ts'
import { moveAllBursts, moveBurst, writeBurst } from './burst-store.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { writeEvents, type StoredEvent } from './store.ts'
import { endWithdrawals } from './withdrawal-store.ts'

let database: TestDatabase
let gateway: TestGateway

before(async () => {
  database = await testDatabase()
  gateway = await testGateway(database.pool)
})
beforeEach(() => database.pool.query('delete from insights.event_burst; delete from insights.burst; delete from insights.withdrawal'))
after(() => gateway.close())

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const agrees = (id: string) => `mm_consent=v1:statistics; mm_visitor_id=${id}`
const count = async (text: string, values: unknown[] = []) => Number((await database.pool.query(text, values)).rows[0].count)
const storedOf = (id: string) => count('select count(*) from insights.event where visitor_id = $1', [id])
const bursts = () => count('select (select count(*) from insights.burst) + (select count(*) from insights.event_burst) as count')

const post = (path: string, body: object, visitor: string) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent, cookie: agrees(visitor) },
    body: JSON.stringify(body),
  })

async function withdraw(visitor: string): Promise<void> {
  const answer = await post('/api/v1/consent', { choice: 'none' }, visitor)
  assert.ok(answer.ok)
  await runWork(database, handlers, jobs)
}

const stored = (visitorId: string, more: Partial<StoredEvent> = {}): StoredEvent => ({
  id: newId(),
  market: 'de',
  mode: 'b2c',
  visitorId,
  visitId: null,
  name: 'page_view',
  pageName: 'home',
  pageType: 'home',
  device: 'mobile',
  purposes: ['statistics', 'personalisedAdvertising'],
  data: { text: 'Grüße, "Säge"', number: 1.5, yes: true, none: null },
  at: new Date(),
  network: 40_000,
  ...more,
})

test('every event of a burst of requests is stored once, also when some are sent again', async () => {
  const sent = Array.from({ length: 60 }, () => ({
    visitor: crypto.randomUUID(),
    events: [1, 2, 3].map(() => ({ id: newId(), name: 'page_view', page: { name: 'home', type: 'home' } })),
  }))
  const answers = await Promise.all(
    [...sent, ...sent.slice(0, 10)].map(({ visitor, events }) => post('/api/v1/events', { events }, visitor)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  await moveAllBursts(database.db)
  const visitors = sent.map(({ visitor }) => visitor)
  assert.equal(await count('select count(*) from insights.event where visitor_id = any($1)', [visitors]), 180)
  assert.equal(await bursts(), 0)
})

test('a burst moves as the event writer would have stored it', async () => {
  const visitor = crypto.randomUUID()
  const event = stored(visitor, { visitId: crypto.randomUUID() })
  await writeBurst(database.db, [event])
  assert.equal(await moveBurst(database.db), true)
  assert.equal(await moveBurst(database.db), false)
  const { rows } = await database.pool.query(
    `select id, market, mode, visitor_id as "visitorId", visit_id as "visitId", name, page_name as "pageName", page_type as "pageType", device,
      purposes, data, at, network from insights.event where visitor_id = $1`,
    [visitor],
  )
  assert.deepEqual(rows, [event])
})

test('events of several senders, markets and purposes keep what is theirs', async () => {
  const [ann, ben] = [crypto.randomUUID(), crypto.randomUUID()]
  const purposes = ['statistics'] as const
  const sent = [
    stored(ann, { purposes }),
    stored(ann, { purposes, name: 'add_to_cart' }),
    stored(ben, { purposes, market: 'fr', mode: 'b2b', device: 'desktop' }),
    stored(ben, { purposes, market: 'fr', mode: 'b2c', device: 'desktop' }),
    stored(ann, { purposes: [] }),
  ]
  await writeBurst(database.db, sent)
  await moveAllBursts(database.db)
  const { rows } = await database.pool.query(
    `select id, market, mode, visitor_id as "visitorId", visit_id as "visitId", name, page_name as "pageName", page_type as "pageType", device,
      purposes, data, at, network from insights.event where visitor_id = any($1)`,
    [[ann, ben]],
  )
  const byId = <Row extends { id: string }>(all: readonly Row[]) => all.toSorted((a, b) => a.id.localeCompare(b.id))
  assert.deepEqual(byId(rows), byId(sent))
})

test('a burst that the release before this one has left is moved, too', async () => {
  const visitor = crypto.randomUUID()
  const events = [stored(visitor), stored(visitor, { name: 'add_to_cart' })]
  await database.pool.query('insert into insights.burst (events) values ($1)', [JSON.stringify(events)])
  await moveAllBursts(database.db)
  assert.equal(await storedOf(visitor), 2)
})

for (const text of ['a\0b', '\ud800', '\udfff!'])
  test(`of a burst of requests only the one with ${JSON.stringify(text)} is refused`, async () => {
    const sent = Array.from({ length: 20 }, (_, at) => ({
      visitor: crypto.randomUUID(),
      events: [{ id: newId(), name: 'page_view', page: { name: 'home', type: 'home' }, data: { text: at === 7 ? text : 'Säge 🪚' } }],
    }))
    const answers = await Promise.all(sent.map(({ visitor, events }) => post('/api/v1/events', { events }, visitor)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      sent.map((_, at) => (at === 7 ? 400 : 202)),
    )
    await moveAllBursts(database.db)
    assert.equal(await count('select count(*) from insights.event where visitor_id = any($1)', [sent.map(({ visitor }) => visitor)]), 19)
    assert.equal(await bursts(), 0)
  })

test('what a process has left behind is moved within a minute', async () => {
  // Until the gateway of this test, which has taken the bursts before, has looked for more.
  await wait(500)
  const visitor = crypto.randomUUID()
  for (let n = 0; n < 3; n++) await writeBurst(database.db, [stored(visitor), stored(visitor)])
  const schedule = schedules.find(({ name }) => name === 'insights.move-bursts')
  assert.equal(schedule?.everyMs, 60_000)
  await database.command({}, schedule.run)
  await runWork(database, [], jobs)
  assert.equal(await storedOf(visitor), 6)
})

test('a withdrawal reaches the events of a burst that has not moved', async () => {
  const [visitor, other] = [crypto.randomUUID(), crypto.randomUUID()]
  await writeBurst(database.db, [stored(visitor), stored(other)])
  await database.pool.query('insert into insights.burst (events) values ($1)', [JSON.stringify([stored(visitor), stored(other)])])
  await withdraw(visitor)
  await moveAllBursts(database.db)
  assert.deepEqual([await storedOf(visitor), await storedOf(other), await bursts()], [0, 2, 0])
})

const purposesOf = async (id: string) =>
  (await database.pool.query('select purposes, data from insights.event where visitor_id = $1 order by at', [id])).rows as object[]
const endDue = async () => {
  await database.command({}, ({ db }) => endWithdrawals(db))
  return count('select count(*) from insights.withdrawal')
}
/** As if so much time had passed since everything that has happened. */
const later = (interval: string) =>
  database.pool.query(`update insights.withdrawal set at = at - interval '${interval}';
    update insights.event_burst set received_at = received_at - interval '${interval}';
    update insights.event set at = at - interval '${interval}', received_at = received_at - interval '${interval}'`)

test('a withdrawal of advertising takes it, and the ad, from events in bursts that came before; what comes after a new consent keeps it', async () => {
  const visitor = crypto.randomUUID()
  const events = [1, 2].map((second) => stored(visitor, { at: new Date(Date.now() + second), data: { clickId: 'ad' } }))
  await writeBurst(database.db, events.slice(0, 1))
  const withdrawal = { visitorId: visitor, customerId: null, withdrawn: ['personalisedAdvertising' as const] }
  await database.command({}, async ({ emit }) => emit('consent.withdrawn', withdrawal))
  await runWork(database, handlers, jobs)
  await writeBurst(database.db, events.slice(1))
  await moveAllBursts(database.db)
  assert.deepEqual(await purposesOf(visitor), [
    { purposes: ['statistics'], data: {} },
    { purposes: ['statistics', 'personalisedAdvertising'], data: { clickId: 'ad' } },
  ])
})

test('the work of a withdrawal does not grow with the bursts that wait', async () => {
  const visitor = crypto.randomUUID()
  for (let n = 0; n < 400; n++) await writeBurst(database.db, [stored(n % 100 === 0 ? visitor : crypto.randomUUID())])
  await database.pool.query('analyze insights.event_burst')
  let touched = 0
  const client = await database.pool.connect()
  try {
    const explained = dbOn({
      query: async ({ text, values }) => {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values)
        touched += rowsOf(rows[0]?.['QUERY PLAN'][0]?.Plan)
        return { rows: [], rowCount: 0 } as never
      },
    })
    const forget = jobs.filter(isShort).find(({ name }) => name === 'insights.forget-visitor')?.work as unknown as Work<object, void>
    const scope = { ...database.scope(), db: explained }
    const payload = { visitorId: visitor, customerId: null, withdrawn: ['statistics'] }
    await forget.call?.({ ...scope, key: '', attempt: 1, signal: new AbortController().signal }, payload)
    await forget.commit(scope, payload)
  } finally {
    client.release()
  }
  assert.ok(touched <= 2, `${touched} bursts were read`)
  await moveAllBursts(database.db)
  assert.equal(await storedOf(visitor), 0)
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Bursts that a statement has read, whether or not it wanted them. */
function rowsOf(plan: Plan | undefined): number {
  if (!plan) return 0
  const { 'Relation Name': name, 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans = [] } = plan
  const own = name === 'event_burst' ? (rows + removed) * loops : 0
  return Plans.reduce((sum, each) => sum + rowsOf(each), own)
}

test('a withdrawal is remembered as long as a burst waits that is as old, and not at all if none does', async () => {
  const [visitor, other] = [crypto.randomUUID(), crypto.randomUUID()]
  await withdraw(other)
  assert.equal(await count('select count(*) from insights.withdrawal'), 0)
  await writeBurst(database.db, [stored(visitor)])
  await withdraw(visitor)
  assert.equal(await endDue(), 1)
  await later('2 minutes')
  assert.equal(await endDue(), 1, 'its burst waits')
  await writeBurst(database.db, [stored(other)])
  assert.equal(await moveBurst(database.db), true)
  assert.equal(await endDue(), 0, 'the burst that waits came later')
  assert.equal(await storedOf(visitor), 0)
})

test('a withdrawal that is handled late reaches what came before it and moved meanwhile, and nothing that came after a new consent', async () => {
  const [all, part] = [crypto.randomUUID(), crypto.randomUUID()]
  const both = (at: Date) => [all, part].map((id) => stored(id, { at, data: { clickId: 'ad' } }))
  await writeBurst(database.db, both(new Date()))
  await wait(5)
  const withdrawnAt = new Date().toISOString()
  await wait(5)
  await writeBurst(database.db, both(new Date()))
  await moveAllBursts(database.db)
  await database.command({}, async ({ emit }) => {
    emit('consent.withdrawn', { visitorId: all, withdrawn: ['statistics'], withdrawnAt })
    emit('consent.withdrawn', { visitorId: part, withdrawn: ['personalisedAdvertising'], withdrawnAt })
  })
  await runWork(database, handlers, jobs)
  const kept = { purposes: ['statistics', 'personalisedAdvertising'], data: { clickId: 'ad' } }
  assert.deepEqual(await purposesOf(all), [kept])
  assert.deepEqual(await purposesOf(part), [{ purposes: ['statistics'], data: {} }, kept])
})

test('what a move under way stored at the withdrawal, and what was refused since, goes when the withdrawal ends', async () => {
  const [visitor, again] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of [visitor, again]) await writeBurst(database.db, [stored(id)])
  await withdraw(visitor)
  await database.command({}, async ({ emit }) =>
    emit('consent.withdrawn', { visitorId: again, customerId: null, withdrawn: ['personalisedAdvertising'] }),
  )
  await runWork(database, handlers, jobs)
  await writeEvents(database.db, [stored(visitor), stored(again)])
  await database.pool.query('update insights.event_burst set problem = $1', ['refused'])
  await later('2 minutes')
  // By a browser whose clock is slow.
  await writeEvents(database.db, [stored(again, { at: new Date(Date.now() - 600_000) })])
  assert.equal(await endDue(), 0)
  assert.deepEqual([await storedOf(visitor), await bursts()], [0, 1])
  assert.deepEqual(
    (await purposesOf(again)).map((each) => (each as { purposes: string[] }).purposes),
    [['statistics', 'personalisedAdvertising'], ['statistics']],
  )
})

test('a burst that Postgres refuses is kept with the reason, those after it move, and it goes when its visitor withdraws', async () => {
  const [bad, good] = [crypto.randomUUID(), crypto.randomUUID()]
  const { id, name, pageName, pageType, data, ...sender } = stored(bad)
  const broken = [{ ...sender, events: [{ id, name, pageName, pageType, data, at: 'never' }] }]
  await database.pool.query('insert into insights.event_burst (senders) values ($1)', [JSON.stringify(broken)])
  await database.pool.query('insert into insights.burst (events) values ($1)', [JSON.stringify([{ ...stored(bad), at: 'never' }])])
  await writeBurst(database.db, [stored(good)])
  while (await moveBurst(database.db)) continue
  // The gateway of this test may be moving it.
  for (let tries = 0; tries < 50 && (await storedOf(good)) === 0; tries++) await wait(20)
  assert.equal(await storedOf(good), 1)
  const { rows } = await database.pool.query<{ problem: string }>(
    'select problem from insights.burst union all select problem from insights.event_burst',
  )
  assert.equal(rows.length, 2)
  for (const { problem } of rows) assert.match(problem, /never/)
  await withdraw(good)
  assert.equal(await bursts(), 2)
  await withdraw(bad)
  assert.equal(await bursts(), 0)
})
