import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const item = (id: number, more: object = {}) => ({
  productId: String(id),
  quantity: id,
  title: `Drill ${id}`,
  addedAt: '2026-11-20T10:00:00Z',
  card: card(id),
  dropped: null,
  isBack: false,
  ...more,
})
const list = (more: object = {}) => ({
  id: 'w1',
  name: 'Shed',
  isDefault: true,
  shareToken: null,
  hasNotices: false,
  site: null,
  canManage: true,
  count: 2,
  pictures: ['/pictures/p/1/main.svg', '/pictures/p/2/main.svg'],
  page: 1,
  pages: 1,
  items: [item(1), item(2, { card: null })],
  ...more,
})

test('R-122 R-247 the lists are shown with their number of items, and a new one can be created', async () => {
  const { status, body } = await pageOf({ wishlists: [list({ name: null }), list({ id: 'w2' })] }, '/my-account/wishlists', { cookie })
  assert.equal(status, 200)
  for (const part of ['My wishlist', 'Shed', '2 products', 'Create a list']) assert.ok(textOf(body).includes(part), part)
  assert.match(body, /href="\/my-account\/wishlists\/w2"[^]*?src="\/pictures\/p\/1\/main.svg"[^]*?src="\/pictures\/p\/2\/main.svg"/)
  assert.ok(textOf((await pageOf({ wishlists: [] }, '/my-account/wishlists', { cookie })).body).includes('Your wishlist is empty'))
})

test('R-123 R-246 a list shows its products, which are no longer sold, and which have become cheaper', async () => {
  const wishlist = list({ items: [item(1, { dropped: { amount: 500, currency: 'GBP', formatted: '£5.00' } }), item(2, { card: null })] })
  const { body } = await pageOf({ wishlist }, '/my-account/wishlists/w1', { cookie })
  const text = textOf(body)
  for (const part of ['Shed', '£5.00 less than when you added it', 'No longer on sale here', 'Move to basket', 'Share the list'])
    assert.ok(text.includes(part), part)
  assert.match(
    body,
    /<summary>Delete the list<\/summary><p>[^<]*for good[^<]*<\/p><form[^]*?value="delete"/,
    'a list is deleted only after a question',
  )
  assert.equal(body.match(/value="to-cart"/g)?.length, 1, 'what is not sold cannot be moved to the basket')
  assert.equal((await pageOf({ wishlist: null }, '/my-account/wishlists/of-another', { cookie })).status, 404)
})

test('each form of a list sends its command and confirms it', async () => {
  const result = { id: 'w1', refusal: null }
  const names = [
    'addToWishlist',
    'createWishlist',
    'renameWishlist',
    'shareWishlist',
    'deleteWishlist',
    'removeFromWishlist',
    'moveToCart',
    'setWishlistSite',
    'copyWishlist',
    'changeWishlistNotices',
  ]
  const shop = await shopWith({ wishlist: list(), wishlists: [list()], ...Object.fromEntries(names.map((name) => [name, result])) })
  try {
    const forms: [Record<string, string>, string, string][] = [
      [{ do: 'add', productId: '7' }, '/my-account/wishlists/w1', 'wishlist-added'],
      [{ do: 'create', name: 'Shed' }, '/my-account/wishlists/w1', 'wishlist-created'],
      [{ do: 'rename', id: 'w1', name: 'Bath' }, '/my-account/wishlists/w1', 'wishlist-renamed'],
      [{ do: 'place', id: 'w1', siteId: 's1' }, '/my-account/wishlists/w1', 'wishlist-placed'],
      [{ do: 'place', id: 'w1', siteId: '' }, '/my-account/wishlists/w1', 'wishlist-placed'],
      [{ do: 'copy', id: 'w1', intoId: 'w2' }, '/my-account/wishlists/w1', 'wishlist-copied'],
      [{ do: 'share', id: 'w1' }, '/my-account/wishlists/w1', 'wishlist-shared'],
      [{ do: 'unshare', id: 'w1' }, '/my-account/wishlists/w1', 'wishlist-private'],
      [{ do: 'remove', id: 'w1', productId: '7' }, '/my-account/wishlists/w1', 'wishlist-removed'],
      [{ do: 'to-cart', id: 'w1', productId: '7' }, '/my-account/wishlists/w1', 'wishlist-moved'],
      [{ do: 'notify', id: 'w1' }, '/my-account/wishlists/w1', 'wishlist-notices'],
      [{ do: 'silence', id: 'w1' }, '/my-account/wishlists/w1', 'wishlist-silent'],
      [{ do: 'delete', id: 'w1' }, '/my-account/wishlists', 'wishlist-deleted'],
    ]
    for (const [form, to, flash] of forms) {
      const reply = await shop.ask('/my-account/wishlists', { cookie, form })
      assert.deepEqual([form['do'], reply.status, reply.headers['location']], [form['do'], 303, to])
      assert.ok(String(reply.headers['set-cookie']).includes(flash), flash)
    }
    const nameless = await shop.ask('/my-account/wishlists', { cookie, form: { do: 'create', name: '' } })
    assert.equal(nameless.status, 422)
  } finally {
    await shop.close()
  }
})

