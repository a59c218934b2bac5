import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPace } from './batch-pace.ts'

/** A pace with a fake clock, and its recorded waits. */
function withClock() {
  const clock = { at: 0, waited: [] as number[] }
  const pace = newPace(
    () => clock.at,
    async (ms) => {
      clock.waited.push(ms)
      clock.at += ms
    },
  )
  return { clock, pace }
}

test('a caller that waits for each result before the next change is never delayed', async () => {
  const { clock, pace } = withClock()
  for (let change = 0; change < 20; change++) {
    pace.asked()
    await pace.turn()
    clock.at += 5
    pace.answered()
  }
  assert.deepEqual(clock.waited, [])
})

test('a stream of changes is batched a few times a second, and soon after it ends nobody waits any more', async () => {
  const { clock, pace } = withClock()
  for (let batch = 0; batch < 5; batch++) {
    pace.asked()
    pace.asked()
    await pace.turn()
    clock.at += 5
    pace.answered()
    pace.answered()
  }
  assert.deepEqual(clock.waited, [155, 155, 155, 155])
  clock.at += 2_000
  pace.asked()
  await pace.turn()
  assert.equal(clock.waited.length, 4)
})
