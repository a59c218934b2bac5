import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PermanentError, asCommand, dbOn, dequeue, enqueue, every, job, on, retryEvent } from '#platform'
import { testDatabase } from '#platform/testing'
import { claimWork } from './claim.ts'
import { runSchedules, registerSchedules } from './schedules.ts'
import { runWork } from './testing.ts'
import { startWorker, workOnce } from './worker.ts'

const database = await testDatabase({ upTo: 'markets' })
const { pool, db } = database
await pool.query('create table public.effect (id int generated always as identity, what text not null)')

beforeEach(() => pool.query('truncate public.effect, platform.outbox, platform.handled, platform.job, platform.schedule'))

const effect = { name: 'test.effect', text: 'insert into public.effect (what) values ($1)' }
const effects = async () => (await pool.query('select what from public.effect order by id')).rows.map(({ what }) => what as string)
const paid = (customerOrderId: string) =>
  asCommand(pool, async (unit) => unit.emit('order.paid', { customerOrderId, market: 'gb', sellerOrderIds: [] }))
const makeDue = () =>
  pool.query(
    'update platform.outbox set available_at = now(), locked_until = null; update platform.job set run_at = now(), locked_until = null',
  )
const note = (name = 'test.note') =>
  on('order.paid', name, {
    commit: async (scope, { customerOrderId }) => void (await scope.db.run(effect, [`${name} ${customerOrderId}`])),
  })
const signal = new AbortController().signal

test('I5 every handler of an event takes effect once, however many attempts there are', async () => {
  await paid('a')
  const table = { handlers: [note('test.one'), note('test.two')], jobs: [] }
  const [claimed] = await claimWork(db, 'first', 10, ['order.paid'])
  assert.ok(claimed)
  const { handle } = await import('./handle.ts')
  await Promise.all([
    handle(pool, table, claimed, signal),
    handle(pool, table, claimed, signal),
    handle(pool, table, { ...claimed, attempt: 2 }, signal),
  ])
  assert.deepEqual((await effects()).toSorted(), ['test.one a', 'test.two a'])
})

test('V-103 handlers without calls commit together at the first attempt, and are not recorded one by one', async () => {
  await paid('a')
  const statements: string[] = []
  const counting = { ...pool, db: dbOn({ query: (sent) => (statements.push(sent.name ?? ''), pool.query(sent)) }, pool.lanes) }
  await workOnce(counting, { handlers: [note('test.one'), note('test.two')], jobs: [] }, 'test', signal)
  assert.deepEqual(await effects(), ['test.one a', 'test.two a'])
  assert.equal((await pool.query('select 1 from platform.handled')).rowCount, 0)
  assert.ok(!statements.includes('worker.event-done'), statements.join(', '))
})

test('V-103 when one of several handlers fails, the others take effect all the same, once', async () => {
  await paid('a')
  let failing = true
  const shaky = on('order.paid', 'test.shaky', {
    commit: async (scope) => {
      await scope.db.run(effect, ['shaky'])
      if (failing) throw new Error('not yet')
    },
  })
  const table = { handlers: [note('test.one'), shaky], jobs: [] }
  await workOnce(pool, table, 'test', signal)
  assert.deepEqual(await effects(), ['test.one a'])
  failing = false
  await makeDue()
  await workOnce(pool, table, 'test', signal)
  assert.deepEqual(await effects(), ['test.one a', 'shaky'])
})

for (const [what, broken] of [
  ['its write fails', { commit: () => Promise.reject(new Error('broken')) }],
  ['its call fails', { call: () => Promise.reject(new Error('broken')), commit: async () => undefined }],
  ['it fails for good', { commit: () => Promise.reject(new PermanentError('broken')) }],
] as const)
  test(`V-103 a handler that comes first and fails keeps none of those after it from running: ${what}`, async () => {
    await paid('a')
    const first = on<'order.paid', unknown>('order.paid', 'test.first', broken)
    const table = { handlers: [first, note('test.one'), note('test.two')], jobs: [] }
    await workOnce(pool, table, 'test', signal)
    assert.deepEqual(await effects(), ['test.one a', 'test.two a'])
    await makeDue()
    await workOnce(pool, table, 'test', signal)
    assert.deepEqual(await effects(), ['test.one a', 'test.two a'])
    assert.equal((await pool.query('select 1 from platform.outbox where done_at is not null')).rowCount, 0)
  })

