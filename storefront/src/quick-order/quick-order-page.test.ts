import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const path = '/quick-order'
const money = (formatted: string) => ({ formatted })
const good = {
  code: 'M1',
  quantity: '2',
  title: 'Cordless drill',
  url: '/p/cordless-drill-1',
  price: money('£10.00'),
  total: money('£20.00'),
  problem: null,
  sameAsRow: null,
}
const bad = {
  code: 'nothing',
  quantity: '3',
  title: null,
  url: null,
  price: null,
  total: null,
  problem: { reason: 'unknown-code', message: 'We know no article with this number.' },
  sameAsRow: null,
}
const checked = (rows: object[]) => ({
  ready: rows.filter((row) => row === good).length,
  total: money('£20.00'),
  taxKey: 'without_vat',
  rows,
})

test('the quick order is a form for everybody on the professional storefront, and no page of the consumers’', async () => {
  const { status, body } = await pageOf({ quickOrder: checked([]) }, path, { host })
  assert.equal(status, 200)
  assert.equal(body.match(/name="code"/g)?.length, 5)
  assert.match(body, /action="\/api\/v1\/quick-order\/sheet" encType="multipart\/form-data"/i)
  assert.equal((await pageOf({}, path)).status, 404)
})

test('without a script: rows are checked together, bad ones stay in their fields with the reason, and right ones go to the cart', async () => {
  const sent: unknown[] = []
  let answer = checked([good, bad])
  let left: object[] = [bad]
  let added = 1
  const shop = await shopWith({
    quickOrder: ({ rows }: { rows: unknown }) => (sent.push(rows), answer),
    addQuickOrder: () => ({ added, left: checked(left) }),
    keptOrderRows: [{ code: 'nothing', quantity: '3' }],
  })
  try {
    const form = { do: 'check', code: 'M1', quantity: '2', lines: 'nothing;3' }
    const checking = await shop.ask(path, { host, form })
    assert.equal(checking.status, 422)
    assert.deepEqual(JSON.parse(JSON.stringify(sent[0])), [
      { code: 'M1', quantity: '2' },
      { code: 'nothing', quantity: '3' },
    ])
    assert.match(checking.body, /value="nothing"/)
    assert.match(checking.body, /aria-invalid="true"[^>]*aria-describedby="found-1"/)
    for (const part of ['Cordless drill', '£20.00', 'We know no article with this number.', 'To be corrected'])
      assert.ok(textOf(checking.body).includes(part), part)

    const adding = await shop.ask(path, { host, form: { ...form, do: 'add' } })
    assert.deepEqual([adding.status, adding.headers['location']], [303, '/quick-order?sheet=left'])
    answer = checked([bad])
    added = 0
    const back = await shop.ask('/quick-order?sheet=left', { host })
    assert.ok(textOf(back.body).includes('These rows are not in the basket yet'))
    assert.match(back.body, /value="nothing"/)
    const nothing = await shop.ask(path, { host, form: { ...form, do: 'add' } })
    assert.equal(nothing.status, 422)
    assert.ok(textOf(nothing.body).includes('None of the rows can go into the basket yet'))

    answer = checked([good])
    left = []
    added = 1
    assert.equal((await shop.ask(path, { host, form: { do: 'check', code: 'M1', quantity: '2', lines: '' } })).status, 200)
    const all = await shop.ask(path, { host, form: { do: 'add', code: 'M1', quantity: '2', lines: '' } })
    assert.equal(all.headers['location'], '/cart')
    const empty = await shop.ask(path, { host, form: { do: 'add', code: '', quantity: '', lines: '' } })
    assert.deepEqual([empty.status, textOf(empty.body).includes('Enter at least one part number.')], [422, true])
  } finally {
    await shop.close()
  }
})

