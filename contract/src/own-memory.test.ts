import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { ownMemory } from './own-memory.ts'

test('V-13 what is kept of a compressed or small text holds no memory besides its own', () => {
  for (const cut of [brotliCompressSync(Buffer.from('abc '.repeat(9000))), Buffer.from('a small text')]) {
    const own = ownMemory(cut)
    assert.deepEqual(own, cut)
    assert.equal(own.buffer.byteLength, own.length)
    assert.equal(ownMemory(own), own)
  }
})