test('an event is retried as long as one of its failing handlers is worth it, and is a dead letter then', async () => {
  await paid('a')
  let isAway = true
  const away = on('order.paid', 'test.away', {
    call: async () => {
      if (isAway) throw new Error('away')
    },
    commit: (scope) => scope.db.run(effect, ['arrived']).then(() => undefined),
  })
  const poison = on('order.paid', 'test.poison', { commit: () => Promise.reject(new PermanentError('poison')) })
  const table = { handlers: [poison, away], jobs: [] }
  const state = async () =>
    (await pool.query('select attempts, last_error, parked_at is not null as parked from platform.outbox')).rows[0] as object
  for (let attempt = 0; attempt < 13; attempt++) {
    await workOnce(pool, table, 'test', signal)
    await makeDue()
  }
  assert.deepEqual(await state(), { attempts: 13, last_error: 'away', parked: false })
  isAway = false
  await workOnce(pool, table, 'test', signal)
  assert.deepEqual(await effects(), ['arrived'])
  assert.deepEqual(await state(), { attempts: 14, last_error: 'poison', parked: true })
})

test('I5 a first attempt that outlives its claim commits nothing once a later one has begun', async () => {
  await paid('a')
  const table = { handlers: [note('test.one'), note('test.two')], jobs: [] }
  const { handle } = await import('./handle.ts')
  const [first] = await claimWork(db, 'first', 10, ['order.paid'])
  await makeDue()
  const [second] = await claimWork(db, 'second', 10, ['order.paid'])
  assert.ok(first && second)
  // The later one dies after the first of two handlers.
  const half = {
    handlers: [note('test.one'), on('order.paid', 'test.two', { commit: () => Promise.reject(new Error('killed')) })],
    jobs: [],
  }
  await handle(pool, half, second, signal)
  assert.deepEqual(await effects(), ['test.one a'])
  await handle(pool, table, first, signal)
  assert.deepEqual(await effects(), ['test.one a'])
  await makeDue()
  await workOnce(pool, table, 'test', signal)
  assert.deepEqual(await effects(), ['test.one a', 'test.two a'])
})

test('I5 a dead-lettered event that is retried reaches only the handlers that have not handled it', async () => {
  await paid('a')
  const poison = on('order.paid', 'test.poison', { commit: () => Promise.reject(new PermanentError('poison')) })
  await workOnce(pool, { handlers: [note('test.one'), poison], jobs: [] }, 'test', signal)
  const { rows } = await pool.query<{ id: string }>('select id from platform.outbox where parked_at is not null')
  assert.ok(await retryEvent(db, rows[0]?.id ?? ''))
  await workOnce(pool, { handlers: [note('test.one'), note('test.poison')], jobs: [] }, 'test', signal)
  assert.deepEqual(await effects(), ['test.one a', 'test.poison a'])
})

test('I5 an event with one handler takes effect once and is then done', async () => {
  await paid('a')
  const table = { handlers: [note('test.sole')], jobs: [] }
  const [claimed] = await claimWork(db, 'first', 10, ['order.paid'])
  assert.ok(claimed)
  const { handle } = await import('./handle.ts')
  await Promise.all([handle(pool, table, claimed, signal), handle(pool, table, { ...claimed, attempt: 2 }, signal)])
  await handle(pool, table, { ...claimed, attempt: 3 }, signal)
  assert.deepEqual(await effects(), ['test.sole a'])
  assert.equal((await pool.query('select 1 from platform.outbox where done_at is null')).rowCount, 0)
})

test('a claim need not wait for the disk; later statements on its connection do', async () => {
  await paid('a')
  const client = await pool.connect()
  try {
    await client.query('set synchronous_commit = on')
    assert.equal((await claimWork(dbOn(client), 'first', 10, ['order.paid'])).length, 1)
    assert.deepEqual((await client.query('show synchronous_commit')).rows, [{ synchronous_commit: 'on' }])
  } finally {
    client.release(true)
  }
})

test('I5 events of one aggregate are handled in the order they were written; others do not wait', async () => {
  for (const id of ['a', 'b']) await paid(id)
  await asCommand(pool, async (unit) => unit.emit('order.cancelled', { customerOrderId: 'a', market: 'gb', reason: 'test' }))
  const cancelled = on('order.cancelled', 'test.cancel', {
    commit: async (scope, { customerOrderId }) => void (await scope.db.run(effect, [`cancel ${customerOrderId}`])),
  })
  let failing = true
  const shaky = on('order.paid', 'test.shaky', {
    commit: async (scope, { customerOrderId }) => {
      if (failing && customerOrderId === 'a') throw new Error('not yet')
      await scope.db.run(effect, [`paid ${customerOrderId}`])
    },
  })
  await workOnce(pool, { handlers: [shaky, cancelled], jobs: [] }, 'test', signal)
  await workOnce(pool, { handlers: [shaky, cancelled], jobs: [] }, 'test', signal)
  assert.deepEqual(await effects(), ['paid b'])
  failing = false
  await makeDue()
  await runWork(database, [shaky, cancelled])
  assert.deepEqual(await effects(), ['paid b', 'paid a', 'cancel a'])
})

