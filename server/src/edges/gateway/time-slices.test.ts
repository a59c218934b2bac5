import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { UnavailableError } from '#platform'
import { testDatabase } from '#platform/testing'
import { executableSchema } from './build-schema.ts'
import { createOperations } from './operations.ts'
import type { RequestScope } from './request-scope.ts'
import { testGateway } from './testing.ts'
import { createTimeSlices, type Slices } from './time-slices.ts'

const range = (length: number) => Array.from({ length }, (_, at) => at)

test('V-01 a document in slices lets the event loop turn after three milliseconds of work at most', async () => {
  let clock = 0
  const slices = createTimeSlices({ othersUnderWay: () => 0, now: () => clock })
  let inARow = 0
  let most = 0
  let isOver = false
  const turning = (async () => {
    for (; !isOver; await nextTurn()) inARow = 0
  })()
  await slices.run(({ spread }) =>
    Promise.all(
      spread(range(50)).map(async (item) => {
        await item
        clock++
        most = Math.max(most, ++inARow)
      }),
    ),
  )
  isOver = true
  await turning
  assert.equal(most, 3)
})

const burn = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('V-01 while other requests are under way, documents in slices have a seventh of the time together, and all of it otherwise', async () => {
  const msOf = async (others: number) => {
    const slices = createTimeSlices({ othersUnderWay: () => others })
    const document = ({ spread }: Slices) => Promise.all(spread(range(10)).map(async (item) => (await item, burn(1))))
    const startedAt = performance.now()
    await Promise.all([slices.run(document), slices.run(document)])
    // The pause after the last slice belongs to it.
    await slices.run(({ inTurn }) => inTurn(() => 1))
    return performance.now() - startedAt
  }
  // Twenty milliseconds of work. A busy machine lengthens both figures, so they are compared with each other.
  const beside = await msOf(1)
  assert.ok(beside >= 20 / 0.15)
  let alone = Infinity
  for (let round = 0; round < 5 && alone >= beside / 2; round++) alone = Math.min(alone, await msOf(0))
  assert.ok(alone < beside / 2, `${alone.toFixed(0)} ms of ${beside.toFixed(0)}`)
})

test('V-01 two documents run in slices, sixteen wait, and more are refused', async () => {
  const slices = createTimeSlices({ othersUnderWay: () => 0 })
  const ends: (() => void)[] = []
  const document = () => slices.run(() => new Promise<void>((resolve) => ends.push(resolve)))
  const all = range(18).map(document)
  await assert.rejects(document(), UnavailableError)
  assert.equal(ends.length, 2)
  for (let ended = 0; ended < 18; await nextTurn()) for (; ended < ends.length; ended++) ends[ended]?.()
  await Promise.all(all)
  await slices.run(() => 1)
})

test('V-01 V-15 one network has four of the places and an IPv6 line eight; others have the rest, and each ended document frees its place', async () => {
  const slices = createTimeSlices({ othersUnderWay: () => 0 })
  const ends: (() => void)[] = []
  const from = (address: string) => slices.run(() => new Promise<void>((resolve) => ends.push(resolve)), address)
  const held = range(4).map(() => from('203.0.113.7'))
  await assert.rejects(from('203.0.113.7'), UnavailableError)
  held.push(...range(8).map((at) => from(`2a01:4f8:9:${at % 2}::${at}`)))
  await assert.rejects(from('2a01:4f8:9:5::1'), UnavailableError)
  // Six are left, to everybody else; our own network has no limit.
  held.push(...range(6).map((at) => from(at < 1 ? '198.51.100.9' : '10.0.0.7')))
  await assert.rejects(from('198.51.100.10'), UnavailableError)
  const free = async () => {
    for (let ended = 0; ended < held.length; await nextTurn()) for (; ended < ends.length; ended++) ends[ended]?.()
    await Promise.all(held)
  }
  await free()
  // Nothing is left of those that were refused, nor of those that have ended.
  for (const address of ['203.0.113.7', '203.0.113.7', '2a01:4f8:9:5::1', '198.51.100.10'])
    assert.equal(await slices.run(() => 1, address), 1)
  for (const list of [ends, held]) list.length = 0
  held.push(...range(4).map(() => from('203.0.113.7')))
  await assert.rejects(from('203.0.113.7'), UnavailableError)
  await free()
})

