import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Purchases } from './buyers.ts'
import { count, judgeHealth, judgeSearch, notReady, shortcomings, totals, type Health, type Tries } from './judge-chaos.ts'
import type { Part } from './parts.ts'
import { missingParts } from './process-health.ts'
import { report } from './report.ts'

const injectedOf = (tries: Record<string, readonly boolean[]>): Map<string, Tries> => {
  const injected = new Map<string, Tries>()
  for (const [title, hits] of Object.entries(tries)) for (const isHit of hits) count(injected, title, isHit)
  return injected
}
const times = (n: number, isHit: boolean) => Array.from({ length: n }, () => isHit)
const purchases: Purchases = {
  begun: 10,
  placed: [],
  paid: times(6, true).map(String),
  messages: new Map(),
  violations: [],
  ended: new Map(),
  attempts: [],
}
const run = { minutes: 1, purchases }

test('a fault that found nothing to hit does not count', () => {
  const injected = injectedOf({ F1: [true, false, true], F2: [false] })
  assert.deepEqual(totals(injected), { hit: 2, missed: 2 })
  assert.deepEqual(
    [...injected],
    [
      ['F1', { hit: 2, missed: 1 }],
      ['F2', { hit: 0, missed: 1 }],
    ],
  )
})

test('a run of two hundred faults in half an hour is enough, one less is not, nor are tries that hit nothing', () => {
  const half = { ...run, minutes: 30 }
  assert.deepEqual(shortcomings({ ...half, injected: injectedOf({ F1: times(200, true) }) }), [])
  assert.deepEqual(shortcomings({ ...half, injected: injectedOf({ F1: [...times(199, true), false] }) }), ['only 199 faults in 30 minutes'])
})

test('a kind of fault that was tried three times and never hit anything fails the run; twice, or with one hit, it may', () => {
  const others = { F1: times(20, true) }
  for (const allowed of [times(2, false), [false, false, false, true]])
    assert.deepEqual(shortcomings({ ...run, injected: injectedOf({ ...others, F2: allowed }) }), [])
  assert.deepEqual(shortcomings({ ...run, injected: injectedOf({ ...others, F2: times(3, false) }) }), [
    'F2: tried 3 times, and never hit anything',
  ])
})

test('a run shows little if no more than half of the purchases were paid', () => {
  const injected = injectedOf({ F1: times(20, true) })
  for (const begun of [12, 13, 100]) assert.equal(shortcomings({ ...run, injected, purchases: { ...purchases, begun } }).length, 1)
  assert.equal(shortcomings({ ...run, injected, purchases: { begun: 0, paid: [] } }).length, 1)
  assert.deepEqual(shortcomings({ ...run, injected, purchases: { ...purchases, begun: 11 } }), [])
})

/** Processes of a shop in which one part is missing. */
const without = (missing: Part | null) => (part: Part) => (part === missing ? [] : [1, 2])
const parts = ['app', 'worker', 'services', 'documents'] as const

test('a run does not begin while a part of the shop has no process that could be hit, or the search finds nothing', async () => {
  assert.deepEqual(notReady(await missingParts(without(null), parts, 0), [3, 2, 1]), [])
  for (const part of parts)
    assert.deepEqual(notReady(await missingParts(without(part), parts, 0), [3, 2, 1]), [`no process of the kind ${part} is found`])
  for (const found of [[0, 0, 0], [3, 0, 1], []]) assert.equal(notReady([], found).length, 1, found.join())
})

test('the process for documents is missed only where the shop runs one, and a part may take its time to start', async () => {
  assert.deepEqual(await missingParts(without('documents'), ['app', 'worker', 'services'], 0), [])
  let looks = 0
  assert.deepEqual(await missingParts(() => (++looks > 2 ? [1] : []), ['worker'], 60_000), [])
})

const healthy: Health = { missing: [], failed: [], handles: 150, handlesBefore: 50, megabytes: [300, 450] }

test('a shop whose parts run and whose handles and memory are back is well', () => {
  assert.deepEqual(judgeHealth(healthy), [])
})

for (const [what, changed] of Object.entries({
  'a part without a process': { missing: ['worker'] },
  'an answer with 5xx': { failed: ['/ answered 503 after the last fault'] },
  'handles that stay': { handles: 151 },
  'no handles seen': { handles: 0 },
  'no handles seen before': { handlesBefore: 0, handles: 10 },
  'memory that stays': { megabytes: [300, 451] },
  'no memory seen': { megabytes: [] },
} satisfies Record<string, Partial<Health>>))
  test(`I9 ${what} after the last fault is a violation`, () => {
    const found = judgeHealth({ ...healthy, ...changed })
    assert.deepEqual(
      found.map(({ id }) => id),
      ['I9'],
    )
  })

test('F17 a search that finds something else than before, or nothing before and after, is a violation', () => {
  assert.deepEqual(judgeSearch([3, 2, 1], [3, 2, 1]), [])
  for (const [before, now] of [
    [
      [3, 2, 1],
      [3, 2, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [3, 0, 1],
      [3, 0, 1],
    ],
    [[], []],
  ] as const)
    assert.equal(judgeSearch(before, now).length, 1, now.join())
})

test('the table names hits and tries that found nothing in columns of their own, and what the run does not show', () => {
  const said = report({
    seed: '7',
    minutes: 1,
    injected: injectedOf({ 'F1: killed': times(8, true), 'F2: frozen': [true, false], 'F3: lost': times(3, false) }),
    purchases,
    violations: [],
    parked: 0,
    netPrices: 1,
    mails: { sent: 12, copies: 2 },
  })
  assert.match(said, /^Seed 7, 1 minutes, 9 faults, 0 violations/m)
  assert.match(said, /^4 more tries found nothing to hit and do not count\.$/m)
  assert.match(said, /^\| F1: killed \| 8 \| 0 \|\n\| F2: frozen \| 1 \| 1 \|\n\| F3: lost \| 0 \| 3 \|$/m)
  assert.match(said, /^F19: 12 mails sent, of which 2 copies arrived as well/m)
  assert.match(said, /The run shows too little:\n\n- F3: lost: tried 3 times, and never hit anything\n/)
})
