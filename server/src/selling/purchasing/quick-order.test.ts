import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { testDatabase } from '#platform/testing'
import { testGateway, type RequestOptions } from '../../edges/gateway/testing.ts'
import { givePriceList } from '#conditions'
import { addOffer, companiesIn, fillShop, must } from '../checkout/testing.ts'
import { schedules } from './jobs.ts'

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const host = 'pro.gb.localhost:3000'

// Products 1…300, each with its own offer, EAN 2000000000000 + id and part number M<id>.
for (let id = 1; id <= 300; id++)
  await addOffer(database, { id: String(id), price: 1200, proPrice: 1000, stock: 50, bulk: id === 7 ? 6 : null })
await database.pool.query(`update catalogue.product set ean = (2000000000000 + id)::text`)
await database.pool.query(`update catalogue.product set mpn = 'TWIN' where id in (8, 9)`)
await database.pool.query(`update catalogue.offer set status = 'paused' where id = 10`)

interface Row {
  code: string
  quantity: string
}
interface Checked extends Row {
  title: string | null
  price: { amount: number } | null
  total: { amount: number } | null
  problem: { reason: string; message: string } | null
}
interface Data {
  quickOrder: { ready: number; total: { amount: number }; taxKey: string; rows: Checked[] }
  addQuickOrder: { added: number; left: { rows: Checked[] } }
  keptOrderRows: Row[]
  cart: { itemCount: number; totals: { goods: { amount: number } } }
}
const fields = 'ready taxKey total { amount } rows { code quantity title price { amount } total { amount } problem { reason message } }'
const check = `query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) { ${fields} } }`
const add = `mutation ($rows: [OrderRowInput!]!) { addQuickOrder(rows: $rows) { added left { ${fields} } } }`
const ask = async (query: string, rows?: readonly Row[], options: RequestOptions = {}) => {
  const answer = await gateway.post(query, rows ? { rows } : {}, { host, ...options })
  const { data, errors } = answer.body as { data: Data; errors?: { message: string }[] }
  return { ...answer, data, errors }
}
const row = (code: string, quantity: number | string = 1): Row => ({ code, quantity: String(quantity) })
const twelveBad = [
  row('unknown'),
  row('TWIN'),
  row('M10'),
  row('M11', 'x'),
  row('M12', 0),
  row('M13', '-1'),
  row('M14', 51),
  row('M15', '1.5'),
  row('M7', 4),
  row('99999999999999'),
  row('M16', 999_999),
  row(`'; drop table catalogue.product; --`),
]
const good = Array.from({ length: 188 }, (_, at) => row(at % 2 ? `m${at + 20}` : String(2_000_000_000_000 + at + 20), 2))
const mixed = [...good.slice(0, 100), ...twelveBad, ...good.slice(100)]

test('each row is found by EAN or part number in any case, with the price of the storefront', async () => {
  const { data } = await ask(check, [row('2000000000023'), row('m2', 3), row('M5')])
  assert.deepEqual(
    data.quickOrder.rows.map(({ title, total }) => [title, total?.amount]),
    [
      ['Drill 23', 1000],
      ['Drill 2', 3000],
      ['Drill 5', 1000],
    ],
  )
  assert.deepEqual([data.quickOrder.ready, data.quickOrder.total.amount, data.quickOrder.taxKey], [3, 5000, 'with_vat'])
})

test('a number is never that of a product by our own count, be it unknown or that of an ended product, which nobody sells any more', async () => {
  await database.pool.query(`update catalogue.product set mpn = '20', status = 'ended' where id in (291, 292)`)
  await database.pool.query(`update catalogue.product set mpn = 'RELISTED' where id = 293`)
  await database.pool.query(`update catalogue.product set mpn = 'relisted', status = 'ended' where id = 294`)
  const { data } = await ask(check, [row('21'), row('20'), row('2000000000291'), row('2000000000294'), row('RELISTED')])
  assert.deepEqual(
    data.quickOrder.rows.map(({ title, problem }) => problem?.reason ?? title),
    ['unknown-code', 'not-sold', 'not-sold', 'not-sold', 'Drill 293'],
  )
  await database.pool.query(`update catalogue.product set mpn = 'M' || id, status = 'active' where id between 291 and 294`)
})

