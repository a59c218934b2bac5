import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyJob, PermanentError, cancelJob, countJobs, enqueue, every, findJob, job, listJobs, retryJob } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../gateway/testing.ts'
import { startWorker } from './worker.ts'

const database = await testDatabase()
const { pool, db, connectionString } = database
await pool.query('create table public.step (n int); create table public.effect (id int generated always as identity, what text)')
beforeEach(() => pool.query('truncate public.step, public.effect, platform.job, platform.schedule'))

const effect = { name: 'test.effect', text: 'insert into public.effect (what) values ($1)' }
const effects = async () => (await pool.query('select what from public.effect order by id')).rows.map(({ what }) => what as string)
async function until(what: string, holds: () => Promise<boolean>, patienceMs = 30_000): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await holds()); await sleep(25)) assert.ok(Date.now() < end, `${what} did not happen`)
}
const stateOf = async (name: string, key = 'k') => (await findJob(db, name, key))?.state
function workerWith(jobs: AnyJob[], name = 'here') {
  const worker = startWorker({ pool, name, handlers: [], jobs, schedules: [] })
  after(() => worker.stop())
  return worker
}

test('V-57 a long job whose process is killed continues from its checkpoint, and each step takes effect once', async () => {
  const steps = 300
  await enqueue(db, { name: 'test.count', key: 'k', payload: { steps } })
  const began: number[] = []
  const start = () => {
    const child = fork(join(import.meta.dirname, 'long-jobs-testing.ts'), [connectionString], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', ({ from }: { from: number }) => void began.push(from))
    return child
  }
  const done = async () => (await pool.query<{ n: number }>('select count(*)::int as n from public.step')).rows[0]?.n ?? 0
  for (const enough of [40, 120]) {
    const child = start()
    await until(`step ${enough}`, async () => (await done()) >= enough)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = start()
  await until('the end', async () => (await stateOf('test.count')) === 'finished')
  last.kill('SIGKILL')
  assert.equal(began.length, 3)
  assert.ok((began[1] ?? 0) >= 40 && (began[2] ?? 0) >= 120, `began at ${began.join(', ')}`)
  const { rows } = await pool.query<{ n: number }>('select n from public.step order by n')
  assert.deepEqual(
    rows.map(({ n }) => n),
    Array.from({ length: steps }, (_, index) => index + 1),
  )
  const ended = await findJob(db, 'test.count', 'k')
  assert.deepEqual([ended?.progressDone, ended?.progressTotal, ended?.outcome], [steps, steps, 'done'])
})

test('V-57 F21 a poisoned job becomes a dead letter with its reason, the others continue, and a retry runs it again', async () => {
  let poisoned = true
  const work = job<{ bad: boolean }>('test.poison', {
    run: async ({ db: run, key }, { bad }) => {
      if (bad && poisoned) throw new PermanentError('poison for ann@example.com')
      await run.run(effect, [key])
    },
  })
  const short = job<object>('test.short-poison', { commit: () => Promise.reject(new PermanentError('bitter')) })
  for (const key of ['a', 'bad', 'b']) await enqueue(db, { name: 'test.poison', key, payload: { bad: key === 'bad' } })
  await enqueue(db, { name: 'test.short-poison', key: 'k', payload: {} })
  workerWith([work, short])
  await until('the others', async () => (await effects()).length === 2 && (await countJobs(db)).dead === 2)
  assert.deepEqual((await listJobs(db, { state: 'dead', limit: 10 })).map(({ name, lastError }) => [name, lastError]).toSorted(), [
    ['test.poison', 'poison for (address)'],
    ['test.short-poison', 'bitter'],
  ])
  poisoned = false
  assert.equal(await retryJob(db, 'test.poison', 'bad'), true)
  await until('the retry', async () => (await stateOf('test.poison', 'bad')) === 'finished')
  assert.equal(await retryJob(db, 'test.poison', 'bad'), false)
})

test('V-57 a failed long job is retried after a pause and continues from its checkpoint', async () => {
  const attempts: [number, unknown][] = []
  const flaky = job<object>('test.flaky', {
    run: async (context) => {
      attempts.push([context.attempt, context.state])
      if (context.state === undefined) {
        await context.checkpoint({ at: 7 })
        throw new Error('the external system is down')
      }
    },
  })
  await enqueue(db, { name: 'test.flaky', key: 'k', payload: {} })
  workerWith([flaky])
  await until('the first failure', async () => Boolean((await findJob(db, 'test.flaky', 'k'))?.lastError))
  assert.ok(['scheduled', 'waiting', 'running'].includes((await stateOf('test.flaky')) ?? ''))
  await until('the end', async () => (await stateOf('test.flaky')) === 'finished')
  assert.deepEqual(attempts, [
    [1, undefined],
    [2, { at: 7 }],
  ])
})

test('V-57 a cancelled running job ends at its signal and is not retried; a waiting one is removed', async () => {
  let ended = 'no'
  const endless = job<object>('test.endless', {
    run: async ({ signal }) => {
      await sleep(60_000, undefined, { signal }).catch(() => undefined)
      ended = String(signal.aborted)
      signal.throwIfAborted()
    },
  })
  await enqueue(db, { name: 'test.endless', key: 'k', payload: {} })
  await enqueue(db, { name: 'test.endless', key: 'later', payload: {}, runAt: new Date(Date.now() + 60_000) })
  workerWith([endless])
  await until('the start', async () => (await stateOf('test.endless')) === 'running')
  assert.equal(await stateOf('test.endless', 'later'), 'scheduled')
  assert.equal(await cancelJob(db, 'test.endless', 'k'), 'asked')
  assert.equal(await cancelJob(db, 'test.endless', 'later'), 'removed')
  await until('the end', async () => (await stateOf('test.endless')) === 'finished')
  assert.deepEqual([ended, (await findJob(db, 'test.endless', 'k'))?.outcome], ['true', 'cancelled'])
  assert.equal(await cancelJob(db, 'test.endless', 'k'), null)
  assert.equal(await stateOf('test.endless', 'later'), undefined)
})

test('V-57 due jobs run by priority, short and long ones alike', async () => {
  const short = job<object>('test.short', { commit: async (scope) => void (await scope.db.run(effect, [scope.requestId])) })
  const long = job<object>('test.long', { run: async (context) => void (await context.db.run(effect, [context.key])) })
  const { runWork } = await import('./testing.ts')
  for (const [name, only] of [
    ['test.short', short],
    ['test.long', long],
  ] as const) {
    for (const [key, priority] of [
      ['low', -5],
      ['usual', undefined],
      ['high', 10],
    ] as const)
      await enqueue(db, { name, key, payload: {}, ...(priority !== undefined && { priority }) })
    // One at a time, so that the order shows.
    for (let round = 0; round < 3; round++) {
      if (name === 'test.long') await runWork(database, [], [only])
      else {
        const { claimWork } = await import('./claim.ts')
        const { handle } = await import('./handle.ts')
        for (const claimed of await claimWork(db, 'test', 1, []))
          await handle(pool, { handlers: [], jobs: [short] }, claimed, new AbortController().signal)
      }
    }
  }
  assert.deepEqual(
    (await effects()).map((key) => key.split('/').slice(0, 2).join('/')),
    ['test.short/high', 'test.short/usual', 'test.short/low', 'test.long/high', 'test.long/usual', 'test.long/low'],
  )
})

test('V-57 a job is enqueued with its transaction or not at all', async () => {
  await assert.rejects(
    database.command({}, async (scope) => {
      await enqueue(scope.db, { name: 'test.short', key: 'k', payload: {} })
      throw new Error('no')
    }),
  )
  assert.equal(await stateOf('test.short'), undefined)
})

test('V-57 a schedule runs once across two workers that start together', async () => {
  const tick = every(3_600_000, 'test.tick', async (scope) => void (await scope.db.run(effect, ['tick'])))
  const workers = ['one', 'two'].map((name) => startWorker({ pool, name, handlers: [], jobs: [], schedules: [tick] }))
  await until('the tick', async () => (await effects()).length > 0)
  await sleep(1500)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(await effects(), ['tick'])
})

test('V-57 only one of two workers runs a long job, and a stopped worker hands it over at once without counting a failure', async () => {
  const attempts: number[] = []
  const patient = job<object>('test.patient', {
    run: async ({ signal, attempt }) => {
      attempts.push(attempt)
      if (attempts.length === 1) await sleep(60_000, undefined, { signal })
    },
  })
  await enqueue(db, { name: 'test.patient', key: 'k', payload: {} })
  const first = workerWith([patient], 'first')
  await until('the start', async () => attempts.length === 1)
  workerWith([patient], 'second')
  await sleep(700)
  assert.equal(attempts.length, 1)
  await first.stop()
  await until('the end', async () => (await stateOf('test.patient')) === 'finished')
  assert.deepEqual(attempts, [1, 1])
})

const key = 'an-operator-key-of-the-tests-with-32-bytes'
test('V-57 operators can list jobs by state, see progress, retry and cancel; nobody else can', async () => {
  useSettings({ OPERATOR_API_KEY: key })
  const { app } = await testGateway(pool)
  const ask = (method: 'GET' | 'POST', path: string, authorization = `Bearer ${key}`) =>
    app.inject({ method, url: `/api/v1/operator${path}`, headers: { authorization } })
  await enqueue(db, { name: 'test.dead', key: 'a:b/c', payload: { secret: 'payload' } })
  await pool.query(`update platform.job set parked_at = now(), last_error = 'gone', progress_done = 3, progress_total = 9`)
  const listed = await ask('GET', '/jobs?state=dead')
  assert.equal(listed.statusCode, 200)
  const [found] = listed.json<{ key: string; lastError: string; progressDone: number; progressTotal: number }[]>()
  assert.deepEqual([found?.key, found?.lastError, found?.progressDone, found?.progressTotal], ['a:b/c', 'gone', 3, 9])
  assert.doesNotMatch(listed.body, /payload/)
  const path = `/jobs/test.dead/${encodeURIComponent('a:b/c')}`
  for (const [method, url] of [
    ['GET', '/jobs'],
    ['GET', path],
    ['POST', `${path}/retry`],
    ['POST', `${path}/cancel`],
    ['GET', '/dead-events'],
    ['POST', '/dead-events/0195f0a0-0000-7000-8000-000000000000/retry'],
  ] as const)
    for (const wrong of ['', 'Bearer x']) assert.equal((await ask(method, url, wrong)).statusCode, 401, `${method} ${url}`)
  for (const bad of ['state=odd', 'limit=0', 'limit=x', 'limit=5000']) assert.equal((await ask('GET', `/jobs?${bad}`)).statusCode, 400, bad)
  assert.equal((await ask('POST', `${path}/retry`)).statusCode, 204)
  assert.equal((await ask('POST', `${path}/retry`)).statusCode, 404)
  assert.equal((await ask('GET', path)).json<{ state: string }>().state, 'waiting')
  assert.deepEqual((await ask('POST', `${path}/cancel`)).json(), { outcome: 'removed' })
  assert.equal((await ask('GET', path)).statusCode, 404)
})

test('V-57 operators can see dead-lettered events and redeliver them to their handlers', async () => {
  useSettings({ OPERATOR_API_KEY: key })
  const { app } = await testGateway(pool)
  await database.command({}, async (scope) => scope.emit('order.paid', { customerOrderId: 'x', market: 'gb', sellerOrderIds: [] }))
  await pool.query(`update platform.outbox set parked_at = now(), last_error = 'poison'`)
  const headers = { authorization: `Bearer ${key}` }
  const [dead] = (await app.inject({ url: '/api/v1/operator/dead-events', headers })).json<{ id: string; lastError: string }[]>()
  assert.equal(dead?.lastError, 'poison')
  const again = () => app.inject({ method: 'POST', url: `/api/v1/operator/dead-events/${dead?.id}/retry`, headers })
  assert.equal((await again()).statusCode, 204)
  assert.equal((await again()).statusCode, 404)
})