test('V-01 a document that waited too long is refused and leaves its place to the next', async () => {
  let clock = 0
  const slices = createTimeSlices({ othersUnderWay: () => 0, now: () => clock })
  const ends: (() => void)[] = []
  const first = range(2).map(() => slices.run(() => new Promise<void>((resolve) => ends.push(resolve))))
  const late = slices.run(() => 1)
  await nextTurn()
  clock = 3000
  const inTime = slices.run(() => 2)
  ends[0]?.()
  await assert.rejects(late, UnavailableError)
  assert.equal(await inTime, 2)
  ends[1]?.()
  await Promise.all(first)
})

test('V-01 a document that waits is refused after three seconds, also while those before it run on', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const slices = createTimeSlices({ othersUnderWay: () => 0 })
  const ends: (() => void)[] = []
  const first = range(2).map(() => slices.run(() => new Promise<void>((resolve) => ends.push(resolve))))
  const late = slices.run(() => 1)
  const isRefused = assert.rejects(late, UnavailableError)
  await nextTurn()
  context.mock.timers.tick(3000)
  await isRefused
  for (const end of ends) end()
  await Promise.all(first)
  assert.equal(await slices.run(() => 2), 2)
})

test('V-01 steps of a document that has ended are not run', async () => {
  const slices = createTimeSlices({ othersUnderWay: () => 0 })
  let run = 0
  await slices.run(({ inTurn }) => {
    for (const _ of range(3)) void inTurn(() => run++)
    return 'an error emptied the answer'
  })
  for (const _ of range(10)) await nextTurn()
  assert.equal(run, 0)
})

test('V-01 a document gives way to other requests for eight milliseconds before it is read, and not at all without any', async () => {
  let others = 1
  const slices = createTimeSlices({ othersUnderWay: () => others })
  const startedAt = performance.now()
  await slices.giveWay()
  assert.ok(performance.now() - startedAt >= 8)
  others = 0
  let turned = false
  setImmediate(() => (turned = true))
  await slices.giveWay()
  assert.equal(turned, false)
})

const sdl = `
  directive @cost(weight: Int!) on FIELD_DEFINITION
  directive @listSize(assumedSize: Int!, sizedFields: [String!]) on FIELD_DEFINITION
  type Query { page: Page! @listSize(assumedSize: 6, sizedFields: ["things"]) things: [Thing!]! @listSize(assumedSize: 6)
    slow: [Slow!]! @listSize(assumedSize: 800) held: [Slow!]! @listSize(assumedSize: 800) broken: [Thing!] @listSize(assumedSize: 6) }
  type Page { things: [Thing] names: [String!]! @listSize(assumedSize: 6) }
  type Thing { name: String! parts: [Thing!] @listSize(assumedSize: 6) risky: String }
  type Slow { text: String! }`
interface Thing {
  name: string
  parts: Thing[] | null
  risky(): string
}
const thing = (name: string, depth: number): Thing => ({
  name,
  parts: depth === 0 ? null : range(6).map((at) => thing(`${name}${at}`, depth - 1)),
  risky: () => {
    if (name.endsWith('3')) throw new GraphQLError(`${name} is broken`)
    return name
  },
})
/** A list whose resolver has to be let go. */
const held = Promise.withResolvers<[]>()
const resolvers = {
  Query: {
    page: async () => ({ things: [...range(5).map((at) => thing(`p${at}`, 1)), null], names: range(6).map(String) }),
    things: () => range(6).map((at) => thing(`t${at}`, 2)),
    held: () => held.promise,
    slow: () => range(800).map(() => ({ text: () => (burn(0.15), 'text') })),
    broken: () => [...range(5).map((at) => thing(`b${at}`, 0)), { name: null }],
  },
}

