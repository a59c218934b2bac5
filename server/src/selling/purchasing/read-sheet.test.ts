import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sheetRowsOf } from '@purlin/contract/order-rows.ts'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { ZipFile } from 'yazl'
import { readSheet, sheetLimits } from './read-sheet.ts'

const text = (content: string) => new TextEncoder().encode(content)
const rowsOf = async (content: string) => {
  const read = await readSheet(text(content))
  return read.ok ? read.rows.map(({ code, quantity }) => [code, quantity]) : read.reason
}

async function workbook(parts: Record<string, string>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}
/** A workbook whose tabs are these parts, in this order. */
const withTabs = (parts: Record<string, string>, tabs: readonly { part: string; state?: string }[]) =>
  workbook({
    ...parts,
    'xl/workbook.xml': `<workbook><sheets>${tabs
      .map(({ state = 'visible' }, at) => `<sheet name="Tab ${at}" sheetId="${at + 1}" state="${state}" r:id="rId${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${tabs.map(({ part }, at) => `<Relationship Id="rId${at}" Target="${part}"/>`).join('')}</Relationships>`,
  })
const oneSheet = (content: string, others: Record<string, string> = {}) =>
  withTabs({ 'xl/worksheets/sheet1.xml': content, ...others }, [{ part: 'worksheets/sheet1.xml' }])
const sheet = (rows: string) => `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`

test('rows of a text are read with tab, semicolon, comma or space, with quotes, headings and numbers alone', async () => {
  const expected = [
    ['GSB 18-55', '3'],
    ['4006381333931', '10'],
    ['77', '1'],
  ]
  assert.deepEqual(await rowsOf('GSB 18-55\t3\n4006381333931\t10\n77'), expected)
  assert.deepEqual(await rowsOf('\uFEFFArtikelnummer;Menge\r\nGSB 18-55;3\r\n"4006381333931";"10"\r\n;;\r\n77;1'), expected)
  assert.deepEqual(await rowsOf('GSB 18-55,3\n4006381333931,"Screws, zinc",10\n77,'), expected)
  assert.deepEqual(await rowsOf('GSB18 3\n4006381333931   10'), [
    ['GSB18', '3'],
    ['4006381333931', '10'],
  ])
  assert.deepEqual(await rowsOf('a "quoted"";5'), [['a "quoted""', '5']])
  assert.deepEqual(await rowsOf('M1;lots'), [['M1', 'lots']], 'what is no number stays to be reported')
  assert.equal(await rowsOf('\n \n'), 'empty')
  assert.deepEqual(
    await rowsOf(`${'a'.repeat(59)}🔩;${'b'.repeat(70)}`),
    [['a'.repeat(59), 'b'.repeat(60)]],
    'cut, but not within a character',
  )
})

test('a sheet without a column of quantities says so, and the sender names the column', async () => {
  const read = async (content: string, column: number | null = null) => {
    const sheetRead = await readSheet(text(content), undefined, column)
    assert.ok(sheetRead.ok)
    return [sheetRead.isOneEach, ...sheetRead.rows.map(({ code, quantity }) => `${quantity} ${code}`)]
  }
  const decimals = 'SKU;Colli;Price\nM1;3.00;9.90\nM2;5.00;4.50'
  assert.deepEqual(await read(decimals), [true, '1 M1', '1 M2'])
  assert.deepEqual(await read(decimals, 1), [false, '3 M1', '5 M2'])
  assert.deepEqual(await read('SKU;Number\nM1;4\nM2;6'), [true, '1 M1', '1 M2'], 'a second word for part numbers')
  assert.deepEqual(await read('SKU;Number\nM1;4\nM2;6', 1), [false, '4 M1', '6 M2'])
  assert.deepEqual(await read('SKU;Rack;Wanted\nM1;10;4\nM2;10;6'), [false, '10 M1', '10 M2'], 'the first column of whole numbers')
  assert.deepEqual(await read('SKU;Rack;Wanted\nM1;10;4\nM2;10;6', 2), [false, '4 M1', '6 M2'])
  assert.deepEqual(await read('4;M1\n6;M2', 0), [false, '4 M1', '6 M2'], 'before the part numbers')
  assert.deepEqual(await read('M1\nM2'), [false, '1 M1', '1 M2'], 'part numbers alone are one each as they are meant to be')
  assert.deepEqual(await read('M1;\nM2;7', 1), [false, '0 M1', '7 M2'])
  assert.deepEqual(await read('M1;2.5\nM2;7', 1), [false, '2.5 M1', '7 M2'], 'half a piece stays to be reported')
})

