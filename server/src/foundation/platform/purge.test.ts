import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#platform/testing'
import type { Pool } from './pool.ts'
import { purgePages, watchPurges } from './purge.ts'

const { pool } = await testDatabase({ upTo: 'markets' })

let isBroken = false
let failures = 0
let successes = 0
let time = Date.now()
let heard: (string[] | null)[] = []
beforeEach(() => {
  isBroken = false
  successes = 0
  heard = []
})

/** The pool, whose reads fail while `isBroken`. */
function breakable(): Pool {
  const { reads } = pool.db
  const unlessBroken =
    <Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (isBroken) {
        failures += 1
        throw new Error('Query read timeout')
      }
      const result = await read(...args)
      successes += 1
      return result
    }
  const broken = { ...reads, row: unlessBroken(reads.row), rows: unlessBroken(reads.rows) } as typeof reads
  return { ...pool, db: { ...pool.db, reads: broken } }
}

async function watching(act: () => Promise<void>): Promise<void> {
  const stop = watchPurges(breakable(), (tags) => heard.push(tags), { everyMs: 5, now: () => time })
  try {
    // It has read where the log ends, and what follows.
    while (successes < 2 && !isBroken) await sleep(5)
    await act()
  } finally {
    stop()
  }
}

/** Lets reads fail, until one has. */
async function breakReads(): Promise<void> {
  failures = 0
  isBroken = true
  while (failures === 0) await sleep(5)
}

async function heardUntil(wanted: (string[] | null)[]): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end && heard.length < wanted.length; await sleep(5));
  await sleep(30)
  assert.deepEqual(heard, wanted)
}

test('V-13 purges that could not be read for a while are read later, and nothing else is evicted', () =>
  watching(async () => {
    await purgePages(pool.db, ['product-1'])
    await heardUntil([['product-1']])
    await breakReads()
    await purgePages(pool.db, ['product-2'])
    time += 3_500_000
    isBroken = false
    await heardUntil([['product-1'], ['product-2']])
  }))

test('after more than an hour without reading every page goes, and what follows is read again', () =>
  watching(async () => {
    await breakReads()
    time += 3_700_000
    isBroken = false
    await heardUntil([null])
    await purgePages(pool.db, ['product-3'])
    await heardUntil([null, ['product-3']])
  }))

test('a database that has gone back to an earlier state empties the caches', () =>
  watching(async () => {
    await purgePages(pool.db, ['product-4'])
    await heardUntil([['product-4']])
    await breakReads()
    time += 6000
    await pool.query('delete from platform.purge_log')
    isBroken = false
    await heardUntil([['product-4'], null])
  }))

test('a watch whose first reads fail evicts what was cached meanwhile', async () => {
  isBroken = true
  await watching(async () => {
    await breakReads()
    isBroken = false
    await heardUntil([null])
  })
})