test('events without handlers are marked done in bulk, and events with handlers still arrive', async () => {
  for (let n = 0; n < 20; n++)
    await asCommand(pool, async (unit) => unit.emit('cart.line-added', { cartId: String(n), offerId: '1', quantity: 1 }))
  await paid('a')
  let statements = 0
  const counting = { ...pool, db: dbOn(pool, pool.lanes, () => void statements++) }
  assert.equal(await workOnce(counting, { handlers: [note()], jobs: [] }, 'test', signal), 21)
  assert.deepEqual(await effects(), ['test.note a'])
  assert.equal((await pool.query('select 1 from platform.outbox where done_at is null')).rowCount, 0)
  assert.ok(statements < 10, `${statements} statements`)
})

test('F21 a poisoned event becomes a dead letter after its last attempt, with the reason; the next event of its aggregate continues', async () => {
  await paid('bad')
  await asCommand(pool, async (unit) => unit.emit('order.cancelled', { customerOrderId: 'bad', market: 'gb', reason: 'test' }))
  const poisoned = on('order.paid', 'test.poison', { commit: () => Promise.reject(new Error('poison')) })
  const next = on('order.cancelled', 'test.next', { commit: async (scope) => void (await scope.db.run(effect, ['next'])) })
  for (let attempt = 0; attempt < 12; attempt++) {
    await workOnce(pool, { handlers: [poisoned, next], jobs: [] }, 'test', signal)
    await makeDue()
  }
  const { rows } = await pool.query(`select last_error, parked_at is not null as parked from platform.outbox where type = 'order.paid'`)
  assert.deepEqual(rows, [{ last_error: 'poison', parked: true }])
  await runWork(database, [poisoned, next])
  assert.deepEqual(await effects(), ['next'])
})

test('F2 the successor of a killed worker takes over its claims at once, under the same key', async () => {
  await paid('a')
  const keys: string[] = []
  const charge = on('order.paid', 'test.charge', {
    call: async (context) => {
      keys.push(context.key)
      if (keys.length === 1) throw new Error('cut off')
      return 'ch_1'
    },
    commit: async (scope, _payload, answer) => void (await scope.db.run(effect, [answer])),
  })
  await workOnce(pool, { handlers: [charge], jobs: [] }, 'worker-1', signal)
  await pool.query(`update platform.outbox set available_at = now(), locked_until = now() + interval '30 s', locked_by = 'worker-1'`)
  const worker = startWorker({ pool, name: 'worker-1', handlers: [charge], jobs: [], schedules: [] })
  for (let wait = 0; wait < 100 && !(await effects()).length; wait++) await sleep(20)
  await worker.stop()
  assert.deepEqual(await effects(), ['ch_1'])
  assert.equal(new Set(keys).size, 1)
})

test('F8 one slow external call does not hold up other work', async (context) => {
  await paid('slow')
  const slow = on('order.paid', 'test.slow', {
    call: async ({ signal: stopped }, { customerOrderId }) => {
      if (customerOrderId === 'slow') await sleep(1500, undefined, { signal: stopped })
    },
    commit: async (scope, { customerOrderId }) => void (await scope.db.run(effect, [customerOrderId])),
  })
  const worker = startWorker({ pool, handlers: [slow], jobs: [], schedules: [] })
  // A worker left running would keep the file from ending.
  context.after(() => worker.stop())
  await sleep(100)
  for (let index = 0; index < 30; index++) await paid(`quick ${index}`)
  const started = Date.now()
  while ((await effects()).length < 30) await sleep(10)
  assert.ok(Date.now() - started < 1000)
  assert.ok(!(await effects()).includes('slow'))
  while ((await effects()).length < 31) await sleep(20)
})