test('a quantity with three digits after its sign, a thousand or one, stays to be reported', async () => {
  for (const quantity of ['1.000', '1,000', '2.500']) {
    const sheetRead = await readSheet(text(`M1;${quantity}\nM2;"2,00"\nM3;4,0`), undefined, 1)
    assert.deepEqual(sheetRead.ok && sheetRead.rows.map((row) => row.quantity), [quantity, '2', '4'])
  }
})

test('a line without the separator of the others is read with its own', async () => {
  const expected = [
    ['KX-18', '2'],
    ['100524', '10'],
    ['4006381333931', '5'],
  ]
  assert.deepEqual(await rowsOf('KX-18;2\n100524\t10\n4006381333931,5'), expected)
  assert.deepEqual(await rowsOf('KX-18\t2\n100524\t10\n4006381333931;5'), expected)
  assert.deepEqual(await rowsOf('KX 18;2\nKX 20'), [
    ['KX 18', '2'],
    ['KX 20', '1'],
  ])
})

const ean = '4006381333931'
for (const [what, content, ...expected] of [
  ['a price before the quantity', `EAN;Preis;Menge\n${ean};25;3`, [ean, '3']],
  ['no quantity beside a price', `EAN;Menge;Preis\n${ean};;25`, [ean, '1']],
  ['a decimal quantity beside a price', `EAN;Menge;Preis\n${ean};2,5;25`, [ean, '2,5']],
  ['a decimal quantity without a heading', `${ean};2,5;25\n77;1;25`, [ean, '2,5'], ['77', '1']],
  ['a column of positions', `Pos;EAN;Menge\n1;${ean};3`, [ean, '3']],
  ['a column of positions without a heading', `1;${ean};3\n2;77;5`, [ean, '3'], ['77', '5']],
  ['a name before the number', `Bezeichnung;EAN;Menge\nBohrer 5 mm;${ean};3\n;77;5`, [ean, '3'], ['77', '5']],
  ['a name after the number', `GSB 18;Bohrer 5 mm;3\n77;;5`, ['GSB 18', '3'], ['77', '5']],
  ['a heading with a digit', `EAN13;Menge 2026\n${ean};3`, [ean, '3']],
  ['an article and its EAN', `Article;Code EAN;Qté;Prix unitaire\nPerceuse;${ean};3;129`, [ean, '3']],
  ['a quantity first', `Qty\tPart number\n3\tGSB 18\n\t77`, ['GSB 18', '3'], ['77', '0']],
  ['a price for a piece', `Art.-Nr.;Preis pro Stück;Stück\nM1;25;3`, ['M1', '3']],
  ['Spanish words', `Código;Precio;Cantidad\nM1;25;3`, ['M1', '3']],
  ['Italian words', `Codice articolo;Prezzo;Q.tà\nM1;25;3`, ['M1', '3']],
  ['no quantities at all', `EAN;Preis\n${ean};25`, [ean, '1']],
  ['a heading of unknown words', `Wort;Anderes\nM1;3`, ['M1', '3']],
  ['English quantities under a word that is not listed', 'Part number,Required\nM101,30\nM102,4', ['M101', '30'], ['M102', '4']],
  ['a count', 'Part number,Count\nM101,30\nM102,4', ['M101', '30'], ['M102', '4']],
  ['an order', 'SKU,Order\nM101,30\nM102,', ['M101', '30'], ['M102', '0']],
  ['German quantities under a word that is rare', 'Artikelnummer;Bedarf\nM101;30\nM102;2,5', ['M101', '30'], ['M102', '2,5']],
  ['French quantities under a short word', 'Référence;Nbre\nM101;30', ['M101', '30']],
  ['unlisted quantities after a name, a price and a weight', 'SKU;Name;UVP;Gewicht;Soll\nM101;Bohrer;25;8;30', ['M101', '30']],
  ['unlisted quantities before the number', 'Soll;SKU\n30;M101\n4;M102', ['M101', '30'], ['M102', '4']],
  ['positions under a sign', '#;SKU\n1;M101\n2;M102', ['M101', '1'], ['M102', '1']],
  ['two numbers and no quantity', `EAN;SKU;Preis\n${ean};100524;25`, [ean, '1']],
  ['an EAN or else a part number', `EAN;Artikelnummer;Menge\n${ean};100;3\n;101;5`, [ean, '3'], ['101', '5']],
  ['two part numbers', 'Herstellernummer;Artikelnummer;Menge\n;101;5\nM2;102;6', ['101', '5'], ['M2', '6']],
  ['a quantity of no number', `EAN;Artikelnummer;Menge\n;;5\n${ean};;3\n;;`, ['', '5'], [ean, '3']],
  ['a quantity of no number and no heading', `${ean};2\n;5`, [ean, '2'], ['', '5']],
  ['a line between rows', `EAN;Bezeichnung;Menge\n;Bohrer;\n${ean};8 mm;3`, [ean, '3']],
  ['an amount beside no price', 'Part number,Amount\nM101,30\nM102,4', ['M101', '30'], ['M102', '4']],
  ['an amount beside a price', 'Part number,Amount,Price,Required\nM101,90,3,30', ['M101', '30']],
  ['a product number in the first row', `EAN;3`, ['EAN', '3']],
] as const)
  test(`a sheet with ${what} is read by its columns`, async () => assert.deepEqual(await rowsOf(content), expected))