test('a shared list can be viewed but not changed by holders of its link; the link is shown in full', async () => {
  const { status, body } = await pageOf({ sharedWishlist: list() }, '/wishlists/AAAAAAAAAAAAAAAAAAAAAAAA')
  assert.equal(status, 200)
  assert.doesNotMatch(body, /value="(remove|to-cart|delete|rename|unshare)"/)
  assert.match(body, /name="robots" content="noindex"/)
  assert.equal((await pageOf({ sharedWishlist: null }, '/wishlists/wrong')).status, 404)
  const own = await pageOf({ wishlist: list({ shareToken: 'T0K3N' }) }, '/my-account/wishlists/w1', { cookie })
  assert.match(own.body, />http:\/\/gb\.localhost\/wishlists\/T0K3N</)
})

test('R-123 a list offers mails about prices and stock, says that it sends them, and marks returned products', async () => {
  const off = await pageOf({ wishlist: list() }, '/my-account/wishlists/w1', { cookie })
  assert.match(off.body, /value="notify"/)
  assert.doesNotMatch(off.body, /value="silence"/)
  const wishlist = list({ hasNotices: true, items: [item(1, { isBack: true }), item(2)] })
  const on = await pageOf({ wishlist }, '/my-account/wishlists/w1', { cookie })
  assert.match(on.body, /value="silence"/)
  assert.doesNotMatch(on.body, /value="notify"/)
  assert.equal(textOf(on.body).match(/Back in stock/g)?.length, 1)
})