test('a quantity without a number is reported in its row, and nothing is added for it', async () => {
  const { data } = await ask(add, [row('', 5)])
  assert.equal(data.addQuickOrder.added, 0)
  assert.deepEqual(
    data.addQuickOrder.left.rows.map(({ quantity, problem }) => [quantity, problem?.reason, problem?.message]),
    [['5', 'code-missing', 'Enter the part number or EAN, or clear the quantity.']],
  )
})

test('a UPC of twelve digits, as scanners read it, names the product with this EAN', async () => {
  await database.pool.query(`update catalogue.product set ean = '0036000291452' where id = 290`)
  const { data } = await ask(check, [row('036000291452'), row('0036000291452'), row('36000291452')])
  assert.deepEqual(
    data.quickOrder.rows.map(({ title, problem }) => problem?.reason ?? title),
    ['Drill 290', 'Drill 290', 'unknown-code'],
  )
})

test('rows of one product name the first of them and have the price of their quantity together, as the cart has it', async () => {
  await database.pool.query(`update catalogue.offer set quantity_breaks = '[{"group": "b2b", "from": 10, "price": 900}]' where id = 20`)
  const query = `query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) { total { amount } rows { sameAsRow total { amount } } } }`
  const { data } = await ask(query, [row('M20', 6), row('nothing'), row('2000000000020', 4), row('M21')])
  const { total, rows } = data.quickOrder as unknown as {
    total: object
    rows: { sameAsRow: number | null; total: { amount: number } | null }[]
  }
  assert.deepEqual(
    rows.map(({ sameAsRow, total: each }) => [sameAsRow, each?.amount]),
    [
      [null, 5400],
      [null, undefined],
      [1, 3600],
      [null, 1000],
    ],
  )
  assert.deepEqual({ ...total }, { amount: 10_000 })
})

test('rows of sellers with and without VAT are shown and summed in one tax mode', async () => {
  for (const [id, sellerId] of [
    ['701', 2],
    ['702', 3],
  ] as const)
    await addOffer(database, { id, sellerId, market: 'de', price: 1190 })
  const de = { host: 'pro.de.localhost:3000' }
  const sums = async (...codes: string[]) => {
    const { data } = await ask(
      check,
      codes.map((code) => row(code)),
      de,
    )
    const { taxKey, total, rows } = data.quickOrder
    return [taxKey, total.amount, ...rows.map((each) => each.total?.amount)]
  }
  assert.deepEqual(await sums('M701'), ['without_vat', 1000, 1000])
  assert.deepEqual(await sums('M701', 'M702'), ['with_vat', 2380, 1190, 1190])
})

test('a sheet of 200 rows with twelve bad ones: every bad row is named, the others go into the cart in one command', async () => {
  const { data } = await ask(check, mixed)
  const bad = data.quickOrder.rows.flatMap(({ code, problem }) => (problem ? [[code, problem.reason]] : []))
  assert.deepEqual(
    bad.map(([, reason]) => reason),
    [
      'unknown-code',
      'ambiguous-code',
      'not-sold',
      'quantity-invalid',
      'quantity-invalid',
      'quantity-invalid',
      'out-of-stock',
      'quantity-invalid',
      'quantity-not-multiple',
      'unknown-code',
      'quantity-too-large',
      'unknown-code',
    ],
  )
  assert.equal(data.quickOrder.ready, 188)
  const added = await ask(add, mixed)
  const { cookie } = added
  assert.equal(added.data.addQuickOrder.added, 188)
  assert.deepEqual(
    added.data.addQuickOrder.left.rows.map(({ code, problem }) => [code, problem?.reason]),
    bad,
  )
  const { data: now } = await ask('{ cart { itemCount totals { goods { amount } } } keptOrderRows { code quantity } }', undefined, {
    cookie,
  })
  assert.equal(now.cart.itemCount, 376)
  assert.equal(now.cart.totals.goods.amount, data.quickOrder.total.amount)
  assert.deepEqual(now.keptOrderRows, twelveBad)
  const stranger = await ask('{ keptOrderRows { code } }')
  assert.deepEqual(stranger.data.keptOrderRows, [])
})