test('a line break within a quoted cell ends no row, in a file as in pasted cells', async () => {
  const wrapped = {
    'a cell': 'Artikelnummer;Bezeichnung;Menge\r\nM101;"Bohrer\r\n8 mm";30\r\nM102;Säge;4',
    'a heading': '"Artikel-\nnummer";"Menge"\nM101;30\nM102;4',
    'pasted cells': 'M101\t"Bohrer ""Profi""\n\n8 mm, lang"\t30\nM102\tSäge\t4',
    'the last cell': 'M101,30,"von\rgestern"\nM102,4,"von\nheute"',
  }
  for (const [what, content] of Object.entries(wrapped)) {
    const expected = [
      { code: 'M101', quantity: '30' },
      { code: 'M102', quantity: '4' },
    ]
    assert.deepEqual(await readSheet(text(content)), { ok: true, isCut: false, isOneEach: false, rows: expected }, what)
    assert.deepEqual(sheetRowsOf(content).rows, expected, what)
  }
  assert.deepEqual(await rowsOf('"GSB\n18-55";3'), [['GSB 18-55', '3']])
})

test('a sign for inches or a forgotten quote takes no further line with it', async () => {
  const ordered = [
    ['M1', '3'],
    ['M2', '4'],
  ]
  assert.deepEqual(await rowsOf('M1;3;"\nM2;4;"'), ordered)
  assert.deepEqual(await rowsOf('M1;3;" Rohr\nM2;4;" Rohr'), ordered)
  assert.deepEqual(await rowsOf('M1;3;1/2"\nM2;4;3/4"'), ordered)
  assert.deepEqual(await rowsOf(`M1;3;"Rohr\nM2;4;${'x'.repeat(2000)}"`), ordered)
})

