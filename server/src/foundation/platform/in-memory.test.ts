import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMemory } from './in-memory.ts'

/** A read that ends when the test says so. */
function reads() {
  const begun: PromiseWithResolvers<string>[] = []
  const load = () => {
    const read = Promise.withResolvers<string>()
    begun.push(read)
    return read.promise
  }
  return { begun, load }
}
const late = /in time|within|still being read/i

test('a read that hangs delays those who wait for it once; the others go on at once, and one read is under way', async () => {
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 60_000, patienceMs: 30, firstPatienceMs: 30 })
  const first = [memory.read(load), memory.read(load)]
  for (const waiting of first) await assert.rejects(waiting, late)
  for (let more = 0; more < 100; more++) await assert.rejects(memory.read(load), /still being read/)
  assert.equal(begun.length, 1)
  begun[0]?.resolve('late')
  assert.equal(await new Promise((resolve) => setImmediate(() => resolve(memory.read(load)))), 'late', 'what comes late is used')
  assert.equal(begun.length, 1)
})

test('a value is read once until it is forgotten, and shared answers hold as long', async () => {
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 60_000 })
  const waiting = memory.read(load)
  begun[0]?.resolve('one')
  assert.deepEqual([await waiting, await memory.read(load), begun.length], ['one', 'one', 1])
  const holds = memory.holds()
  assert.equal(holds(), true)
  memory.forget()
  const again = memory.read(load)
  begun[1]?.resolve('two')
  assert.deepEqual([await again, holds()], ['two', false])
})

test('a failed read, and a value with gaps, are read again soon and not at once', async () => {
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 60_000, retryMs: 40, isWhole: (value) => value === 'whole' })
  const failed = memory.read(load)
  begun[0]?.reject(new Error('down'))
  await assert.rejects(failed, /down/)
  await assert.rejects(memory.read(load), /down/)
  assert.equal(begun.length, 1)
  const until = async (count: number) => {
    while (begun.length < count) {
      const read = memory.read(load)
      if (begun.length === count) return read
      await read.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return ''
  }
  const part = until(2)
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  begun[1]?.resolve('part')
  assert.equal(await part, 'part')
  assert.equal(await memory.read(load), 'part')
  const whole = until(3)
  while (begun.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  begun[2]?.resolve('whole')
  assert.equal(await whole, 'whole')
})

test('once it has been read, the last value stays while it cannot be read again or does not come in time, until it is forgotten', async () => {
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 0, retryMs: 0, patienceMs: 20, firstPatienceMs: 20 })
  const first = memory.read(load)
  begun[0]?.resolve('known')
  assert.equal(await first, 'known')
  const refused = memory.read(load)
  begun[1]?.reject(new Error('busy'))
  assert.equal(await refused, 'known')
  assert.equal(await memory.read(load), 'known', 'a read that hangs')
  assert.equal(await memory.read(load), 'known')
  assert.equal(begun.length, 3)
  memory.forget()
  await assert.rejects(memory.read(load), late)
})

test('the last value stands in for one that cannot be read for a while, and no longer: what was switched off meanwhile does not stay', async () => {
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 0, retryMs: 0, patienceMs: 20, firstPatienceMs: 20, lastMs: 50 })
  const first = memory.read(load)
  begun[0]?.resolve('known')
  await first
  await sleep(60)
  const refused = memory.read(load)
  begun[1]?.reject(new Error('busy'))
  await assert.rejects(refused, /busy/)
})

test('after a failed read the last value is given at once while it is read again, then the new one; after any other read everybody waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { begun, load } = reads()
  const memory = inMemory<string>('test', { keptMs: 60_000, patienceMs: 5_000, isWhole: (value) => value !== 'part' })
  const atOnce = () => Promise.race([memory.read(load), sleep(200).then(() => 'waits')])
  const first = memory.read(load)
  begun[0]?.resolve('old')
  await first
  t.mock.timers.tick(61_000)
  const refused = memory.read(load)
  begun[1]?.reject(new Error('busy'))
  assert.equal(await refused, 'old')
  t.mock.timers.tick(1_001)
  assert.deepEqual([await atOnce(), await atOnce(), begun.length], ['old', 'old', 3])
  begun[2]?.resolve('part')
  await sleep(0)
  assert.equal(await atOnce(), 'part')
  t.mock.timers.tick(1_001)
  assert.deepEqual([await atOnce(), begun.length], ['part', 4], 'a value with gaps is a failed read as well')
  begun[3]?.resolve('new')
  await sleep(0)
  assert.deepEqual([await atOnce(), begun.length], ['new', 4])
  t.mock.timers.tick(61_000)
  assert.equal(await atOnce(), 'waits')
  begun[4]?.resolve('newest')
  await sleep(0)
  assert.deepEqual([await atOnce(), begun.length], ['newest', 5])
})
