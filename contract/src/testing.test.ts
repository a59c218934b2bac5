import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEqualTime, timeRatio } from './testing.ts'

/** Simulated latency in milliseconds: steady, with occasional outliers. */
const request = (ms: number) => (n: number) => sleep(n % 7 === 3 ? ms * 4 : ms)

test('two acts that take equally long have equal times, whatever delays some of them', async () => {
  const ratio = await timeRatio(request(8), request(8))
  assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
})

for (const [name, one, other] of [
  ['first', 12, 8],
  ['second', 8, 12],
] as const)
  test(`an act that takes half as long again fails, planted in the ${name}`, async () => {
    const ratio = await timeRatio(request(one), request(other))
    assert.ok(!isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
  })

test('a difference in four rounds of five is not made up for by the one without', async () => {
  let round = 0
  const beforeRound = async () => void round++
  const ratio = await timeRatio((n) => request(round === 3 ? 8 : 13)(n), request(8), { samples: 15, beforeRound })
  assert.ok(!isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
})

test('an act that is slow because it comes first is equal to one that comes second', async () => {
  let calls = 0
  const act = () => sleep(calls++ % 2 === 0 ? 12 : 6)
  assert.ok(isEqualTime(await timeRatio(act, act, { samples: 20 })))
})