test('cells that a workbook leaves out keep their columns, and texts of both byte orders are read', async () => {
  const cell = (r: string, value: string) => `<c r="${r}" t="str"><v>${value}</v></c>`
  const bytes = await oneSheet(
    sheet(
      `<row>${cell('A1', 'Bezeichnung')}${cell('B1', 'EAN')}${cell('C1', 'Menge')}${cell('D1', 'Preis')}</row>` +
        `<row>${cell('A2', 'Bohrer')}${cell('B2', ean)}${cell('C2', '3')}${cell('D2', '25')}</row>` +
        `<row>${cell('B3', '77')}${cell('D3', '25')}</row><row>${cell('B4', '78')}${cell('AB4', '9')}${cell('XFD4', '9')}</row>`,
    ),
  )
  const rows = [
    { code: ean, quantity: '3' },
    { code: '77', quantity: '0' },
    { code: '78', quantity: '0' },
  ]
  assert.deepEqual(await readSheet(bytes), { ok: true, isCut: false, isOneEach: false, rows })
  const little = Buffer.from(`\uFEFF${ean};3`, 'utf16le')
  for (const encoded of [little, Buffer.from(little).swap16()])
    assert.deepEqual(await readSheet(encoded), { ok: true, isCut: false, isOneEach: false, rows: [{ code: ean, quantity: '3' }] })
})

test('an Excel workbook is read with shared, inline and numeric cells; a large number keeps its digits', async () => {
  const bytes = await oneSheet(
    sheet(
      '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c t="s"><v>2</v></c><c><v>3</v></c></row>' +
        '<row><c><v>4.006381333931E12</v></c><c t="str"><v>10</v></c></row>',
    ),
    { 'xl/sharedStrings.xml': '<sst><si><t>Number</t></si><si><t>Pieces</t></si><si><r><t>GSB </t></r><r><t>18-55</t></r></si></sst>' },
  )
  assert.deepEqual(await readSheet(bytes), {
    ok: true,
    isCut: false,
    isOneEach: false,
    rows: [
      { code: 'GSB 18-55', quantity: '3' },
      { code: '4006381333931', quantity: '10' },
    ],
  })
})

test('the first sheet is that of the first tab that is shown, whatever the numbers of the files', async () => {
  const named = (code: string) => sheet(`<row><c t="str"><v>${code}</v></c><c><v>2</v></c></row>`)
  const parts = {
    'xl/worksheets/sheet1.xml': named('third'),
    'xl/worksheets/sheet2.xml': named('second'),
    'xl/worksheets/orders.xml': named('first'),
  }
  const firstOf = async (...tabs: { part: string; state?: string }[]) => {
    const read = await readSheet(await withTabs(parts, tabs))
    return read.ok ? read.rows[0]?.code : read.reason
  }
  const [third, second, first] = ['worksheets/sheet1.xml', 'worksheets/sheet2.xml', '/xl/worksheets/orders.xml'].map((part) => ({ part }))
  assert.ok(first && second && third)
  assert.equal(await firstOf(first, second, third), 'first')
  assert.equal(await firstOf({ ...first, state: 'hidden' }, second, third), 'second')
  assert.equal(await firstOf({ ...first, state: 'hidden' }, { ...second, state: 'veryHidden' }, third), 'third')
  assert.equal(await firstOf({ part: 'chartsheets/sheet1.xml' }, second), 'second', 'a tab with a chart alone has no rows')
  assert.equal(await firstOf({ ...first, state: 'hidden' }), 'damaged')
  assert.equal(await firstOf({ part: '../../secret.xml' }), 'damaged')

  const large = `${sheet('')}${' '.repeat(9_000_000)}`
  const beside = await withTabs({ 'xl/worksheets/sheet1.xml': named('small'), 'xl/worksheets/sheet2.xml': large }, [third, second])
  assert.ok((await readSheet(beside)).ok, 'sheets that are not read do not count')
})

