import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMadeFiles } from './made-files.ts'

test('V-13 a file is made once for all who ask within ten minutes, and again afterwards', async () => {
  let now = 0
  let made = 0
  const files = createMadeFiles({ now: () => now })
  const ask = async () => String(await files('a', async () => `file ${++made}`))
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['file 1', 'file 1', 'file 1'])
  now = 599_999
  assert.equal(await ask(), 'file 1')
  now = 600_000
  assert.equal(await ask(), 'file 2')
})

test('V-13 files beyond the memory allowed are dropped, the oldest first', async () => {
  const made: string[] = []
  const files = createMadeFiles({ maxBytes: 100 })
  const ask = (name: string, bytes: number) =>
    files(name, async () => {
      made.push(name)
      return 'x'.repeat(bytes)
    })
  for (const name of ['a', 'b', 'c']) await ask(name, 40)
  for (const name of ['c', 'b', 'a']) await ask(name, 40)
  assert.deepEqual(made, ['a', 'b', 'c', 'a'])
  assert.equal((await ask('too large', 101))?.length, 101)
  await ask('a', 40)
  assert.deepEqual(made.slice(4), ['too large', 'a'])
})

test('a file that could not be made, or that does not exist, is not kept', async () => {
  const files = createMadeFiles()
  await assert.rejects(files('a', () => Promise.reject(new Error('not now'))))
  assert.equal(await files('a', async () => null), null)
  assert.equal(String(await files('a', async () => 'there')), 'there')
})