test('rows of one article add up, with each other and with the cart; the row that exceeds the stock is left', async () => {
  const first = await ask(add, [row('M1', 30), row('2000000000001', 15), row('M1', 10)])
  assert.equal(first.data.addQuickOrder.added, 2)
  assert.deepEqual(
    first.data.addQuickOrder.left.rows.map(({ quantity, problem }) => [quantity, problem?.reason]),
    [['10', 'out-of-stock']],
  )
  const again = await ask(add, [row('M1', 6)], { cookie: first.cookie })
  assert.equal(again.data.addQuickOrder.added, 0)
  const rest = await ask(add, [row('M1', 5)], { cookie: first.cookie })
  assert.equal(rest.data.addQuickOrder.added, 1)
})

test('rows for which the basket has no room are named when they are checked, not only when they are added', async () => {
  const { cookie } = await ask(add, [row('M1')])
  await database.pool.query(
    `insert into cart.line (cart_id, offer_id, quantity, seen_price)
     select cart_id, g.id, 1, 1000 from cart.line l, generate_series(1000001, 1000298) g (id)
     where l.cart_id = (select cart_id from cart.line order by cart_id desc limit 1)`,
  )
  const rows = [row('M2'), row('M3'), row('M1'), row('M2')]
  const problems = (checked: readonly Checked[]) => checked.map(({ problem }) => problem?.reason)
  const checked = await ask(check, rows, { cookie })
  assert.deepEqual(problems(checked.data.quickOrder.rows), [undefined, 'cart-too-large', undefined, undefined])
  const { data } = await ask(add, rows, { cookie })
  assert.equal(data.addQuickOrder.added, 3)
  assert.deepEqual(problems(data.addQuickOrder.left.rows), ['cart-too-large'])
})

test('two quick orders at the same moment never put more into a cart than there is', async () => {
  const { cookie } = await ask(add, [row('M3', 1)])
  const both = await Promise.all(Array.from({ length: 8 }, () => ask(add, [row('M3', 10), row('M4', 10)], { cookie })))
  const added = both.reduce((sum, { data }) => sum + data.addQuickOrder.added, 0)
  const { data } = await ask('{ cart { itemCount totals { goods { amount } } } }', undefined, { cookie })
  assert.equal(added, 9)
  assert.equal(data.cart.itemCount, 91)
})

test('rows sent twice from one page are added once, also at the same moment; other rows from that page are added as well', async () => {
  const { cookie } = await ask(add, [row('M30', 1)])
  const send = async (idempotencyKey: string, rows: readonly Row[]) => {
    const query = `mutation ($rows: [OrderRowInput!]!, $idempotencyKey: String) {
      addQuickOrder(rows: $rows, idempotencyKey: $idempotencyKey) { added left { ${fields} } } }`
    const { body } = await gateway.post(query, { rows, idempotencyKey }, { host, cookie })
    const { added, left } = (body as { data: Data }).data.addQuickOrder
    return [added, ...left.rows.map(({ code, problem }) => `${code}: ${problem?.reason}`)]
  }
  const count = async () => (await ask('{ cart { itemCount } }', undefined, { cookie })).data.cart.itemCount
  const rows = [row('M31', 50), row('nothing', 2)]
  const told = [1, 'nothing: unknown-code']
  assert.deepEqual(await Promise.all([send('page-one', rows), send('page-one', rows)]), [told, told])
  assert.deepEqual(await send('page-one', rows), told, 'nor later, when none of the pieces is left')
  assert.equal(await count(), 51)
  assert.deepEqual(await send('page-one', [row('M32', 10)]), [1], 'somebody has gone back and typed others')
  assert.deepEqual(await send('page-two', [row('M32', 10)]), [1])
  assert.equal(await count(), 71)
})