test('F8 a call that disregards its signal is a failed attempt, and keeps no worker from stopping', async () => {
  await paid('a')
  const deaf = on('order.paid', 'test.deaf', { call: () => new Promise<void>(() => undefined), commit: async () => undefined })
  const worker = startWorker({ pool, handlers: [deaf], jobs: [], schedules: [] })
  const claimed = async () => (await pool.query('select 1 from platform.outbox where attempts = 1')).rowCount === 1
  while (!(await claimed())) await sleep(20)
  assert.equal(await Promise.race([worker.stop().then(() => 'stopped'), sleep(12_000, 'waits', { ref: false })]), 'stopped')
  const { rows } = await pool.query('select last_error, locked_until from platform.outbox')
  assert.deepEqual(rows, [{ last_error: 'the call did not end with its signal', locked_until: null }])
})

for (const lane of ['mail', 'services', 'strangers'] as const)
  test(`F8 fifty calls of the lane “${lane}” that never end hold up no event and no other job`, async (context) => {
    const hanging = job<{ word: string }>(
      'test.hang',
      {
        call: ({ signal: stopped }) => sleep(20_000, undefined, { signal: stopped }).catch(() => undefined),
        commit: async () => undefined,
      },
      lane,
    )
    const quick = job<{ word: string }>('test.quick', { commit: async (scope, { word }) => void (await scope.db.run(effect, [word])) })
    const seen = on('order.paid', 'test.seen', {
      commit: async (scope, { customerOrderId }) => void (await scope.db.run(effect, [customerOrderId])),
    })
    for (let index = 0; index < 50; index++)
      await enqueue(database.db, { name: 'test.hang', key: String(index), payload: { word: 'hang' } })
    const worker = startWorker({ pool, handlers: [seen], jobs: [hanging, quick], schedules: [] })
    context.after(() => worker.stop())
    await sleep(600)
    await paid('quick event')
    await enqueue(database.db, { name: 'test.quick', key: 'one', payload: { word: 'quick job' } })
    const started = Date.now()
    while ((await effects()).length < 2 && Date.now() - started < 3000) await sleep(10)
    assert.deepEqual((await effects()).toSorted(), ['quick event', 'quick job'])
  })

test('an event without handlers is marked done, not left pending', async () => {
  await paid('a')
  await runWork(database, [])
  assert.equal((await pool.query('select 1 from platform.outbox where done_at is null')).rowCount, 0)
})

test('a failing handler leaves nothing of its transaction behind', async () => {
  await paid('a')
  const half = on('order.paid', 'test.half', {
    commit: async (scope) => {
      await scope.db.run(effect, ['half'])
      scope.emit('mail.requested', { mailId: 'm' })
      throw new Error('half way')
    },
  })
  await workOnce(pool, { handlers: [half], jobs: [] }, 'test', signal)
  assert.deepEqual(await effects(), [])
  assert.equal((await database.events()).length, 1)
})

const remind = job<{ word: string }>('test.remind', { commit: async (scope, { word }) => void (await scope.db.run(effect, [word])) })

test('a job runs once, when it is due, unless it was dequeued', async () => {
  await asCommand(pool, async ({ db }) => {
    await enqueue(db, { name: 'test.remind', key: 'later', payload: { word: 'later' }, runAt: new Date(Date.now() + 60_000) })
    await enqueue(db, { name: 'test.remind', key: 'now', payload: { word: 'now' } })
    await enqueue(db, { name: 'test.remind', key: 'never', payload: { word: 'never' } })
    await dequeue(db, 'test.remind', 'never')
  })
  await runWork(database, [], [remind])
  assert.deepEqual(await effects(), ['now'])
  await makeDue()
  await runWork(database, [], [remind])
  assert.deepEqual(await effects(), ['now', 'later'])
})

test('a job enqueued again while it runs, runs again', async () => {
  await enqueue(db, { name: 'test.remind', key: 'k', payload: { word: 'one' } })
  const again = job<{ word: string }>('test.remind', {
    call: async (_context, { word }) => {
      if (word === 'one') await enqueue(db, { name: 'test.remind', key: 'k', payload: { word: 'two' } })
    },
    commit: async (scope, { word }) => void (await scope.db.run(effect, [word])),
  })
  await runWork(database, [], [again])
  assert.deepEqual(await effects(), ['one', 'two'])
  assert.equal((await pool.query('select 1 from platform.job')).rowCount, 0)
})

test('a schedule runs in one worker only, and again when it is next due', async () => {
  const tick = every(60_000, 'test.tick', async (scope) => void (await scope.db.run(effect, ['tick'])))
  await registerSchedules(pool, [tick])
  await Promise.all([runSchedules(pool, [tick]), runSchedules(pool, [tick])])
  assert.deepEqual(await effects(), ['tick'])
  await pool.query('update platform.schedule set next_run_at = now()')
  await runSchedules(pool, [tick])
  assert.deepEqual(await effects(), ['tick', 'tick'])
})