test('bombs, foreign formats and damaged workbooks are refused in a moment', async () => {
  const bomb = await oneSheet(' '.repeat(60_000_000))
  const longContents = await workbook({ 'xl/workbook.xml': ' '.repeat(sheetLimits.contents + 1) })
  assert.ok(bomb.length < sheetLimits.bytes)
  const took = await cpuMsOf(async () => {
    assert.deepEqual(await readSheet(bomb), { ok: false, reason: 'too-large' })
    assert.deepEqual(await readSheet(await workbook(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`p${at}`, ''])))), {
      ok: false,
      reason: 'too-large',
    })
    assert.deepEqual(await readSheet(longContents), { ok: false, reason: 'too-large' })
    assert.deepEqual(await readSheet(new Uint8Array(sheetLimits.bytes + 1)), { ok: false, reason: 'too-large' })
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    const damaged = [
      await oneSheet(entities + sheet('<row><c t="str"><v>&b;</v></c></row>')),
      await oneSheet('<worksheet><row>'),
      await oneSheet(sheet('<row><c t="str"><v>M1&#0;</v></c></row>')),
      await workbook({ 'word/document.xml': '<a/>' }),
      bomb.subarray(0, 2000),
      gzipSync('M1;2'),
      text('PK\u0003\u0004'),
      text('M1\0;2'),
      Buffer.from('\uFEFFM1\0\t2', 'utf16le'),
    ]
    for (const [at, bytes] of damaged.entries()) assert.deepEqual(await readSheet(bytes), { ok: false, reason: 'damaged' }, String(at))
    const many = await readSheet(text('M1;2\n'.repeat(301)))
    assert.deepEqual(many.ok && [many.rows.length, many.isCut], [300, true])
  })
  assert.ok(took < 3000, `${took} ms`)
})

test('a file that is made to be slow keeps nobody waiting: a line of spaces, a million lines, elements nested without end', async () => {
  const nested = `<sst>${'<x>'.repeat(20_000)}${'<t>a</t>'.repeat(20_000)}${'</x>'.repeat(20_000)}</sst>`
  const deep = await oneSheet(nested, { 'xl/sharedStrings.xml': nested })
  const took = await cpuMsOf(async () => {
    assert.deepEqual(await rowsOf(`a${' '.repeat(60_000)}b`), [['a', '1']])
    const many = await readSheet(text('1\n'.repeat(900_000)))
    assert.ok(many.ok && many.isCut)
    for (const quotes of ['"a\n', '"a\n""', ';"', ';""', ';"""', ';"x;""', `;"${' '.repeat(50)}`, `;"${'x""'.repeat(900)}`, '"\n'])
      await readSheet(text(quotes.repeat(1_900_000 / quotes.length)))
    assert.deepEqual(await readSheet(deep), { ok: false, reason: 'damaged' })
  })
  assert.ok(took < 2000, `${took} ms`)
})

test('cells that refer to one text of megabytes cost no more than short ones: blanks and letters, one row and many', async () => {
  const cell = '<c t="s"><v>0</v></c>'
  const shapes = { 'one row': `<row>${cell.repeat(250)}</row>`, 'many rows': `<row>${cell.repeat(4)}</row>`.repeat(5000) }
  const blanks = ' '.repeat(1_000_000)
  const texts = { blanks, letters: 'a'.repeat(1_000_000), 'blanks after a letter': `a${blanks}`, 'a letter after blanks': `${blanks}a` }
  for (const [shape, rows] of Object.entries(shapes))
    for (const [kind, content] of Object.entries(texts)) {
      const bytes = await oneSheet(sheet(rows), { 'xl/sharedStrings.xml': `<sst><si><t>${content}</t></si></sst>` })
      assert.ok(bytes.length < 20_000)
      let read: Awaited<ReturnType<typeof readSheet>> | undefined
      const took = await cpuMsOf(async () => (read = await readSheet(bytes)))
      assert.equal(read?.ok, kind !== 'blanks', `${shape} of ${kind}`)
      assert.ok(took < 1000, `${shape} of ${kind}: ${took} ms`)
    }
})