test('rows are sent with the key of the page they were typed on, so that a second press adds nothing', async () => {
  const keys: unknown[] = []
  const shop = await shopWith({
    // As it is once the first press has added the last pieces.
    quickOrder: () => checked([bad]),
    addQuickOrder: ({ idempotencyKey }: { idempotencyKey: string }) => (keys.push(idempotencyKey), { added: 1, left: checked([]) }),
  })
  try {
    const keyOf = async () => /name="idempotencyKey" value="([\w-]+)"/.exec((await shop.ask(path, { host })).body)?.[1] ?? ''
    const key = await keyOf()
    assert.notEqual(await keyOf(), key)
    const press = () => shop.ask(path, { host, form: { do: 'add', idempotencyKey: key, code: 'M1', quantity: '2', lines: '' } })
    for (const { status, headers } of await Promise.all([press(), press()])) assert.deepEqual([status, headers['location']], [303, '/cart'])
    assert.deepEqual(keys, [key, key])
  } finally {
    await shop.close()
  }
})

test('a quantity without a number is sent to be reported, typed or pasted; a row whose fields are emptied is left out', async () => {
  const sent: unknown[] = []
  const shop = await shopWith({ quickOrder: ({ rows }: { rows: unknown }) => (sent.push(rows), checked([good, bad])) })
  try {
    const check = (quantity: string) => shop.ask(path, { host, form: { do: 'check', code: '', quantity, lines: 'M1;2\n;7' } })
    const pasted = [
      { code: 'M1', quantity: '2' },
      { code: '', quantity: '7' },
    ]
    assert.equal((await check('5')).status, 422)
    assert.equal((await check('')).status, 422)
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), [[{ code: '', quantity: '5' }, ...pasted], pasted])
  } finally {
    await shop.close()
  }
})

test('of more rows than one order holds none goes into the basket: the first three hundred are checked, and the page says that the rest is missing', async () => {
  const checks: unknown[][] = []
  let added = 0
  const shop = await shopWith({
    quickOrder: ({ rows }: { rows: unknown[] }) => (checks.push(rows), { ...checked(rows.map(() => good)), ready: rows.length }),
    addQuickOrder: () => ((added += 1), { added: 300, left: checked([]) }),
  })
  try {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `M${at + 1};2`).join('\n')
    const send = (button: string, count: number) =>
      shop.ask(path, { host, form: { do: button, code: '', quantity: '', lines: lines(count) } })
    for (const [button, status] of [
      ['add', 422],
      ['check', 200],
    ] as const) {
      const answer = await send(button, 320)
      assert.equal(answer.status, status, button)
      assert.match(textOf(answer.body), /Only the first 300 rows have been read, and none of them is in the basket yet\./, button)
      assert.equal(answer.body.match(/name="code"/g)?.length, 300, button)
    }
    assert.deepEqual([checks.map(({ length }) => length), added], [[300, 300], 0])
    assert.deepEqual([(await send('add', 300)).headers['location'], added], ['/cart', 1])
  } finally {
    await shop.close()
  }
})

test('a pasted text is read whole or not at all: one that is too long is shown again, with the reason, and nothing of it is ordered', async () => {
  const checks: { code: string; quantity: string }[][] = []
  const shop = await shopWith({
    quickOrder: ({ rows }: { rows: { code: string; quantity: string }[] }) => (
      checks.push(rows),
      { ...checked(rows.map(() => good)), ready: rows.length }
    ),
  })
  try {
    const { body } = await shop.ask(path, { host })
    assert.match(body, /<textarea[^>]*name="lines"/)
    assert.doesNotMatch(body, /<textarea[^>]*maxlength/i, 'browsers cut what is pasted, without a word')

    const row = (at: number, name: string) => `M${1000 + at}\t${name}\t25`
    const long = Array.from({ length: 300 }, (_, at) => row(at, 'Schlagbohrmaschine für Löcher, 18 V, '.repeat(8))).join('\n')
    const send = (lines: string) => shop.ask(path, { host, form: { do: 'check', code: '', quantity: '', lines } })
    assert.ok(long.length > 90_000 && long.length < 100_000)
    assert.equal((await send(long)).status, 200)
    assert.deepEqual([checks[0]?.length, { ...checks[0]?.at(-1) }], [300, { code: 'M1299', quantity: '25' }])

    const longest = long.padEnd(99_991) + '\nM1\t12345'
    assert.equal(longest.length, 100_000)
    assert.equal((await send(longest.replaceAll('\n', '\r\n'))).status, 200, 'as browsers send it')
    const refused = await send(`${longest}6`)
    assert.equal(refused.status, 422)
    assert.match(textOf(refused.body), /The pasted text is longer than 100,000 characters, and none of it has been read\./)
    assert.ok(refused.body.includes('\nM1\t123456</textarea>'), 'whole')
    assert.equal(checks.length, 2)
  } finally {
    await shop.close()
  }
})

