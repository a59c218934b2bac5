import assert from 'node:assert/strict'
import { test } from 'node:test'
import { home } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

test('the consumer home page: picture, departments, deals, best sellers, new products, brands, link to the professional storefront, trust', async () => {
  const { status, body } = await pageOf({ home: home() }, '/')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Department garden', 'Drill 1', 'Drill 2', 'Drill 3', 'Do you build for a living?', 'Sellers you can name'])
    assert.ok(text.includes(part), part)
  assert.match(body, /src="\/pictures\/h\/workshop\.svg" width="1440" height="480"/)
  assert.match(body, /alt="Kastor"/)
  assert.match(body, /href="http:\/\/pro\.gb\.localhost\/"/)
})

test('V-100 the cards of a row share one form: each adds its own offer, each heart belongs to the form of the page', async () => {
  const { body } = await pageOf({ home: home() }, '/')
  const rows = body.split(/<form[^>]*data-cards=""[^>]*>/).slice(1)
  assert.equal(rows.length, 3)
  for (const row of rows) {
    assert.match(row, /^<input type="hidden" name="do" value="add"\/>/)
    const [card = ''] = row.match(/<li data-card="">.*?<\/li>/) ?? []
    assert.match(card, /<button value="o\d" aria-label="Add to basket: Drill \d" name="offerId">/)
    assert.match(card, /<button form="f" value="\d" aria-label="Save to wishlist: Drill \d" name="productId">/)
    assert.doesNotMatch(card, /<form|<input| id="/)
  }
  assert.equal(body.match(/<form [^>]*id="f"/g)?.length, 1)
})

test('the professional home page: search by part number, entries by trade, pro offers first', async () => {
  const { body } = await pageOf({ home: home() }, '/', { host: 'pro.de.localhost' })
  const text = textOf(body)
  assert.match(body, /<form[^>]*action="\/search"[^>]*><label for="reference">/)
  assert.match(body, /href="\/electrical-3"/)
  assert.ok(text.includes('Für Elektriker'))
  assert.ok(!text.includes('Für Maler'), 'a trade without its department is left out')
  assert.ok(text.indexOf('Zu Profikonditionen') < text.indexOf('Was Profis kaufen'))
})

test('the home page works without products', async () => {
  const { status, body } = await pageOf({ home: home({ deals: [], topSales: [], highlights: [], brands: [] }) }, '/')
  assert.equal(status, 200)
  assert.ok(!textOf(body).includes('Worth a look'))
})

test('the VAT display choice is stored, and returns to the page where it was made, never outside the shop', async () => {
  const choose = (form: Record<string, string>) => pageOf({ home: home() }, '/', { host: 'pro.de.localhost', form })
  const withVat = await choose({ vat: 'with', back: '/drills-4?page=2' })
  assert.deepEqual([withVat.status, withVat.headers.location], [303, '/drills-4?page=2'])
  assert.match(String(withVat.headers['set-cookie']), /mm_vat_display=with; Path=\/; SameSite=Lax; Max-Age=31536000; HttpOnly/)
  const without = await choose({ vat: 'without', back: 'https://elsewhere.example' })
  assert.equal(without.headers.location, '/')
  assert.match(String(without.headers['set-cookie']), /mm_vat_display=without/)
  const anything = await choose({ vat: 'anything', back: '/' })
  assert.deepEqual([anything.status, anything.headers['set-cookie']], [422, undefined])
})

test('the VAT display choice of a signed-in person is stored for all their devices, that of a guest in the browser alone', async () => {
  const stored: boolean[] = []
  const shop = await shopWith({ home: home(), chooseVatDisplay: ({ withVat }: { withVat: boolean }) => stored.push(withVat) > 0 })
  for (const [who, vat] of [
    ['professional', 'with'],
    ['guest', 'with'],
    ['professional', 'without'],
    ['consumer', 'with'],
    ['operator', 'without'],
  ] as const) {
    const { status, headers } = await shop.ask('/', { host: 'pro.de.localhost', cookie: `who=${who}`, form: { vat, back: '/cart' } })
    assert.deepEqual([status, headers.location], [303, '/cart'], who)
    assert.match(String(headers['set-cookie']), new RegExp(`mm_vat_display=${vat};`), who)
  }
  assert.deepEqual(stored, [true, false, true], 'the professional’s two choices, and that of the consumer')
  await shop.close()
})