test('V-01 a document in slices has the same answer as one executed at once, errors included', async () => {
  const operations = createOperations(executableSchema(sdl, resolvers), { isPublic: false })
  const parts = 'name parts { name risky parts { name } }'
  const prepared = operations.prepare(
    `{ page { names things { ${parts} } } a: things { ${parts} } things { ${parts} } broken { name risky } }`,
  )
  assert.ok(prepared.ok)
  const scope = () => ({ spend: () => undefined }) as unknown as RequestScope
  const atOnce = await prepared.operation.run(scope(), {})
  const slices = createTimeSlices({ othersUnderWay: () => 1 })
  const inSlices = await slices.run((given) => prepared.operation.runInSlices(scope(), {}, given))
  assert.equal(JSON.stringify(inSlices.data), JSON.stringify(atOnce.data))
  const messages = ({ errors = [] }: typeof atOnce) => errors.map(({ message, path }) => `${path?.join('.')}: ${message}`).toSorted()
  assert.ok(messages(atOnce).length > 10)
  assert.deepEqual(messages(inSlices), messages(atOnce))
})

const database = await testDatabase({ upTo: 'accounts' })
const actions = Object.fromEntries(Object.keys(resolvers.Query).map((field) => [`Query.${field}`, 'goods.see' as const]))
const gateway = await testGateway(database.pool, { edges: [{ actions, resolvers }], schema: sdl, trustProxy: '127.0.0.1' })

/** Milliseconds of this thread's processor, which other processes do not lengthen. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('V-01 while a dear document of a stranger runs, no other request waits for more than a few slices', async () => {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    for (let last = processorMs(); !isOver; await nextTurn()) {
      const now = processorMs()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  const startedAt = processorMs()
  const { status, body } = await gateway.post('{ slow { text } }')
  const worked = processorMs() - startedAt
  isOver = true
  await watching
  assert.equal(status, 200)
  assert.equal((body as { data: { slow: unknown[] } }).data.slow.length, 800)
  assert.ok(worked > 100, `${worked.toFixed(0)} ms of work`)
  assert.ok(longest < 40, `a pause of ${longest.toFixed(0)} ms`)
})

test('V-01 V-15 of one network four dear documents are under way at once; a fifth is 503 with Retry-After, and that of another network waits', async () => {
  const from = (address: string) => gateway.post('{ held { text } }', {}, { headers: { 'x-forwarded-for': address } })
  const sent = range(5).map(() => from('203.0.113.7'))
  const { status, headers } = await Promise.race(sent)
  const other = from('203.0.113.8')
  held.resolve([])
  assert.equal(status, 503)
  assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.deepEqual((await Promise.all(sent)).map((one) => one.status).toSorted(), [200, 200, 200, 200, 503])
  assert.equal((await other).status, 200)
})

for (const [what, each, refusal] of [
  ['756 fields', `page { ${'names '.repeat(20)} things { ${'name '.repeat(20)} parts { ${'name '.repeat(20)} } } }`, /at most 750 fields/],
  ['a cost of 13,476', `things { parts { parts { ${'name '.repeat(5)} } } }`, /costs 13476, more than the limit of 10000/],
  ['3,000 tokens', `page { names ${'@include(if: true) '.repeat(40)} }`, /2500 tokens/],
] as const)
  test(`V-01 a document with ${what} is refused from outside, while the shop itself may send one`, async () => {
    const query = `{ ${range(12)
      .map((at) => `a${at}: ${each}`)
      .join(' ')} }`
    const { status, body } = await gateway.post(query)
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), refusal)
    const { errors } = await gateway.execute({ query, headers: { host: 'gb.localhost:3000' } })
    assert.doesNotMatch(JSON.stringify(errors ?? []), refusal)
  })