test('pasted rows are added as they stand, the first like the others, and below the words of a heading', async () => {
  const added: { code: string; quantity: string }[][] = []
  const shop = await shopWith({
    addQuickOrder: ({ rows }: { rows: { code: string; quantity: string }[] }) => (
      added.push(rows),
      { added: rows.length, left: checked([]) }
    ),
  })
  try {
    const add = (lines: string) => shop.ask(path, { host, form: { do: 'add', code: '', quantity: '', lines } })
    for (const lines of ['SKU-1001\t5\nSKU-1002\t3', 'Artikelnummer\tMenge gesamt\nSKU-1001\t5\nSKU-1002\t3']) {
      const { status, headers } = await add(lines)
      assert.deepEqual([status, headers['location']], [303, '/cart'], lines)
      assert.deepEqual(
        added.pop()?.map(({ code, quantity }) => `${quantity} × ${code}`),
        ['5 × SKU-1001', '3 × SKU-1002'],
      )
    }
  } finally {
    await shop.close()
  }
})

test('of pasted rows without quantities none goes into the basket before the page has said that each is one', async () => {
  const sent: unknown[] = []
  let added = 0
  const shop = await shopWith({
    quickOrder: ({ rows }: { rows: unknown[] }) => (
      sent.push(rows),
      { ...checked(rows.map(() => ({ ...good, quantity: '1' }))), ready: rows.length }
    ),
    addQuickOrder: ({ rows }: { rows: unknown[] }) => ((added += rows.length), { added: rows.length, left: checked([]) }),
  })
  try {
    const send = (button: string, lines: string, code = '') => shop.ask(path, { host, form: { do: button, code, quantity: '', lines } })
    const packs = 'Part number;Units per pack;Packs\nM23;10;2\nM24;25;4'
    for (const [button, status] of [
      ['add', 422],
      ['check', 200],
    ] as const) {
      const answer = await send(button, packs)
      assert.equal(answer.status, status, button)
      assert.match(textOf(answer.body), /No column of quantities was found in the pasted rows: one of each\./, button)
      assert.match(answer.body, /name="quantity"[^>]*value="1"/, button)
    }
    assert.equal(added, 0)
    assert.deepEqual(
      JSON.parse(JSON.stringify(sent[0])),
      ['M23', 'M24'].map((code) => ({ code, quantity: '1' })),
    )
    const both = await send('add', ['SKU;Packs', ...Array.from({ length: 301 }, (_, at) => `M${at};2`)].join('\n'))
    assert.match(textOf(both.body), /Only the first 300 rows have been read.*No column of quantities was found/s)
    // The rows that the page has shown.
    assert.equal((await send('add', '', 'M23')).headers['location'], '/cart')
    assert.equal((await send('add', 'M23\nM24')).headers['location'], '/cart', 'numbers alone are meant to be one each')
    assert.equal(added, 3)
  } finally {
    await shop.close()
  }
})

test('a wishlist becomes a quick order of its products, read with one query, and somebody else’s list an empty one', async () => {
  const sent: unknown[] = []
  const lists: string[] = []
  const shop = await shopWith({
    wishlistRows: ({ id }: { id: string }) => (lists.push(id), id === 'w1' ? [{ code: '7', quantity: '4' }] : []),
    quickOrder: ({ rows }: { rows: unknown }) => (sent.push(rows), checked([good])),
  })
  try {
    assert.equal((await shop.ask('/quick-order?list=w1', { host })).status, 200)
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), [[{ code: '7', quantity: '4' }]])
    assert.equal((await shop.ask('/quick-order?list=w2', { host })).status, 200)
    assert.equal(sent.length, 1)
    assert.deepEqual(lists, ['w1', 'w2'])
  } finally {
    await shop.close()
  }
})