test('300 rows are checked with the statements of one; more rows or longer cells are refused', async () => {
  const one = await ask(check, [row('M2')])
  const all = await ask(
    check,
    Array.from({ length: 300 }, (_, at) => row(`M${at + 1}`)),
  )
  assert.equal(all.data.quickOrder.rows.length, 300)
  assert.equal(all.statements, one.statements)
  for (const rows of [Array.from({ length: 301 }, () => row('M2')), [row('x'.repeat(61))], [row('M2', '1'.repeat(61))]]) {
    const refused = await ask(check, rows)
    assert.deepEqual([refused.status, refused.errors?.length], [400, 1])
  }
})

test('200 rows with agreed prices are checked with the statements of one, four of them for the company', async () => {
  const { newCompany, join } = companiesIn(database)
  const company = await newCompany()
  const list = { name: 'All', market: 'gb', validFrom: null, validTo: null, companies: [{ companyId: company.id }], groups: [] } as const
  const rules = [{ productId: null, categoryId: 2, price: null, percentBp: 2000 }]
  must(await database.command({}, (scope) => givePriceList(scope, 1, { ...list, rules })))
  const { cookie } = await join(company, 'buyer')
  const other = await join(await newCompany(), 'buyer')
  const sheet = Array.from({ length: 200 }, (_, at) => row(`M${at + 51}`, 2))
  const [one, all, stranger] = [await ask(check, [row('M60')], { cookie }), await ask(check, sheet, { cookie }), await ask(check, sheet)]
  assert.deepEqual([all.data.quickOrder.ready, all.data.quickOrder.total.amount], [200, 200 * 2 * 800])
  assert.equal(all.statements, one.statements)
  assert.equal((await ask(check, sheet, { cookie: other.cookie })).statements, all.statements)
  // The session, the price lists, the accepted quotes, the cart and the subscription.
  assert.equal(all.statements, stranger.statements + 5)
})

