import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harm, isSlower, median, p99, type Seen } from './other-users.ts'

test('the p99 of a hundred times is the second longest, whatever their order', () => {
  const times = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1)
  assert.equal(p99(times), 99)
  assert.equal(p99([7]), 7)
  assert.equal(p99([]), 0)
})

test('others are slower once their p99 has grown by a fifth, and by more than noise', () => {
  assert.equal(isSlower(120, 100), true)
  assert.equal(isSlower(119, 100), false)
  assert.equal(isSlower(12, 10), false)
  assert.equal(isSlower(14, 10), true)
})

const seen = (...times: number[]): Seen => ({ times, failed: [] })

test('the median of an even number of values lies between the two in the middle', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([8, 1, 5, 2]), 3.5)
  assert.equal(median([]), 0)
})

const round = (quiet: Seen, bare: Seen, attacked: Seen) => ({ quiet, bare, attacked })

test('an attack that makes the shop refuse other users has harmed them, however fast the refusals are', () => {
  const quiet = seen(10, 11, 12)
  assert.deepEqual(harm([round(quiet, quiet, quiet)]).broken, [])
  assert.equal(harm([round(quiet, quiet, { times: [9], failed: ['/: 503 after 1 ms'] })]).broken.length, 1)
  assert.equal(harm([round(quiet, quiet, seen())]).broken.length, 1)
  assert.equal(harm([round(seen(), quiet, quiet)]).broken.length, 1)
  assert.equal(harm([round(quiet, seen(), quiet)]).broken.length, 1)
  assert.equal(harm([]).broken.length, 1)
  assert.equal(harm([round(quiet, quiet, seen(10, 11, 40))]).broken.length, 1)
})

test('one window in which the machine had other work decides nothing, and neither does a load that grows', () => {
  const same = round(seen(50), seen(50), seen(55))
  assert.deepEqual(harm([same, round(seen(50), seen(50), seen(500)), same]).broken, [])
  assert.deepEqual(harm([50, 100, 200].map((ms) => round(seen(ms), seen(ms), seen(1.1 * ms)))).broken, [])
  const slower = round(seen(50), seen(50), seen(70))
  assert.equal(harm([slower, round(seen(500), seen(500), seen(50)), slower]).broken.length, 1)
})

test('what the attacker takes from everybody is told and not counted: the same bytes to a bare server take it as well', () => {
  const { broken, said } = harm([round(seen(50), seen(80), seen(88))])
  assert.deepEqual(broken, [])
  assert.match(said, /1\.10 of it; of that without either 1\.76 and 1\.60/)
  assert.equal(harm([round(seen(80), seen(50), seen(70))]).broken.length, 1)
})
