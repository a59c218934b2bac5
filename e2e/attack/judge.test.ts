import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from './attacker.ts'
import { endedProcesses, judgeBodies, judgeMails, judgeOperations, judgeReaders, type Processes, type ReadersSeen } from './judge.ts'

const shop = (changed: Partial<Record<'app' | 'documents' | 'worker' | 'services', number[]>> = {}): Processes =>
  new Map(Object.entries({ app: [1, 2], documents: [3], worker: [4], services: [5], ...changed })) as Processes

test('a process that ended during an attack breaks its rule, although another has been started', () => {
  assert.deepEqual(endedProcesses(shop(), shop()), [])
  for (const changed of [{ app: [1, 9] }, { documents: [9] }, { worker: [9] }, { services: [9] }, { app: [1] }])
    assert.equal(endedProcesses(shop(), shop(changed)).length, 1, JSON.stringify(changed))
})

test('a process that had not been there is no harm; none to watch is', () => {
  assert.deepEqual(endedProcesses(shop(), shop({ app: [1, 2, 9] })), [])
  assert.match(endedProcesses(shop({ app: [] }), shop({ app: [] })).join(), /no process of the kind app was found/)
})

const answers = (counts: Record<number, number>, ms = 1): Outcome[] =>
  Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, () => ({ shape: 'depth', query: '{ a }', status: Number(status), ms, bytes: 10, tries: 1 })),
  )

test('hostile operations of which a tenth is answered and the rest refused in time hold', () => {
  assert.deepEqual(judgeOperations(answers({ 200: 10, 400: 85, 503: 5 })), [])
})

test('a shop that turns every operation away with 503 did not hold, however fast', () => {
  assert.equal(judgeOperations(answers({ 503: 100 })).length, 2)
  assert.match(judgeOperations(answers({ 400: 60, 503: 30, 200: 10 })).join(), /30 of 100 operations were turned away/)
})

test('a shop that refuses every operation, or was sent none, did not hold', () => {
  assert.match(judgeOperations(answers({ 400: 100 })).join(), /only 0 of 100 operations were answered/)
  assert.match(judgeOperations([]).join(), /only 0 of 0/)
})

test('an operation that fails, is cut, comes late or brings a megabyte is named', () => {
  const good = answers({ 200: 100 })
  assert.equal(judgeOperations([...good, ...answers({ 500: 1 })]).length, 1)
  assert.equal(judgeOperations([...good, ...answers({ 0: 1 })]).length, 1)
  assert.equal(judgeOperations([...good, ...answers({ 400: 1 }, 20)]).length, 1)
  assert.equal(judgeOperations([...good, ...answers({ 200: 1 }, 300)]).length, 1)
  assert.equal(judgeOperations([...good, ...answers({ 200: 1 }).map((each) => ({ ...each, bytes: 1_000_000 }))]).length, 1)
})

const mails = ['message-received', 'message-received of a withdrawal', 'newsletter-confirm', 'order-cancelled', 'order-link']

test('one to five mails of each kind are right; six are too many, and none means that nothing was shown', () => {
  const each = (n: number) => mails.map((kind) => ({ kind, n }))
  assert.deepEqual([judgeMails(each(1)), judgeMails(each(5))], [[], []])
  assert.equal(judgeMails(each(6)).length, 5)
  assert.equal(judgeMails([]).length, 5)
  assert.deepEqual(judgeMails(each(1).slice(1)), ['no mail of message-received was sent'])
})

const readers: ReadersSeen = {
  held: [{ opened: 1000, open: 900, bytesRead: 5000 }],
  wanted: 1000,
  mostMb: 300,
  cutAfterMs: [62_000],
  honest: [{ problem: null }],
}

test('A67 readers of nothing that cost little memory, are closed in time and keep nobody from a page hold', () => {
  assert.deepEqual(judgeReaders(readers), [])
})

for (const [what, changed] of Object.entries({
  'a web process that grows beyond its limit': { mostMb: 451 },
  'a reader of nothing that is never closed': { cutAfterMs: [62_000, 75_000] },
  'a phone that gets half a page': { honest: [{ problem: null }, { problem: '/: 200 with 900 bytes' }] },
  'connections that could not be opened': { held: [{ opened: 900, open: 900, bytesRead: 5000 }] },
  'no window at all': { held: [] },
  'slow readers that read nothing': { held: [{ opened: 1000, open: 900, bytesRead: 0 }] },
  'no memory seen': { mostMb: 0 },
  'no connection to close': { cutAfterMs: [] },
  'no phone': { honest: [] },
}))
  test(`A67 ${what} breaks the rule for readers of nothing`, () => {
    assert.equal(judgeReaders({ ...readers, ...changed }).length, 1)
  })

const body = { path: '/graphql', bytes: 1_000_000, status: 413, ms: 10, refusals: [413, 0] }

test('A67 bodies over their limit that are refused with 413 or cut hold', () => {
  assert.deepEqual(judgeBodies([body, { ...body, status: 0 }, { ...body, status: 415, refusals: [415] }]), [])
})

test('A67 a body that an unknown address refuses, a route accepts, fails at or does not know the size of did not hold', () => {
  for (const status of [404, 200, 204, 400, 401, 415, 429, 500, 503])
    assert.deepEqual(judgeBodies([{ ...body, status }]), [`/graphql answered ${status} to 1000000 bytes`])
  assert.deepEqual(judgeBodies([{ ...body, status: 0, ms: 30_000 }]), ['/graphql took 30 s for 1000000 bytes'])
  assert.deepEqual(judgeBodies([{ ...body, status: 0, refusals: [415] }]), ['/graphql answered 0 to 1000000 bytes'])
  assert.equal(judgeBodies([]).length, 1, 'none was sent')
})