async function send(content: string | Blob, headers: Record<string, string> = {}, column?: string) {
  const form = new FormData()
  if (column !== undefined) form.append('column', column)
  form.append('sheet', typeof content === 'string' ? new File([content], 'order.csv', { type: 'text/csv' }) : content)
  const response = await fetch(`${gateway.url}/api/v1/quick-order/sheet`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  return { status: response.status, to: response.headers.get('location'), cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

test('an uploaded sheet is kept for its sender alone, and for a day; a foreign page cannot send one', async () => {
  const sent = await send('Part;Pieces\nM1;2\nM2;3')
  assert.deepEqual([sent.status, sent.to], [303, '/quick-order?sheet=read'])
  const kept = async (cookie: string) =>
    (await ask('{ keptOrderRows { code quantity } }', undefined, { cookie, host: 'localhost' })).data.keptOrderRows
  assert.deepEqual(await kept(sent.cookie), [row('M1', 2), row('M2', 3)])
  const other = await send('M9;1')
  assert.deepEqual(await kept(other.cookie), [row('M9', 1)])
  assert.deepEqual((await kept(sent.cookie)).length, 2)
  assert.equal((await send('M1;1', { cookie: sent.cookie, 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await send('')).to, '/quick-order?sheet=empty')
  assert.equal((await send('x'.repeat(2_000_001))).to, '/quick-order?sheet=too-large')
  assert.equal((await kept(sent.cookie)).length, 2, 'a file that cannot be read takes nothing away')
  await database.pool.query(`update purchasing.kept_rows set kept_at = now() - interval '25 hours'`)
  for (const { run } of schedules) await database.command({}, run)
  assert.deepEqual(await kept(sent.cookie), [])
})

test('a sheet whose quantities are not found is sent again with the letter of their column', async () => {
  const content = 'SKU;Colli;Price\nM1;2.00;9.90\nM2;3.00;4.50'
  const kept = async (cookie: string) =>
    (await ask('{ keptOrderRows { code quantity } }', undefined, { cookie, host: 'localhost' })).data.keptOrderRows
  const sent = await send(content)
  assert.equal(sent.to, '/quick-order?sheet=read&quantities=none')
  assert.deepEqual(await kept(sent.cookie), [row('M1'), row('M2')])
  for (const [column, expected] of [
    ['B', [row('M1', 2), row('M2', 3)]],
    ['', [row('M1'), row('M2')]],
    ['b', [row('M1'), row('M2')]],
    ['AB', [row('M1'), row('M2')]],
  ] as const)
    assert.deepEqual(await kept((await send(content, {}, column)).cookie), expected, column)
})

test('an uploaded sheet with numbers of its rows, of its customer and of packs orders the right products in the right quantities', async () => {
  await database.pool.query(
    `update catalogue.product set mpn = v.mpn from (values (285, '2'), (286, '4711')) v (id, mpn) where product.id = v.id`,
  )
  const ordered = async (content: string) => {
    const { data } = await ask('{ keptOrderRows { code quantity } }', undefined, {
      cookie: (await send(content)).cookie,
      host: 'localhost',
    })
    const { data: checked } = await ask(check, data.keptOrderRows)
    return checked.quickOrder.rows.map(({ title, quantity, problem }) => `${quantity} × ${title ?? problem?.reason}`)
  }
  for (const content of [
    'Nr.;EAN;Artikelnummer;Menge\n1;2000000000023;M23;1\n2;;M24;5',
    'Kunden-Nr.;EAN;Artikelnummer;Menge\n4711;2000000000023;M23;1\n4711;;M24;5',
    'Nr.;Artikelnummer;Menge\n1;M23;1\n2;M24;5',
    'Artikelnummer;Stück je Karton;Menge\nM23;2;1\nM24;4;5',
  ])
    assert.deepEqual(await ordered(content), ['1 × Drill 23', '5 × Drill 24'], content)
  assert.deepEqual(await ordered('1;2000000000023;1\n2;;5\n3;M24;5'), ['1 × Drill 23', '5 × code-missing', '5 × Drill 24'])
  await database.pool.query(`update catalogue.product set mpn = 'M' || id where id in (285, 286)`)
})

/** An Excel workbook with a heading and a row for each of these. */
async function workbookOf(rows: readonly Row[]): Promise<File> {
  const escaped = (cell: string) => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lines = [row('Article', 'Quantity'), ...rows]
  const texts = lines.map(({ code }) => `<si><t>${escaped(code)}</t></si>`)
  const cells = lines.map(({ quantity }, at) => {
    const second = /^-?\d/.test(quantity) ? `<c><v>${quantity}</v></c>` : `<c t="str"><v>${escaped(quantity)}</v></c>`
    return `<row><c t="s"><v>${at}</v></c>${second}</row>`
  })
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Order" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`,
  }
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new File([await buffer(zip.outputStream)], 'order.xlsx', { type })
}

test('an Excel workbook of 200 rows, twelve of them bad, leads to the same rows, prices and problems as the same rows as CSV', async () => {
  const csv = ['Article;Quantity', ...mixed.map(({ code, quantity }) => `"${code}";${quantity}`)].join('\r\n')
  const outcomes = []
  for (const content of [await workbookOf(mixed), csv]) {
    const sent = await send(content)
    assert.deepEqual([sent.status, sent.to], [303, '/quick-order?sheet=read'])
    const { data } = await ask('{ keptOrderRows { code quantity } }', undefined, { cookie: sent.cookie, host: 'localhost' })
    const { data: checked } = await ask(check, data.keptOrderRows)
    const added = await ask(add, data.keptOrderRows)
    outcomes.push({ kept: data.keptOrderRows, checked: checked.quickOrder, added: added.data.addQuickOrder })
  }
  const [ofWorkbook, ofCsv] = outcomes
  assert.deepEqual(ofWorkbook, ofCsv)
  assert.deepEqual(ofWorkbook?.kept, mixed)
  assert.deepEqual([ofWorkbook.checked.ready, ofWorkbook.added.added, ofWorkbook.added.left.rows.length], [188, 188, 12])
})
