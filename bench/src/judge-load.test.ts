import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peakOf } from './goodput.ts'
import { judgePurchases, judgeResponses } from './judge-load.ts'
import { emptiest, sharesIn } from './page-cache.ts'
import { ended, webProcesses, webProcessesIn } from './web-processes.ts'
import { meets, type Figure } from './figures.ts'

const missed = (figures: readonly Figure[]) => figures.filter(({ ok }) => !ok).map(({ name, value }) => `${name}: ${value}`)

test('answers with 200 and 503 are right; a page that moved, is gone or is refused with 429 is a miss and named', () => {
  const right = peakOf(
    [
      [200, 90],
      [503, 10],
    ],
    10,
    0,
  )
  assert.deepEqual([right.good, right.refused, missed(judgeResponses([right]))], [9, 1, []])
  const wrong = peakOf(
    [
      [200, 90],
      [308, 3],
      [404, 2],
      [429, 1],
    ],
    10,
    0,
  )
  assert.deepEqual(missed(judgeResponses([right, wrong, wrong])), ['answers with 3xx or 4xx: 6 × 308, 4 × 404, 2 × 429: 12'])
})

test('one answer with 500 or 502, or one request without an answer, is a miss', () => {
  assert.deepEqual(
    missed(
      judgeResponses([
        peakOf(
          [
            [200, 90],
            [500, 1],
            [502, 1],
          ],
          10,
          0,
        ),
      ]),
    ),
    ['answers with 500: 2'],
  )
  assert.deepEqual(missed(judgeResponses([peakOf([[200, 90]], 10, 1)])), ['requests without an answer: 1'])
})

test('a load that was answered with 503 alone, or with nothing, is a miss, and so is no load at all', () => {
  const served = peakOf([[200, 90]], 10, 0)
  const turnedAway = peakOf([[503, 9000]], 10, 0)
  assert.deepEqual(missed(judgeResponses([served, turnedAway, peakOf([], 10, 0)])), ['loads without one good answer: 2'])
  assert.deepEqual(missed(judgeResponses([])), ['loads without one good answer: 1'])
})

test('statuses of all peaks count, not only those of the first or the last', () => {
  const served = peakOf([[200, 90]], 10, 0)
  const failed = peakOf(
    [
      [200, 90],
      [504, 2],
    ],
    10,
    3,
  )
  for (const peaks of [
    [failed, served, served],
    [served, failed, served],
    [served, served, failed],
  ])
    assert.deepEqual(missed(judgeResponses(peaks)), ['answers with 500: 2', 'requests without an answer: 3'])
  assert.equal(failed.refused, 0)
})

const attempts = (during: string, counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([outcome, count]) => Array.from({ length: count }, () => ({ during, outcome })))
const inPeaks = (during: string) => during === 'peak'

test('checkout completes for those who began in peaks: a thousand purchases between them do not hide one in twenty that fails', () => {
  const base = attempts('base', { paid: 1000 })
  const peaks = attempts('peak', { paid: 95, 'sold-out': 5 })
  assert.deepEqual(missed(judgePurchases({ attempts: [...base, ...peaks], violations: [] }, inPeaks)), ['of these completed: 95'])
  assert.deepEqual(missed(judgePurchases({ attempts: attempts('peak', { paid: 99, timeout: 1 }), violations: [] }, inPeaks)), [])
})

test('a refused order counts as one that was not completed, whatever it was refused with', () => {
  for (const outcome of ['too-many-attempts', 'cart-changed', 'sold-out', '503 after three tries'])
    assert.deepEqual(missed(judgePurchases({ attempts: attempts('peak', { paid: 97, [outcome]: 3 }), violations: [] }, inPeaks)), [
      'of these completed: 97',
    ])
})

test('without purchases at all nothing was shown', () => {
  const names = missed(judgePurchases({ attempts: [], violations: [] }, inPeaks))
  assert.deepEqual(names, ['purchases begun during the load, but for buyers who leave: 0', 'of these completed: 0'])
})

test('buyers who leave are not counted; without enough buyers nothing was shown', () => {
  const some = attempts('peak', { paid: 20, 'left without paying': 20 })
  assert.deepEqual(missed(judgePurchases({ attempts: some, violations: [] }, inPeaks)), [])
  assert.equal(missed(judgePurchases({ attempts: attempts('base', { paid: 100 }), violations: [] }, inPeaks)).length, 2)
})

test('a 500 that a buyer meets is a miss, although it passes at the next try', () => {
  const violations = [{ id: 'I9' as const, what: 'a buyer met 500: x' }]
  assert.equal(missed(judgePurchases({ attempts: attempts('peak', { paid: 100 }), violations }, inPeaks)).length, 1)
})

test('the web processes are those below the first process; without any there is nothing to measure', () => {
  const list = ' 10 1 2048 node start/app.ts\n 11 1 1024 node start/worker.ts\n 12 2 1024 node start/app.ts\n'
  assert.deepEqual(webProcessesIn(list, 1), [{ id: 10, mb: 2 }])
  assert.throws(() => webProcesses(undefined), /No web process is found/)
})

test('a web process that ended counts, although another one has taken its place', () => {
  const of = (...ids: number[]) => ids.map((id) => ({ id, mb: 1 }))
  assert.deepEqual(
    [ended(of(1, 2), of(1, 2)), ended(of(1, 2), of(1, 2, 3)), ended(of(1, 2), of(1, 3)), ended(of(1, 2), of(3, 4))],
    [0, 0, 1, 2],
  )
})

test('a figure that is no number misses its target', () => {
  assert.deepEqual([meets(NaN, '>= 85'), meets(NaN, '<= 0'), meets(85, '>= 85'), meets(84.9, '>= 85')], [false, false, true, false])
})

test('the page cache is as full as that of the emptiest process, by its own limit; none seen counts as empty', () => {
  const metrics = (name: string, values: number[]) =>
    values.map((value, at) => `purlin_page_cache_${name}{process="web ${at + 1}"} ${value}\n`).join('')
  assert.deepEqual(sharesIn(metrics('max_bytes', [1000, 1000]) + metrics('bytes', [900, 400])), [90, 40])
  assert.deepEqual(sharesIn(metrics('max_bytes', [0]) + metrics('bytes', [0])), [100])
  assert.deepEqual(sharesIn(metrics('max_bytes', [1000, 1000]) + metrics('bytes', [900])), [90, 0])
  assert.deepEqual([emptiest([90, 40]), emptiest([])], [40, 0])
})
