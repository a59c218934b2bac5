import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { testDatabase } from '#platform/testing'
import { beginPdf } from '../invoices/draw-sheet.ts'
import { filesThatSay, tablesThatSay } from './test-scan.ts'

const { pool } = await testDatabase()
const words = ['zwackelmann', '77 zeppelin crescent']
const letter = 'A letter to Mrs Zwackelmann of the town hall, once more'

/** A zip file with one deflated entry. */
function zipOf(contents: string | Buffer): Buffer {
  const data = deflateRawSync(contents)
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(1, 26)
  return Buffer.concat([head, Buffer.from('a'), data, Buffer.from('PK\x01\x02', 'latin1')])
}

async function drawn(text: string): Promise<Buffer> {
  const { pdf, end } = beginPdf({ market: 'gb', title: 'A', issuedOn: '2026-11-25' })
  pdf.font('regular').text(text)
  return end()
}

const hidden: [string, Buffer][] = [
  ['as written', Buffer.from(letter)],
  ['in capitals', Buffer.from(letter.toUpperCase())],
  ['in hexadecimal', Buffer.from(Buffer.from(letter).toString('hex'))],
  ...[0, 1, 2].map(
    (n) => [`in base64 at ${n}`, Buffer.from(Buffer.from(`${'-'.repeat(n)}${letter}`).toString('base64'))] as [string, Buffer],
  ),
  ['in gzip', gzipSync(letter)],
  ['in zlib', deflateSync(letter)],
  ['in a zip file', zipOf(letter)],
  ['in a stream of a PDF', Buffer.concat([Buffer.from('%PDF-1.7\nstream\n'), deflateSync(letter), Buffer.from('\nendstream')])],
  ['in glyphs of a PDF', await drawn(letter)],
  ['in a PDF in a zip file', zipOf(await drawn(letter))],
]

test('the scan finds a name in files and in columns of bytes however it is written or packed, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scan-'))
  await pool.query('create schema planted')
  try {
    for (const [how, bytes] of hidden) {
      const file = join(folder, 'planted')
      writeFileSync(file, bytes)
      assert.deepEqual(filesThatSay(folder, words), [file], how)
      rmSync(file)
      await pool.query('create table planted.bytes (content bytea)')
      await pool.query('insert into planted.bytes values ($1)', [bytes])
      assert.deepEqual(await tablesThatSay((text, values) => pool.query(text, values), words), ['planted.bytes'], how)
      await pool.query('drop table planted.bytes')
    }
    writeFileSync(join(folder, 'other'), gzipSync('A letter to somebody else, with 77 Zeppelin Streets'))
    assert.deepEqual(filesThatSay(folder, words), [])
    assert.deepEqual(await tablesThatSay((text, values) => pool.query(text, values), words), [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