test('above the rows stands how many are to be corrected, with a link to the first; of many rows only those are shown', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => (at === 12 || at === 20 ? bad : good))
  const shop = await shopWith({ quickOrder: () => ({ ...checked(rows), ready: 28 }), keptOrderRows: [{ code: 'x', quantity: '1' }] })
  try {
    const { body } = await shop.ask('/quick-order?sheet=read', { host })
    const [, summary = ''] = /<div[^>]*role="alert"[^>]*>([\s\S]*?)<form/.exec(body) ?? []
    assert.match(textOf(summary), /2 of 30 rows need correction\. Go to the first row to correct/)
    assert.match(summary, /href="#row-12"/)
    assert.match(body, /id="row-12"/)
    assert.match(body, /<input type="checkbox" data-only-wrong="true" checked=""/)
    assert.equal(body.match(/name="code"/g)?.length, 32, 'hidden rows are sent as well')
  } finally {
    await shop.close()
  }
  const right = await pageOf({ quickOrder: checked([good]), keptOrderRows: [{ code: 'M1', quantity: '1' }] }, '/quick-order?sheet=read', {
    host,
  })
  assert.match(textOf(right.body), /The row can go into the basket\./)
  assert.doesNotMatch(right.body, /role="alert"/)
})

test('a file without a column of quantities is said to be one of each, and its column can be chosen', async () => {
  const rows = { quickOrder: checked([good]), keptOrderRows: [{ code: 'M1', quantity: '1' }] }
  const missing = (await pageOf(rows, '/quick-order?sheet=read&quantities=none', { host })).body
  assert.match(textOf(missing), /No column of quantities found: one of each\./)
  const [, form = ''] = /<form[^>]*quick-order\/sheet[^>]*>([\s\S]*?)<\/form>/.exec(missing) ?? []
  assert.match(form, /<select[^>]*name="column"/)
  assert.match(textOf(form), /Column C/)
  assert.ok(form.indexOf('name="column"') < form.indexOf('name="sheet"'), 'fields after the file are read too late')
  const found = (await pageOf(rows, '/quick-order?sheet=read', { host })).body
  assert.ok(!textOf(found).includes('one of each'))
  assert.match(found, /name="column"/, 'another column may be meant')
  const fresh = (await pageOf(rows, '/quick-order', { host })).body
  assert.doesNotMatch(fresh, /name="column"/)
})

test('the label of the sum has its tax mode, both ways, so that a script chooses the right one', async () => {
  const labels = async (taxKey: string | null) => {
    const quickOrder = { ...checked([good]), taxKey }
    const path = taxKey === null ? '/quick-order' : '/quick-order?sheet=read'
    const { body } = await pageOf({ quickOrder, keptOrderRows: [{ code: 'M1', quantity: '1' }] }, path, { host })
    return [...body.matchAll(/<dt data-(gross|net)="true"( hidden="")?>/g)].map(([, name, hidden]) => `${name}${hidden ? ' hidden' : ''}`)
  }
  assert.deepEqual(await labels('with_vat'), ['gross', 'net hidden'])
  assert.deepEqual(await labels('without_vat'), ['gross hidden', 'net'])
})

test('a row with the product of an earlier one says so', async () => {
  const rows = [good, { ...good, sameAsRow: 1 }]
  const { body } = await pageOf(
    { quickOrder: { ...checked(rows), ready: 2 }, keptOrderRows: [{ code: 'M1', quantity: '1' }] },
    '/quick-order?sheet=read',
    { host },
  )
  assert.equal(textOf(body).match(/Same product as in row 1; the quantities are added up\./g)?.length, 1)
})
