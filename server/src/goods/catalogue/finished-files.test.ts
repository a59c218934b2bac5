import assert from 'node:assert/strict'
import { brotliDecompressSync } from 'node:zlib'
import { test } from 'node:test'
import { finished, keptFile } from './finished-files.ts'

const million = 1024 * 1024
const heavy = (key: string) => finished(key, 'v', async () => Buffer.from(key.repeat(18 * million)))

test('a file is created once, with a compressed copy; one that cannot be created is absent', async () => {
  let made = 0
  const make = async () => Buffer.from(`<svg>${(made += 1)}</svg>`)
  const first = await finished('small', 'v1', make)
  assert.equal(await finished('small', 'v1', make), first)
  assert.equal(brotliDecompressSync(first!.brotli ?? '').toString(), first!.body.toString())
  assert.deepEqual([made, first?.version, keptFile('never')], [1, 'v1', undefined])
  assert.deepEqual(
    [first?.body, first?.brotli].map((kept) => kept?.buffer.byteLength),
    [first?.body.length, first?.brotli?.length],
    'no more memory than bytes',
  )
  assert.equal(await finished('none', 'v', async () => null), null)
})

test('over the size limit, the least recently used file is evicted first', async () => {
  await heavy('a')
  await heavy('b')
  assert.ok(keptFile('a'))
  await heavy('c')
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => keptFile(key) !== undefined),
    [true, false, true],
  )
})
