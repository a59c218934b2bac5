/** Endpoints of sellers that are slow or never respond: what they cost, and that their messages end. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform'
import { testDatabase, testScope } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { followRound, sendRound, type RoundResult } from './send-round.ts'
import { enqueueDelivery, joinRound } from './send-webhooks.ts'
import { addKey, caller } from './testing.ts'
import { insertDelivery, insertEndpoint } from './webhook-store.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)

/** Programs of sellers: which messages each path received, in order, and the responses that `/hangs…` holds back. */
const received: { path: string; id: string }[] = []
const held: ServerResponse[] = []
const program = createServer((request, response) => {
  const path = request.url ?? ''
  received.push({ path, id: String(request.headers['webhook-id']) })
  request.resume()
  if (path.startsWith('/hangs')) return void held.push(response)
  const status = path.includes('fails') ? 500 : 200
  if (path.startsWith('/slow')) setTimeout(() => response.writeHead(status).end(), 80)
  else response.writeHead(status).end()
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
after(() => {
  program.closeAllConnections()
  program.close()
})
const to = (path: string) => received.filter((each) => each.path === path).map(({ id }) => id)

let sellers = 100
async function addEndpoint(path: string, sellerId = ++sellers) {
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}${path}`
  const id = newId()
  await insertEndpoint(database.db, { id, sellerId, url, events: ['order.paid'], createdAt: new Date() }, 10)
  return { id, sellerId, path }
}
const addMessages = (endpointId: string, count: number, createdAt = new Date()) =>
  database.command({}, async (scope) => {
    const ids = Array.from({ length: count }, () => newId())
    for (const id of ids) {
      await insertDelivery(scope.db, { id, endpointId, event: 'order.paid', body: '{}', createdAt })
      await enqueueDelivery(scope, id, scope.now)
    }
    return ids
  })
const work = () => runWork(database, handlers, jobs)
const slowMs = 40
const round = (endpointId: string, { now = new Date(), signal = new AbortController().signal } = {}) =>
  sendRound({ key: 'test', attempt: 1, signal, db: database.db, now, log: testScope().log }, { endpointId }, { slowMs })
const follow = (endpointId: string, result: RoundResult) => database.command({}, (scope) => followRound(scope, { endpointId }, result))
const states = async (endpointId: string) =>
  (
    await database.pool.query<{ state: string; attempts: number; error: string | null; n: number }>(
      `select state, attempts, error, count(*)::int as n from integrations.delivery where endpoint_id = $1
        group by 1, 2, 3 order by 1, 2, 3`,
      [endpointId],
    )
  ).rows.map(({ state, attempts, error, n }) => [state, attempts, error, n])
const jobsLeft = async () =>
  (
    await database.pool.query<{ name: string; wait: number }>(
      'select name, extract(epoch from run_at - now())::float as wait from platform.job order by run_at',
    )
  ).rows
const isBusy = (results: readonly RoundResult[]) => results.map((each) => each === 'busy')

test('messages to an endpoint are sent in order of time, three at the same time, and all that are due in a few rounds', async () => {
  const { id, path } = await addEndpoint('/healthy')
  const ids = await addMessages(id, 70)
  const other = await addEndpoint('/other')
  await addMessages(other.id, 1)
  await work()
  assert.deepEqual(to(path).toSorted(), ids.toSorted())
  assert.ok(
    ids.slice(0, 30).every((each) => to(path).slice(0, 30).includes(each)),
    'the oldest thirty come first',
  )
  assert.ok(received.findIndex((each) => each.path === '/other') < 69, 'another endpoint does not wait for all of them')
  assert.deepEqual(await states(id), [['delivered', 1, null, 70]])
  assert.deepEqual(await jobsLeft(), [])
})

for (const path of ['/slow', '/slow-fails'])
  test(`V-12 ${path}: an endpoint whose response took long rests for six times as long, whatever it responded`, async () => {
    const { id } = await addEndpoint(path)
    await addMessages(id, 12)
    const result = await round(id)
    assert.equal(to(path).length, 3, 'the first slow response ends the round')
    assert.ok(typeof result === 'object' && result.restMs >= 6 * 80 - 10, JSON.stringify(result))
    await follow(id, { ...result, restMs: 60_000 })
    await database.pool.query(`delete from platform.job where name = 'integrations.deliver'`)
    assert.equal(await work(), 0, 'nothing is due while it rests')
    const [left, ...others] = await jobsLeft()
    assert.deepEqual([left?.name, others], ['integrations.send-round', []])
    assert.ok((left?.wait ?? 0) > 55, 'one job for all its messages, once the rest is over')
    // A new message does not end the rest.
    await addMessages(id, 1)
    await work()
    assert.equal(to(path).length, 3)
    assert.equal((await jobsLeft()).length, 1)
    await database.pool.query('delete from platform.job')
  })

test('V-12 an endpoint that responds fast again rests no longer', async () => {
  const { id } = await addEndpoint('/recovered')
  await addMessages(id, 2)
  await database.pool.query(`update integrations.endpoint set resting_until = now() - interval '1 second' where id = $1`, [id])
  await work()
  const { rows } = await database.pool.query<{ until: Date | null }>(
    'select resting_until as until from integrations.endpoint where id = $1',
    [id],
  )
  assert.deepEqual([to('/recovered').length, rows[0]?.until], [2, null])
})

test('V-12 endpoints that never respond leave places to their seller’s others, and slow ones leave places to those of other sellers', async () => {
  const greedy = ++sellers
  const hanging = await Promise.all([1, 2, 3, 4].map((n) => addEndpoint(`/hangs/${n}`, greedy)))
  for (const { id } of hanging) await addMessages(id, 1)
  const first = hanging.slice(0, 3).map(({ id }) => round(id))
  while (held.length < 3) await sleep(5)
  assert.equal(await round(hanging[3]?.id ?? ''), 'busy')
  const healthy = await addEndpoint('/beside')
  await addMessages(healthy.id, 1)
  assert.notEqual(await round(healthy.id), 'busy')
  for (const response of held.splice(0)) response.end()
  assert.deepEqual(isBusy(await Promise.all(first)), [false, false, false])

  const slow = await Promise.all(Array.from({ length: 11 }, (_, n) => addEndpoint(`/hangs/slow/${n}`)))
  for (const { id } of slow) await addMessages(id, 1)
  const ids = slow.map(({ id }) => id)
  await database.pool.query(`update integrations.endpoint set resting_until = now() - interval '1 second' where id = any($1)`, [ids])
  const ten = ids.slice(0, 10).map((id) => round(id))
  while (held.length < 10) await sleep(5)
  assert.equal(await round(ids[10] ?? ''), 'busy')
  assert.notEqual(await round((await addEndpoint('/fresh')).id), 'busy')
  for (const response of held.splice(0)) response.end()
  await Promise.all(ten)
  assert.notEqual(await round(healthy.id), 'busy')
  // A round without a place comes a little later, and no message has used up an attempt.
  await database.pool.query('delete from platform.job')
  await follow(ids[10] ?? '', 'busy')
  const [later] = await jobsLeft()
  assert.ok(later && later.wait > 1 && later.wait < 5)
  assert.deepEqual(await states(ids[10] ?? ''), [['waiting', 0, null, 1]])
  await database.pool.query('delete from platform.job')
})

test('V-12 messages that an endpoint cannot take within two days are abandoned, as its log says, and can be replayed', async () => {
  const { id, sellerId } = await addEndpoint('/back-again')
  const seller = caller(gateway.url, (await addKey(database.db, sellerId)).key)
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
  const [old = ''] = await addMessages(id, 1, hours(48.1))
  await addMessages(id, 1, hours(47.9))
  await work()
  assert.deepEqual(await states(id), [
    ['dead', 0, 'expired', 1],
    ['delivered', 1, null, 1],
  ])
  const log = (await seller('GET', `/webhooks/${id}/deliveries?state=dead`)).body as { deliveries: { id: string; error: string }[] }
  assert.deepEqual(
    log.deliveries.map((each) => [each.id, each.error]),
    [[old, 'expired']],
  )
  assert.equal((await seller('POST', `/deliveries/${old}/replay`)).status, 200)
  await work()
  assert.deepEqual(await states(id), [['delivered', 1, null, 2]])
  assert.equal(to('/back-again').filter((each) => each === old).length, 1)
})

test('all messages to an endpoint that its seller has removed end together', async () => {
  const { id } = await addEndpoint('/removed')
  await addMessages(id, 40)
  await database.pool.query('update integrations.endpoint set removed_at = now() where id = $1', [id])
  await work()
  assert.deepEqual(await states(id), [['dead', 0, 'endpoint-removed', 40]])
  assert.deepEqual([to('/removed').length, await jobsLeft()], [0, []])
})

test('a new message brings the endpoint’s next round forward, and moves none that is due to the end of the queue', async () => {
  const { id } = await addEndpoint('/fails')
  await addMessages(id, 1)
  await work()
  // Its retry is planned; a message on top is sent at once.
  assert.ok(((await jobsLeft())[0]?.wait ?? 0) > 3)
  await addMessages(id, 1)
  await work()
  assert.equal(to('/fails').length, 2)
  await database.pool.query(`update platform.job set run_at = now() - interval '1 minute'`)
  const [fresh = ''] = await addMessages(id, 1)
  await database.command({}, (scope) => joinRound(scope, { deliveryId: fresh }))
  assert.ok((await jobsLeft()).some(({ name, wait }) => name === 'integrations.send-round' && wait < -50))
  await database.pool.query('delete from platform.job')
})

test('a message that was under way when the worker stopped stays due and has used up no attempt', async () => {
  const { id } = await addEndpoint('/hangs/stopped')
  await addMessages(id, 5)
  const stopping = new AbortController()
  const running = round(id, { signal: stopping.signal })
  while (held.length < 3) await sleep(5)
  stopping.abort()
  const result = await running
  assert.deepEqual(result, { sent: [], restMs: 0 })
  await follow(id, result)
  assert.deepEqual(await states(id), [['waiting', 0, null, 5]])
})
