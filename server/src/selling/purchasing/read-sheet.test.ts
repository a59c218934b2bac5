import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { ZipFile } from 'yazl'
import { readSheet, sheetLimits } from './read-sheet.ts'

const text = (content: string) => new TextEncoder().encode(content)
const rowsOf = (content: string) => {
  const read = readSheet(text(content))
  return read.ok ? read.rows.map(({ code, quantity }) => [code, quantity]) : read.reason
}

async function workbook(parts: Record<string, string>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}
const sheet = (rows: string) => `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`

test('rows of a text are read with tab, semicolon, comma or space, with quotes, headings and missing quantities', () => {
  const expected = [
    ['GSB 18-55', '3'],
    ['4006381333931', '10'],
    ['77', '1'],
  ]
  assert.deepEqual(rowsOf('GSB 18-55\t3\n4006381333931\t10\n77'), expected)
  assert.deepEqual(rowsOf('\uFEFFArtikelnummer;Menge\r\nGSB 18-55;3\r\n"4006381333931";"10"\r\n;;\r\n77;'), expected)
  assert.deepEqual(rowsOf('GSB 18-55,3\n4006381333931,"Screws, zinc",10\n77,'), expected)
  assert.deepEqual(rowsOf('GSB18 3\n4006381333931   10'), [
    ['GSB18', '3'],
    ['4006381333931', '10'],
  ])
  assert.deepEqual(rowsOf('a "quoted"";5'), [['a "quoted""', '5']])
  assert.deepEqual(rowsOf('M1;lots'), [['M1', 'lots']], 'what is no number stays to be reported')
  assert.equal(rowsOf('\n \n'), 'empty')
})

test('an Excel workbook is read with shared, inline and numeric cells; a large number keeps its digits', async () => {
  const bytes = await workbook({
    'xl/worksheets/sheet2.xml': sheet('<row><c t="inlineStr"><is><t>other sheet</t></is></c></row>'),
    'xl/worksheets/sheet1.xml': sheet(
      '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c t="s"><v>2</v></c><c><v>3</v></c></row>' +
        '<row><c><v>4.006381333931E12</v></c><c t="str"><v>10</v></c></row>',
    ),
    'xl/sharedStrings.xml': '<sst><si><t>Number</t></si><si><t>Pieces</t></si><si><r><t>GSB </t></r><r><t>18-55</t></r></si></sst>',
  })
  assert.deepEqual(readSheet(bytes), {
    ok: true,
    isCut: false,
    rows: [
      { code: 'GSB 18-55', quantity: '3' },
      { code: '4006381333931', quantity: '10' },
    ],
  })
})

test('bombs, foreign formats and damaged workbooks are refused in a moment', async () => {
  const bomb = await workbook({ 'xl/worksheets/sheet1.xml': ' '.repeat(60_000_000) })
  assert.ok(bomb.length < sheetLimits.bytes)
  const took = await cpuMsOf(async () => {
    assert.deepEqual(readSheet(bomb), { ok: false, reason: 'too-large' })
    assert.deepEqual(readSheet(await workbook(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`p${at}`, ''])))), {
      ok: false,
      reason: 'too-large',
    })
    assert.deepEqual(readSheet(new Uint8Array(sheetLimits.bytes + 1)), { ok: false, reason: 'too-large' })
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    const damaged = [
      await workbook({ 'xl/worksheets/sheet1.xml': entities + sheet('<row><c t="str"><v>&b;</v></c></row>') }),
      await workbook({ 'xl/worksheets/sheet1.xml': '<worksheet><row>' }),
      await workbook({ 'word/document.xml': '<a/>' }),
      bomb.subarray(0, 2000),
      gzipSync('M1;2'),
      text('PK\u0003\u0004'),
    ]
    for (const [at, bytes] of damaged.entries()) assert.deepEqual(readSheet(bytes), { ok: false, reason: 'damaged' }, String(at))
    const many = readSheet(text('M1;2\n'.repeat(301)))
    assert.deepEqual(many.ok && [many.rows.length, many.isCut], [300, true])
  })
  assert.ok(took < 3000, `${took} ms`)
})

test('a file that is made to be slow keeps nobody waiting: a line of spaces, a million lines, elements nested without end', async () => {
  const nested = `<sst>${'<x>'.repeat(20_000)}${'<t>a</t>'.repeat(20_000)}${'</x>'.repeat(20_000)}</sst>`
  const deep = await workbook({ 'xl/worksheets/sheet1.xml': nested, 'xl/sharedStrings.xml': nested })
  const took = await cpuMsOf(() => {
    assert.deepEqual(rowsOf(`a${' '.repeat(60_000)}b`), [['a', '1']])
    const many = readSheet(text('1\n'.repeat(900_000)))
    assert.ok(many.ok && many.isCut)
    assert.deepEqual(readSheet(deep), { ok: false, reason: 'damaged' })
  })
  assert.ok(took < 2000, `${took} ms`)
})
