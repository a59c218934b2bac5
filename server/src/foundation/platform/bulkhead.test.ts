import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulkhead } from './bulkhead.ts'
import { UnavailableError } from './errors.ts'

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })

test('work beyond the places waits for one, in order, and is refused when none becomes free in time', async () => {
  const { enter } = bulkhead({ places: 2, waitMs: 30 })
  const first = await enter('a')
  await enter('b')
  const order: number[] = []
  const waiting = [1, 2].map((n) => enter('c').then(() => order.push(n)))
  first()
  first()
  await waiting[0]
  await assert.rejects(waiting[1] ?? Promise.resolve(), UnavailableError)
  assert.deepEqual(order, [1])
})

test('once work of a name has hung, all of that name is refused at once, also what waits, and the others go on', async () => {
  const { enter } = bulkhead({ places: 1, waitMs: 1_000, pauseMs: 1_000 })
  const hanging = await enter('history')
  const waiting = enter('history')
  const other = enter('insights')
  hanging(lockTimeout)
  await assert.rejects(waiting, UnavailableError)
  await assert.rejects(enter('history'), UnavailableError)
  ;(await other)()
  ;(await enter('insights'))()
})

test('after the pause one at a time tries whether it still hangs; work that succeeds, or fails by itself, ends it', async () => {
  for (const [outcome, goesOn] of [
    [undefined, true],
    [new Error('an error of its own'), true],
    [lockTimeout, false],
  ] as const) {
    const { enter } = bulkhead({ places: 2, waitMs: 20, pauseMs: 20 })
    const hanging = await enter('history')
    hanging(lockTimeout)
    await sleep(30)
    const trying = await enter('history')
    await assert.rejects(enter('history'), UnavailableError)
    trying(outcome)
    if (goesOn) await Promise.all([enter('history'), enter('history')])
    else await assert.rejects(enter('history'), UnavailableError)
  }
})

test('a try that finds no place leaves the next one its turn', async () => {
  const { enter } = bulkhead({ places: 1, waitMs: 20, pauseMs: 0 })
  const hanging = await enter('history')
  hanging(lockTimeout)
  const other = await enter('insights')
  await assert.rejects(enter('history'), UnavailableError)
  other()
  ;(await enter('history'))()
})

test('more than may wait are refused at once', async () => {
  const { enter } = bulkhead({ places: 1, waitMs: 10_000, maxWaiting: 1 })
  const first = await enter('a')
  const waiting = enter('a')
  await assert.rejects(enter('a'), UnavailableError)
  first()
  ;(await waiting)()
})