test('R-155 R-259 the link in a mail leads to a page that unsubscribes with a button, without signing in; opening it changes nothing', async () => {
  const shop = await shopWith({ endWishlistNotices: true })
  try {
    const link = `/unsubscribe?list=${'t'.repeat(24)}`
    const page = await shop.ask(link)
    assert.equal(page.status, 200)
    assert.match(page.body, /<form[^>]*method="post"/)
    assert.match(page.body, /name="robots" content="noindex"/)
    assert.ok(!shop.asked.some((variables) => 'token' in variables))
    const sent = await shop.ask(link, { form: { list: 't'.repeat(24) } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/unsubscribe?done=1'])
    assert.deepEqual(shop.asked.at(-1), { token: 't'.repeat(24) })
    assert.ok(textOf((await shop.ask('/unsubscribe?done=1')).body).includes('You will receive no more e-mails about this list'))
    const without = await shop.ask('/unsubscribe')
    assert.equal(without.status, 200)
    assert.doesNotMatch(without.body, /name="list"/)
    assert.ok(textOf(without.body).includes('Open the link in one of our e-mails'))
    assert.equal((await shop.ask(link, { form: { list: 'x'.repeat(100) } })).status, 422)
  } finally {
    await shop.close()
  }
})

const school = { id: 's1', name: 'School, Mill Lane' }
const pro = { host: 'pro.gb.localhost', cookie: 'who=professional' }
const forms = (body: string) =>
  [...body.matchAll(/<button[^>]*name="do"[^>]*value="([\w-]+)"|<button[^>]*value="([\w-]+)"[^>]*name="do"/g)].map(([, a, b]) => a ?? b)

test('a list of a building site says so; who does not manage it may fill and buy it, not share, move or delete it', async () => {
  const wishlist = list({ site: school, canManage: false, isDefault: false })
  const filling = await pageOf({ wishlist, sitesForLists: [school], wishlists: [list()] }, '/my-account/wishlists/w1', pro)
  assert.equal(filling.status, 200)
  assert.ok(
    textOf(filling.body).includes('For the site School, Mill Lane. Everybody who orders for your company sees and fills this list.'),
  )
  assert.deepEqual(
    [...new Set(forms(filling.body))].toSorted(),
    ['add-code', 'all-to-cart', 'quantity', 'remove', 'rename'],
    'what a member buys stays on the list for the others',
  )
  const managing = await pageOf(
    {
      wishlist: { ...wishlist, canManage: true },
      sitesForLists: [school],
      wishlists: [list(), list({ id: 'w2', name: null, site: school })],
    },
    '/my-account/wishlists/w1',
    pro,
  )
  assert.deepEqual([...new Set(forms(managing.body))].toSorted(), [
    'add-code',
    'all-to-cart',
    'copy',
    'delete',
    'place',
    'quantity',
    'remove',
    'rename',
    'share',
  ])
  assert.match(managing.body, /<option value="s1" selected="">School, Mill Lane<\/option>/)
  assert.match(managing.body, /<option value="w2"[^>]*>My wishlist \(site School, Mill Lane\)<\/option>/)
})

test('a list whose site is archived still names it in its form', async () => {
  const { body } = await pageOf({ wishlist: list({ site: school }), sitesForLists: [] }, '/my-account/wishlists/w1', pro)
  assert.match(body, /<option value="s1" selected="">School, Mill Lane<\/option>/)
})

test('a new list is for a building site if its maker chooses one; those who order for none are not asked', async () => {
  const sent: unknown[] = []
  const shop = await shopWith({
    wishlists: [list({ site: school })],
    sitesForLists: [school],
    createWishlist: (args: object) => (sent.push({ ...args }), { id: 'w9', refusal: null }),
  })
  try {
    const { body } = await shop.ask('/my-account/wishlists', pro)
    assert.ok(textOf(body).includes('For the site School, Mill Lane'))
    assert.match(body, /<select[^>]*name="siteId"[^]*?<option value=""[^>]*>None, for me alone<\/option><option value="s1"/)
    const reply = await shop.ask('/my-account/wishlists', { ...pro, form: { do: 'create', name: 'First fix', siteId: 's1' } })
    assert.deepEqual([reply.status, reply.headers['location']], [303, '/my-account/wishlists/w9'])
    await shop.ask('/my-account/wishlists', { ...pro, form: { do: 'create', name: 'Mine', siteId: '' } })
    assert.deepEqual(sent, [
      { name: 'First fix', siteId: 's1' },
      { name: 'Mine', siteId: null },
    ])
  } finally {
    await shop.close()
  }
  assert.doesNotMatch((await pageOf({ wishlists: [] }, '/my-account/wishlists', { cookie })).body, /name="siteId"/)
})

test('a site that is gone is reported at its field, with the name as it was typed', async () => {
  const refusal = { reason: 'unknown-site', message: 'Choose a building site of your company.', fields: [] }
  const shop = await shopWith({ wishlists: [], sitesForLists: [school], createWishlist: { id: null, refusal } })
  try {
    const { status, body } = await shop.ask('/my-account/wishlists', { ...pro, form: { do: 'create', name: 'Roof', siteId: 's1' } })
    assert.equal(status, 422)
    assert.match(body, /id="site-error"[^>]*>[^]*?Choose a building site of your company\./)
    assert.doesNotMatch(body, /id="name-error"/)
    assert.match(body, /name="name"[^>]*value="Roof"|value="Roof"[^>]*name="name"/)
  } finally {
    await shop.close()
  }
})

test('a product moves to the basket as the offer that a professional’s list shows; consumers get the best one of the moment', async () => {
  const sent: unknown[] = []
  const moveToCart = (variables: unknown) => (sent.push(structuredClone(variables)), { id: 'w1', refusal: null })
  const shop = await shopWith({ wishlist: list(), wishlists: [list()], moveToCart })
  try {
    const form = { do: 'to-cart', id: 'w1', productId: '1' }
    const offer = /<input type="hidden" name="offerId" value="(\w+)"\/>(?=<button[^>]*value="to-cart")/
    const [, offerId = ''] = offer.exec((await shop.ask('/my-account/wishlists/w1', pro)).body) ?? []
    await shop.ask('/my-account/wishlists/w1', { ...pro, form: { ...form, offerId } })
    assert.doesNotMatch((await shop.ask('/my-account/wishlists/w1', { cookie })).body, offer)
    await shop.ask('/my-account/wishlists/w1', { cookie, form })
    const moved = { listId: 'w1', productId: '1' }
    assert.deepEqual(sent, [
      { ...moved, offerId: 'o1' },
      { ...moved, offerId: null },
    ])
  } finally {
    await shop.close()
  }
})

test('everything on a list goes to the basket, with or without what is no longer sold; nothing of it is an error on the list', async () => {
  let answer: object | null = { added: 2, left: [], refusal: null }
  const shop = await shopWith({ wishlist: list(), addWishlistToCart: () => answer })
  try {
    const send = () => shop.ask('/my-account/wishlists/w1', { cookie, form: { do: 'all-to-cart', id: 'w1' } })
    const whole = await send()
    assert.deepEqual([whole.status, whole.headers['location']], [303, '/cart'])
    assert.match(String(whole.headers['set-cookie']), /flash\.list-added(?!-in-part)/)
    answer = { added: 1, left: [{ offerId: '2' }], refusal: null }
    assert.match(String((await send()).headers['set-cookie']), /flash\.list-added-in-part/)
    answer = { added: 0, left: [], refusal: { reason: 'unknown-offer', message: 'This offer is no longer available.', fields: [] } }
    const none = await send()
    assert.equal(none.status, 422)
    assert.ok(textOf(none.body).includes('This offer is no longer available.'))
    answer = null
    assert.equal((await send()).status, 404)
  } finally {
    await shop.close()
  }
})

test('on the professional storefront a product goes onto a list by its number, without a script; an unknown number is refused at its field', async () => {
  const site = { id: 's1', name: 'School' }
  const sent: unknown[] = []
  const rows = (code: string) =>
    code === 'M7'
      ? [{ productId: '7', problem: { message: 'Sold in packs of 6' } }]
      : [{ productId: null, problem: { message: 'We know no product with this number.' } }]
  const shop = await shopWith({
    wishlist: list({ id: 'w9', name: 'Roof', site, count: 0, items: [] }),
    wishlists: [],
    sitesForLists: [],
    quickOrder: ({ rows: [row] }: { rows: { code: string }[] }) => ({ rows: rows(row?.code ?? '') }),
    addToWishlist: (variables: unknown) => (sent.push(structuredClone(variables)), { id: 'w9', refusal: null }),
  })
  const path = '/my-account/wishlists/w9'
  const pro = { host: 'pro.gb.localhost', cookie: 'who=professional' }
  try {
    const { body } = await shop.ask(path, pro)
    assert.match(textOf(body), /Nothing is on this list yet/)
    assert.doesNotMatch(textOf(body), /Your wishlist is empty/)
    assert.match(body, /required=""[^>]*name="code"/)
    const added = await shop.ask(path, { ...pro, form: { do: 'add-code', id: 'w9', code: ' M7 ' } })
    assert.deepEqual([added.status, added.headers.location, sent], [303, path, [{ productId: '7', listId: 'w9' }]])
    const refused = await shop.ask(path, { ...pro, form: { do: 'add-code', id: 'w9', code: 'X1' } })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /id="code-error"[^>]*>[^<]*(?:<[^>]*>)*[^<]*We know no product with this number\./)
    assert.match(refused.body, /<input id="code"[^>]*value="X1"/)
    assert.equal(sent.length, 1)
    const consumer = await shop.ask(path, { cookie })
    assert.doesNotMatch(consumer.body, /value="add-code"/)
  } finally {
    await shop.close()
  }
})

test('15.3 professionals change quantities on a list and save a product with one to the list of a site; consumers see neither', async () => {
  const pro = { host: 'pro.gb.localhost', cookie: 'who=professional' }
  const sent: unknown[] = []
  const school = { id: 's1', name: 'School' }
  const shop = await shopWith({
    wishlist: list(),
    wishlists: [list(), list({ id: 'w7', name: 'Roof', site: school })],
    sitesForLists: [school],
    product: ({ id }: { id: string }) => (id === '7' ? null : { id, title: `Drill ${id}`, status: id === '6' ? 'ENDED' : 'ACTIVE' }),
    setWishlistQuantity: (variables: unknown) => (sent.push(structuredClone(variables)), { id: 'w1', refusal: null }),
    addToWishlist: (variables: unknown) => (sent.push(structuredClone(variables)), { id: 'w7', refusal: null }),
  })
  const path = '/my-account/wishlists'
  try {
    const { body } = await shop.ask(`${path}/w1`, pro)
    assert.match(body, /aria-label="Quantity of Drill 1"[^>]*/)
    assert.equal(body.match(/id="quantity-\d+"/g)?.length, 1, 'none for what nobody sells')
    assert.doesNotMatch((await shop.ask(`${path}/w1`, { cookie })).body, /id="quantity-/)
    const change = { do: 'quantity', id: 'w1', productId: '1', quantity: '12' }
    assert.equal((await shop.ask(`${path}/w1`, { ...pro, form: change })).status, 303)
    const panel = (await shop.ask(`${path}?save=5`, pro)).body
    assert.match(panel, /<h2 id="save">Save to a building site’s list<\/h2><p>Drill 5<\/p>/)
    const [, options = ''] = /<select id="list"[^>]*>([\s\S]*?)<\/select>/.exec(panel) ?? []
    assert.equal(options.match(/<option/g)?.length, 1, 'lists of sites alone')
    for (const other of [path, `${path}?save=x`, `${path}?save=6`, `${path}?save=7`])
      assert.doesNotMatch((await shop.ask(other, pro)).body, /id="save"/, other)
    assert.equal((await shop.ask(path, { ...pro, form: { do: 'save', id: 'w7', productId: '5', quantity: '3' } })).status, 303)
    assert.deepEqual(sent, [
      { id: 'w1', productId: '1', quantity: 12 },
      { productId: '5', listId: 'w7', quantity: 3 },
    ])
    for (const quantity of ['0', '1.5', 'x', '10000'])
      assert.ok((await shop.ask(`${path}/w1`, { ...pro, form: { ...change, quantity } })).status >= 400, quantity)
    assert.equal(sent.length, 2)
  } finally {
    await shop.close()
  }
})
