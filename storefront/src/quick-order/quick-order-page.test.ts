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
}
const bad = {
  code: 'nothing',
  quantity: '3',
  title: null,
  url: null,
  price: null,
  total: null,
  problem: { reason: 'unknown-code', message: 'We know no article with this number.' },
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
  const shop = await shopWith({
    quickOrder: ({ rows }: { rows: unknown }) => (sent.push(rows), answer),
    addQuickOrder: () => ({ added: 1, left: checked(left) }),
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
    const back = await shop.ask('/quick-order?sheet=left', { host })
    assert.ok(textOf(back.body).includes('These rows are not in the basket yet'))
    assert.match(back.body, /value="nothing"/)
    const nothing = await shop.ask(path, { host, form: { ...form, do: 'add' } })
    assert.equal(nothing.status, 422)
    assert.ok(textOf(nothing.body).includes('None of the rows can go into the basket yet'))

    answer = checked([good])
    left = []
    assert.equal((await shop.ask(path, { host, form: { do: 'check', code: 'M1', quantity: '2', lines: '' } })).status, 200)
    const all = await shop.ask(path, { host, form: { do: 'add', code: 'M1', quantity: '2', lines: '' } })
    assert.equal(all.headers['location'], '/cart')
    const empty = await shop.ask(path, { host, form: { do: 'add', code: '', quantity: '', lines: '' } })
    assert.deepEqual([empty.status, textOf(empty.body).includes('Enter at least one part number.')], [422, true])
  } finally {
    await shop.close()
  }
})

test('a wishlist becomes a quick order of its products, and somebody else’s list an empty one', async () => {
  const sent: unknown[] = []
  const shop = await shopWith({
    wishlist: ({ id }: { id: string }) =>
      id === 'w1'
        ? {
            id,
            name: 'Site',
            isDefault: false,
            shareToken: null,
            hasNotices: false,
            site: null,
            canManage: true,
            count: 1,
            page: 1,
            pages: 1,
            items: [{ productId: '7', title: 'x', isBack: false, dropped: null, card: null }],
          }
        : null,
    quickOrder: ({ rows }: { rows: unknown }) => (sent.push(rows), checked([good])),
  })
  try {
    assert.equal((await shop.ask('/quick-order?list=w1', { host })).status, 200)
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), [[{ code: '7', quantity: '1' }]])
    assert.equal((await shop.ask('/quick-order?list=w2', { host })).status, 200)
    assert.equal(sent.length, 1)
  } finally {
    await shop.close()
  }
})
