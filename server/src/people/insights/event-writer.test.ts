import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId, type Db } from '#platform'
import { eventWriter } from './event-writer.ts'
import type { StoredEvent } from './store.ts'

const db = {} as Db
const event = (name = 'page_view'): StoredEvent => ({
  id: newId(),
  market: 'gb',
  mode: 'b2c',
  visitorId: '0d9cdd1e-3a5b-4f6e-9f3c-2f2f1a6a7b8c',
  visitId: null,
  name,
  pageName: 'home',
  pageType: 'home',
  device: 'desktop',
  purposes: ['statistics'],
  data: {},
  at: new Date(),
  network: null,
})

/** A database that commits when it is told to. */
function slowDatabase() {
  const statements: { events: readonly StoredEvent[]; commit(): void; fail(): void }[] = []
  const write = (_db: Db, events: readonly StoredEvent[]) =>
    new Promise<number>((resolve, reject) => {
      statements.push({ events, commit: () => resolve(events.length), fail: () => reject(new Error('not stored')) })
    })
  return {
    statements,
    writes: {
      write,
      writeBurst: async (to: Db, events: readonly StoredEvent[]) => void (await write(to, events)),
      moveBurst: async () => false,
    },
  }
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

test('a request alone is stored at once; what arrives meanwhile shares the next statement', async () => {
  const { statements, writes } = slowDatabase()
  const { write: store } = eventWriter(db, writes)
  const stored: number[] = []
  const sent = [1, 2, 3, 4, 5].map((n) => store([event(), event()]).then(() => stored.push(n)))
  const sizes = () => statements.map(({ events }) => events.length)
  assert.deepEqual(sizes(), [2])
  statements[0]?.commit()
  await soon()
  assert.deepEqual(stored, [1], 'a response waits for its own commit')
  assert.deepEqual(sizes(), [2, 8])
  statements[1]?.commit()
  await Promise.all(sent)
  assert.deepEqual(stored.toSorted(), [1, 2, 3, 4, 5])
})

test('a statement has at most 500 events, and those of a request stay together', async () => {
  const { statements, writes } = slowDatabase()
  const { write: store } = eventWriter(db, writes)
  const batch = Array.from({ length: 40 }, () => event())
  const sent = Array.from({ length: 16 }, () => store(batch))
  statements[0]?.commit()
  await soon()
  assert.deepEqual(
    statements.map(({ events }) => events.length),
    [40, 480],
  )
  for (const { commit } of statements) commit()
  await soon()
  assert.equal(statements.at(-1)?.events.length, 120)
  statements.at(-1)?.commit()
  await Promise.all(sent)
})

test('events that cannot be stored cost no other request theirs, and the writer goes on', async () => {
  const bad = event('bad')
  const stored: string[] = []
  const write = async (_db: Db, events: readonly StoredEvent[]) => {
    await soon()
    if (events.includes(bad)) throw new Error('not stored')
    stored.push(...events.map(({ id }) => id))
    return events.length
  }
  const { write: store } = eventWriter(db, {
    write,
    writeBurst: async (to, events) => void (await write(to, events)),
    moveBurst: async () => false,
  })
  const good = Array.from({ length: 5 }, () => event())
  const results = await Promise.allSettled([...good.slice(0, 3), bad, ...good.slice(3)].map((one) => store([one])))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(stored.toSorted(), good.map(({ id }) => id).toSorted())
  await store([event()])
})

test('a burst is committed as it came, and moved once it is over; a few requests at once are stored where they are read', async () => {
  const log: string[] = []
  let bursts = 0
  const { write: store } = eventWriter(db, {
    write: async (_db, events) => {
      await soon()
      log.push(`stored ${events.length}`)
      return events.length
    },
    writeBurst: async (_db, events) => {
      await soon()
      bursts++
      log.push(`burst of ${events.length}`)
    },
    moveBurst: async () => {
      await soon()
      if (bursts === 0) return false
      bursts--
      log.push('moved')
      return true
    },
  })
  await Promise.all(Array.from({ length: 4 }, () => store([event()])))
  await soon()
  assert.deepEqual(log.splice(0), ['stored 1', 'stored 3'])
  for (let n = 0; n < 3; n++) {
    await Promise.all(Array.from({ length: 40 }, () => store([event()])))
    await sleep(20)
  }
  const each = ['stored 1', 'burst of 39']
  assert.deepEqual(log, [...each, ...each, ...each], 'nothing is moved while the burst goes on')
  while (bursts > 0) await sleep(20)
  assert.deepEqual(log.slice(6), ['moved', 'moved', 'moved'])
  // A request alone does not put off the move.
  await Promise.all(Array.from({ length: 40 }, () => store([event()])))
  const until = Date.now() + 2000
  while (bursts > 0 && Date.now() < until) await Promise.all([store([event()]), sleep(50)])
  assert.equal(bursts, 0)
})