test('of a row fifty cells are looked at, of a workbook a hundred thousand texts, of a cell what stands after its blanks', async () => {
  const empty = (count: number) => '<c/>'.repeat(count)
  const read = async (rows: string, texts = '') => {
    const result = await readSheet(await oneSheet(sheet(rows), { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` }))
    return result.ok ? result.rows : result.reason
  }
  assert.deepEqual(await read(`<row>${empty(49)}<c><v>71</v></c></row>`), [{ code: '71', quantity: '1' }])
  assert.equal(await read(`<row>${empty(50)}<c><v>71</v></c></row>`), 'empty')
  assert.deepEqual(await read('<row><c t="s"><v>0</v></c></row>', `<si><t>${' '.repeat(500)}</t><t> M1</t></si>`), [
    { code: 'M1', quantity: '1' },
  ])
  assert.deepEqual(await read('<row><c t="s"><v>99999</v></c></row>', '<si><t>M2</t></si>'.repeat(100_000)), [
    { code: 'M2', quantity: '1' },
  ])
  assert.equal(await read('<row><c t="s"><v>99999</v></c></row>', '<si><t>M2</t></si>'.repeat(100_001)), 'too-large')
})

test('A60 a bomb is refused early, and no turn of the event loop takes fifty milliseconds', async () => {
  const row = (cells: number) => `<row>${'<c/>'.repeat(cells)}</row>`
  const million = (text: string) => text.repeat(Math.floor(4_900_000 / text.length))
  const bombs = {
    'cells of a row': await oneSheet(sheet(row(1_200_000))),
    'cells of all rows': await oneSheet(sheet(row(200).repeat(5000))),
    'other elements': await oneSheet(sheet(million('<x/>'))),
    'elements of the texts': await oneSheet(sheet(''), { 'xl/sharedStrings.xml': `<sst>${million('<t/>')}</sst>` }),
    'attributes of an element': await oneSheet(
      sheet(`<row><c ${Array.from({ length: 400_000 }, (_, at) => `a${at}=""`).join(' ')}/></row>`),
    ),
    'an attribute of megabytes': await oneSheet(sheet(`<row><c a="${'&amp;'.repeat(900_000)}"/></row>`)),
  }
  for (const [name, bytes] of Object.entries(bombs)) {
    assert.ok(bytes.length < sheetLimits.bytes, name)
    let least = Infinity
    for (let round = 0; round < 6 && least >= 50; round++) {
      let slowest = 0
      const read = await readSheet(bytes, async (slice) => {
        // Of this thread: others compile and collect garbage meanwhile.
        const startedAt = process.threadCpuUsage()
        const reached = await slice()
        const { user, system } = process.threadCpuUsage(startedAt)
        slowest = Math.max(slowest, (user + system) / 1000)
        return reached
      })
      assert.ok(!read.ok, name)
      assert.equal(read.reason, name === 'an attribute of megabytes' ? 'empty' : 'too-large', name)
      least = Math.min(least, slowest)
    }
    assert.ok(least < 50, `${name}: ${least} ms`)
  }
})

test('A60 a sheet of five thousand rows and twenty columns is read while the event loop turns; more cells are too many', async () => {
  const cells = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => `<c r="${letters(from + at)}1" s="1"><v>${at}</v></c>`).join('')
  const letters = (column: number): string =>
    (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
  let turns = 0
  const read = async (rows: string) => {
    const result = await readSheet(await oneSheet(sheet(rows)), (slice) => (turns++, Promise.resolve(slice())))
    return result.ok || result.reason
  }
  const wide = `<row>${cells(20)}</row>`
  assert.equal(await read(wide.repeat(5000)), true)
  assert.ok(turns > 20, `${turns} turns`)
  assert.equal(await read(wide.repeat(4999) + `<row>${cells(21)}</row>`), 'too-large')
  assert.equal(await read(`<row>${cells(256)}</row>`), true)
  assert.equal(await read(`<row>${cells(257)}</row>`), 'too-large')
  const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')
  assert.equal(await read(`<row ${attributes(64)}>${cells(1)}</row><row ${attributes(64)}/>`), true)
  assert.equal(await read(`<row ${attributes(65)}>${cells(1)}</row>`), 'too-large')
})
