import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asCommand, enqueue, job, on, onPatiently } from '#platform'
import { testDatabase } from '#platform/testing'
import { connectObjectStore } from '../../foundation/files/index.ts'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import { s3Store } from '../../foundation/files/s3-store.ts'
import { loadJobs } from './load-jobs.ts'
import { isShort } from './long-jobs.ts'
import { startWorker, workOnce } from './worker.ts'

const database = await testDatabase({ upTo: 'markets' })
const { pool, db } = database
const silent = createServer((request) => request.resume())
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
after(() => {
  silent.closeAllConnections()
  silent.close()
})
beforeEach(() => pool.query('truncate platform.outbox, platform.handled, platform.job, platform.schedule'))

const paid = (customerOrderId: string) =>
  asCommand(pool, async (unit) => unit.emit('order.paid', { customerOrderId, market: 'gb', sellerOrderIds: [] }))
const soon = async (isTrue: () => boolean, ms = 10_000) => {
  const endsAt = performance.now() + ms
  while (!isTrue() && performance.now() < endsAt) await sleep(20)
  return isTrue()
}

test('jobs whose calls share the places of the events are those of the index, of the payment provider, and no others', async () => {
  const { jobs } = await loadJobs()
  const names = jobs.filter((each) => isShort(each) && each.work.call && !each.lane).map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !/^(?:listing|merchandising|payments|subscriptions)\./.test(name)),
    ['payouts.check'],
  )
})

test('an object store that never answers holds up neither events nor the end of the worker', async () => {
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  connectObjectStore(s3Store({ endpoint, bucket: 'purlin', region: 'eu-west-1', accessKeyId: 'any', secretAccessKey: 'any' }))
  for (let n = 0; n < 25; n++) await enqueue(db, { name: 'files.remove', key: `a/${n}.pdf`, payload: { key: `a/${n}.pdf` } })
  const seen: string[] = []
  const note = on('order.paid', 'test.note', { commit: async (_scope, { customerOrderId }) => void seen.push(customerOrderId) })
  const worker = startWorker({ pool, handlers: [note], jobs: fileJobs, schedules: [] })
  let calls = 0
  silent.on('request', () => calls++)
  assert.ok(await soon(() => calls === 20))
  await paid('a')
  assert.ok(await soon(() => seen.length === 1))
  const stoppedAt = performance.now()
  await worker.stop()
  assert.ok(performance.now() - stoppedAt < 5000)
})

test('a lane fills a place as soon as it becomes free', async () => {
  let sent = 0
  const mail = job<{ n: number }>('mail.send', { call: () => sleep(5), commit: async () => void sent++ }, 'mail')
  for (let n = 0; n < 200; n++) await enqueue(db, { name: 'mail.send', key: String(n), payload: { n } })
  const worker = startWorker({ pool, handlers: [], jobs: [mail], schedules: [] })
  // Five places, filled five times a second, would take eight seconds.
  const areSent = await soon(() => sent === 200, 4000)
  await worker.stop()
  assert.ok(areSent, `${sent} mails`)
})

test('while the tables of one module hang, its patient jobs hold one connection, and those of other modules run', async () => {
  const free = Promise.withResolvers<void>()
  let hanging = 0
  const hang = job<object>('insights.take-order', { commit: async () => (hanging++, free.promise) }, 'patient')
  const ran: string[] = []
  const note = (name: string) => job<object>(name, { commit: async () => void ran.push(name) }, 'patient')
  const others = ['history.forget', 'experiments.forget', 'push.end-for-visitor'].map(note)
  for (let n = 0; n < 50; n++) await enqueue(db, { name: hang.name, key: String(n), payload: {} })
  for (const { name } of others) await enqueue(db, { name, key: 'one', payload: {} })
  const worker = startWorker({ pool, handlers: [], jobs: [hang, ...others], schedules: [] })
  const areDone = await soon(() => ran.length === others.length)
  const held = hanging
  free.resolve()
  await worker.stop()
  assert.deepEqual([areDone, held], [true, 1])
})

test('what an event has left to a patient job goes before its module’s other jobs', async () => {
  const ran: string[] = []
  const notes = job<object>('insights.take-order', { commit: async () => void ran.push('note') }, 'patient')
  const forget = onPatiently('order.paid', 'insights.forget', { commit: async () => void ran.push('event') })
  for (let n = 0; n < 20; n++) await enqueue(db, { name: notes.name, key: String(n), payload: {}, runAt: new Date(Date.now() - 60_000) })
  await paid('a')
  await workOnce(pool, { handlers: [forget.handler], jobs: [] }, 'test', new AbortController().signal)
  const worker = startWorker({ pool, handlers: [forget.handler], jobs: [notes, forget.job], schedules: [] })
  assert.ok(await soon(() => ran.length === 21))
  await worker.stop()
  assert.equal(ran.indexOf('event'), 0)
})

test('a job of the next release is tried for a day, so that its worker finds it after a rollback', async () => {
  await enqueue(db, { name: 'insights.unknown', key: 'one', payload: {} })
  await pool.query('update platform.job set attempts = 250')
  await workOnce(pool, { handlers: [], jobs: [] }, 'test', new AbortController().signal)
  const { rows } = await pool.query('select attempts, parked_at from platform.job')
  assert.deepEqual(rows, [{ attempts: 251, parked_at: null }])
})
