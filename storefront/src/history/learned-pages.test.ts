import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, cart, category, home, listing, product } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

/** What pages show of history, recommendations and experiments. */

const address = '/p/cordless-drill-12'
const recommendations = [
  { source: 'goes_with', card: card(71) },
  { source: 'bought_together', card: card(72) },
]
const productAddress = async () => {
  const moved = await pageOf({ product: product() }, '/p/x-12')
  return String(moved.headers['location'] ?? address)
}

test('R-686 the product page shows what goes with it and what is bought together, each row under its reason', async () => {
  const { status, body } = await pageOf({ product: product(), recommendations }, await productAddress())
  assert.equal(status, 200)
  const text = textOf(body)
  assert.ok(text.indexOf('Goes with it') > 0 && text.indexOf('Often bought together') > text.indexOf('Goes with it'))
  assert.ok(text.includes('Drill 71') && text.includes('Drill 72'))
})

test('R-687 the cart page recommends for what is in the cart, in the market’s words', async () => {
  const { body } = await pageOf({ cart: cart(), recommendations }, '/cart', { host: 'de.localhost' })
  assert.ok(textOf(body).includes('Oft zusammen gekauft'))
})

test('R-611 recommendations that fail cost no page anything', async () => {
  const failing = () => Promise.reject(new Error('Recommendations configuration is empty'))
  for (const [root, path] of [
    [{ product: product() }, await productAddress()],
    [{ cart: cart() }, '/cart'],
  ] as const) {
    const { status, body } = await pageOf({ ...root, recommendations: failing }, path)
    assert.equal(status, 200)
    assert.ok(!textOf(body).includes('Goes with it'))
  }
})

test('R-027 R-549 R-551 a script gets rows of what the browser remembers, and of what is suggested from it, as plain rows', async () => {
  const shop = await shopWith({ seenProducts: [card(5), card(6)], suggestedFromHistory: [card(7)] })
  try {
    const { status, body, headers } = await shop.ask('/recently-seen?ids=5,6,x,7;drop')
    assert.equal(status, 200)
    assert.deepEqual(shop.asked.at(-1), { productIds: ['5', '6'] })
    assert.match(body, /data-row="seen"[\s\S]*Recently seen[\s\S]*Drill 5[\s\S]*data-row="suggested"[\s\S]*Drill 7/)
    assert.doesNotMatch(body, /<header/)
    assert.match(body, /name="robots" content="noindex"/)
    assert.equal(headers['cache-control'], 'private, no-cache')
    const before = shop.asked.length
    const nothing = await shop.ask('/recently-seen?ids=')
    assert.deepEqual([nothing.status, shop.asked.length], [200, before])
  } finally {
    await shop.close()
  }
})

test('R-688 R-689 R-690 a script gets what the placements add to cart, home page and category listing recommend, under their reasons', async () => {
  const shop = await shopWith({
    seenProducts: [card(5)],
    suggestedFromHistory: [card(7)],
    recommendations: [
      { source: 'from_history', card: card(71) },
      { source: 'popular', card: card(72) },
    ],
  })
  try {
    const rows = async (query: string, host = 'gb.localhost') => {
      const { status, body } = await shop.ask(`/recently-seen?${query}`, { host })
      assert.equal(status, 200)
      return { text: textOf(body), variables: shop.asked.at(-1), body }
    }
    const home = await rows('placement=homepage_b2c&ids=1,2,3')
    assert.deepEqual(home.variables, { productIds: ['1', '2', '3'] })
    assert.match(home.text, /Recently seen.*Drill 5.*From what you have seen.*Drill 71.*Popular right now.*Drill 72/s)
    assert.ok(!home.text.includes('Suggested from'), 'what was learned takes the place of what is alike')
    const category = await rows('placement=category_listing&category=12', 'de.localhost')
    assert.deepEqual(category.variables, { placement: 'category_listing', categoryId: 12 })
    assert.match(category.text, /Beliebt in dieser Kategorie.*Drill 72/s)
    const added = await rows('placement=add_to_cart&ids=12,13')
    assert.deepEqual(added.variables, { placement: 'add_to_cart', productIds: ['12'] })
    assert.match(added.body, /<aside data-row="added"[^>]*aria-label="Goes with what you added"/)
    assert.match(added.text, /Goes with what you added.*Drill 71/s)
    const before = shop.asked.length
    for (const bad of [
      'placement=category_listing',
      'placement=category_listing&category=x',
      'placement=add_to_cart',
      'placement=homepage_b2c',
    ])
      assert.doesNotMatch((await rows(bad)).body, /data-row/)
    assert.equal(shop.asked.length, before)
  } finally {
    await shop.close()
  }
})

test('R-690 the first page of a category has a place for its recommendations', async () => {
  const at = (path: string) => pageOf({ category: category(), listing: listing({ page: path.includes('page') ? 2 : 1 }) }, path)
  assert.match((await at('/drills-4')).body, /data-category="4"/)
})

test('R-027 home, product and cart have a place for what was seen, empty until a script with consent fills it', async () => {
  for (const [root, path] of [
    [{ home: home() }, '/'],
    [{ product: product() }, await productAddress()],
    [{ cart: cart() }, '/cart'],
  ] as const)
    assert.match((await pageOf(root, path)).body, /<div hidden="" data-history="true"[^>]*><\/div>/, path)
})

test('R-026 R-405 a page shows the variation of its experiment, and marks it for the count; without the experiment nothing is marked', async () => {
  const guide = {
    id: 1,
    kind: 'guide',
    key: 'deck',
    title: 'How to build a deck',
    description: 'A deck in a weekend.',
    url: '/advice/how-to-build-a-deck-1',
    pictureUrl: null,
    publishedOn: '2026-10-01',
    minutes: null,
    difficulty: null,
    department: null,
  }
  const shown = async (variations: Record<string, string>) => {
    const entries = ({ kind }: { kind: string }) => (kind === 'guide' ? [guide] : [])
    const shop = await shopWith({ home: home(), entries }, { variations: () => variations })
    try {
      const { body } = await shop.ask('/')
      const text = textOf(body)
      return { first: text.indexOf('How to build a deck') < text.indexOf('Drill 1') ? 'guides' : 'offers', body }
    } finally {
      await shop.close()
    }
  }
  const control = await shown({ 'home-order': 'control' })
  const other = await shown({ 'home-order': 'guides-first', 'goods-first': 'goods-first' })
  assert.deepEqual([control.first, other.first, (await shown({})).first], ['offers', 'guides', 'offers'])
  assert.match(other.body, /data-experiment="home-order" data-variation="guides-first"/)
  assert.doesNotMatch(other.body, /data-experiment="goods-first"/)
  assert.doesNotMatch((await shown({})).body, /data-experiment/)
})
