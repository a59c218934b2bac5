import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, card, offer, price, product, review, reviewList } from '../testing/goods.ts'
import { pageOf, structuredData, textOf } from '../testing/shop.ts'

const address = '/p/cordless-drill-18-v-12'

test('R-074 a wrong slug redirects to the right one, an ended product is 410 with alternatives, an unknown one 404', async () => {
  const moved = await pageOf({ product: product() }, '/p/something-else-12')
  assert.deepEqual([moved.status, moved.headers.location], [301, address])
  const ended = await pageOf({ product: product({ status: 'ENDED', alternatives: [card(5)] }) }, address)
  assert.equal(ended.status, 410)
  assert.match(ended.body, /href="\/p\/drill-5">Drill 5</)
  assert.equal((await pageOf({ product: null }, '/p/x-999')).status, 404)
})

test('a product without offers has its sheet under /catalogue/p, and returns to /p when it has offers again (decision 2)', async () => {
  const unsold = product({ bestOffer: null, offers: [], alternatives: [card(5)] })
  const away = await pageOf({ product: unsold }, address)
  assert.deepEqual([away.status, away.headers.location], [301, `/catalogue${address}`])
  const sheet = await pageOf({ product: unsold }, `/catalogue${address}`)
  assert.equal(sheet.status, 200)
  assert.ok(textOf(sheet.body).includes('Nobody sells this right now'))
  assert.ok(textOf(sheet.body).includes('Similar products'))
  assert.doesNotMatch(sheet.body, /data-add-to-cart="Cordless/)
  const back = await pageOf({ product: product() }, `/catalogue${address}`)
  assert.deepEqual([back.status, back.headers.location], [301, address])
})

test('a product shows pictures, price, unit price, stock, seller, delivery, data, documents and the parties responsible for safety', async () => {
  const best = offer('o1', {
    price: price(49.9, {
      retail: amount(59.9),
      discount: 16,
      unit: { amount: amount(4.2), unit: 'm2', label: '£4.20 /m²' },
    }),
  })
  const { body } = await pageOf({ product: product({ bestOffer: best, offers: [best] }) }, address)
  const text = textOf(body)
  for (const part of [
    'Kastor',
    '£49.90',
    'incl. VAT',
    '£59.90',
    '-16%',
    '£4.20 /m²',
    'In stock',
    'Sold by Nordwerk , Germany',
    'Home delivery, £4.90',
    'Voltage 18 V',
    'Manual (EN)',
    'Wear eye protection.',
    'Kastor Tools, Am Hang 4, Hagen',
    'Kastor Ireland, Dublin',
    'safety@kastor.example',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /<img src="\/pictures\/p\/12\/main\.svg" width="480" height="480" alt="Cordless drill"/)
})

test('other offers are listed in a table, second-hand included; the winner and samples are not among them', async () => {
  const offers = [
    offer('o1'),
    offer('o2', { conditionLabel: '[Used - good condition]', condition: 'used_good', landedPrice: money2(33.1) }),
    offer('o3', { isSample: true }),
  ]
  const { body } = await pageOf({ product: product({ offers }) }, address)
  const table = /<table[\s\S]*<\/table>/.exec(body)![0]
  assert.ok(textOf(table).includes(' Used - good condition ') && textOf(table).includes('£33.10'))
  assert.doesNotMatch(table, /incl\. VAT/)
  const forPros = await pageOf({ product: product({ offers }) }, address, { host: 'pro.gb.localhost' })
  assert.match(/<table[\s\S]*<\/table>/.exec(forPros.body)![0], /incl\. VAT/)
  assert.equal(table.match(/name="offerId" value="(\w+)"/g)?.length, 1)
  assert.ok(textOf(body).includes('Order a sample first:'))
  assert.ok(textOf(body).includes('Lowest price with delivery.'), 'why the winner stands on top')
})
const money2 = (pounds: number) => ({ amount: Math.round(pounds * 100), currency: 'GBP', formatted: `£${pounds.toFixed(2)}` })

test('goods sold by the square metre get the calculator, single pieces do not', async () => {
  const floor = await pageOf({ product: product({ unitMeasure: 'm2', unitQuantity: 2.22 }) }, address)
  assert.match(floor.body, /data-island="coverage"/)
  assert.ok(textOf(floor.body).includes('2.22 m² per pack'))
  const pieces = await pageOf({ product: product({ unitMeasure: 'piece', unitQuantity: 19 }) }, address)
  assert.doesNotMatch(pieces.body, /data-island/)
})

test('quantities depend on pack size and stock', async () => {
  const field = async (more: object) => {
    const best = offer('o1', { ...more })
    const { body } = await pageOf({ product: product({ bestOffer: best, offers: [best] }) }, address)
    return /<input[^>]*type="number"[^>]*name="quantity"[^>]*>/.exec(body)?.[0] ?? textOf(body)
  }
  const bulk = await field({ bulk: 6, stock: 30, maxQuantity: 24 })
  for (const part of ['step="6"', 'min="6"', 'max="24"', 'value="6"']) assert.ok(bulk.includes(part), part)
  assert.ok((await field({ stock: 0 })).includes('Out of stock'))
  assert.ok((await field({ stock: 4, bulk: 6 })).includes('Out of stock'), 'less than one lot')
})

test('a voucher is shown once, with its code', async () => {
  const said = async (label: string) => {
    const best = offer('o1', { coupon: { code: 'DIY10', label }, badges: [{ type: 'coupon', label }] })
    const { body } = await pageOf({ product: product({ bestOffer: best, offers: [best] }) }, address)
    return textOf(body).match(/[^.]{0,30}DIY10/g)
  }
  assert.equal((await said('Voucher DIY10'))?.length, 1)
  assert.match((await said('10 % off'))![0], /10 % off with code DIY10$/)
})

test('low stock is shown, and the winner’s position is not sponsored', async () => {
  const best = offer('o1', {
    stock: 3,
    badges: [
      { type: 'sponsored', label: 'Sponsored' },
      { type: 'top_sale', label: 'Top seller' },
    ],
  })
  const { body } = await pageOf({ product: product({ bestOffer: best, offers: [best] }) }, address)
  assert.ok(textOf(body).includes('Only 3 left'))
  assert.doesNotMatch(body, /data-badge="sponsored"/)
  assert.match(body, /data-badge="top_sale"/)
})

test('options of the model are links to their products; the selected and the unavailable ones are marked', async () => {
  const value = (text: string, more: object) => ({
    value: text,
    label: text,
    productId: '1',
    url: `/p/drill-${text}`,
    selected: false,
    available: true,
    hex: null,
    ...more,
  })
  const options = [{ key: 'voltage', label: 'Voltage', values: [value('12', { selected: true }), value('18', { available: false })] }]
  const { body } = await pageOf({ product: product({ options }) }, address)
  assert.match(body, /href="\/p\/drill-12" aria-current="true" aria-label="12"/)
  assert.match(body, /href="\/p\/drill-18" aria-label="18, not available"/)
})

test('a review in another language names it', async () => {
  const shownIn = async (language: string) => {
    const reviews = reviewList({ rating: 4.4, count: 1, reviews: [review({ language })] })
    return textOf((await pageOf({ product: product({ reviews }) }, address)).body)
  }
  assert.match(await shownIn('it'), /Italian/)
  assert.doesNotMatch(await shownIn('en'), /Italian|English/)
})

test('structured data names the product and its offers with VAT, at consumer prices', async () => {
  const used = offer('o2', { condition: 'used_good', stock: 0 })
  const reviews = reviewList({ rating: 4.4, count: 120, reviews: [review()] })
  const { body } = await pageOf({ product: product({ offers: [offer('o1'), used], reviews }) }, address)
  const data = structuredData(body)['Product']!
  assert.equal(data['gtin13'], '4006381333931')
  assert.deepEqual(data['aggregateRating'], {
    '@type': 'AggregateRating',
    ratingValue: 4.4,
    reviewCount: 120,
    bestRating: 5,
    worstRating: 1,
  })
  const [shown] = data['review'] as Record<string, unknown>[]
  assert.deepEqual([shown!['datePublished'], shown!['inLanguage'], shown!['name']], ['2026-11-02', 'en', 'Good drill'])
  const [first, second] = data['offers'] as Record<string, unknown>[]
  assert.deepEqual(
    [first!['price'], first!['priceCurrency'], first!['itemCondition'], first!['availability']],
    [49.9, 'GBP', 'https://schema.org/NewCondition', 'https://schema.org/InStock'],
  )
  assert.deepEqual(
    [second!['itemCondition'], second!['availability']],
    ['https://schema.org/UsedCondition', 'https://schema.org/OutOfStock'],
  )
})

test('a cached product page is purged when the price of a product shown on it changes', async () => {
  const { headers } = await pageOf({ product: product({ alternatives: [card(5)] }) }, address)
  assert.deepEqual(String(headers['cache-tag']).split(','), ['shell:gb:b2c', 'product:12', 'card:5'])
})

test('A54 structured data cannot close its script element', async () => {
  const { body } = await pageOf({ product: product({ description: '</script><img src=x onerror=alert(1)>' }) }, address)
  assert.doesNotMatch(body, /<\/script><img/)
})

test('R-069 the data sheet is the same for all sellers, and its canonical address is the product page', async () => {
  const { status, body } = await pageOf({ product: product() }, `${address}/informations`)
  assert.equal(status, 200)
  assert.match(body, /rel="canonical" href="http:\/\/gb\.localhost\/p\/cordless-drill-18-v-12"/)
  const text = textOf(body)
  for (const part of ['Voltage 18 V', 'Manual (EN)', 'Kastor Tools', 'To the offers']) assert.ok(text.includes(part), part)
  assert.doesNotMatch(body, /data-add-to-cart|Nordwerk/)
  const moved = await pageOf({ product: product() }, '/p/other-12/informations')
  assert.deepEqual([moved.status, moved.headers.location], [301, `${address}/informations`])
  const ended = await pageOf({ product: product({ status: 'ENDED' }) }, `${address}/informations?gclid=Cj0_1`)
  assert.equal(ended.headers.location, `${address}?gclid=Cj0_1`)
  assert.equal((await pageOf({ product: null }, '/p/x-9/informations')).status, 404)
})

test('V-30 price and button of the best offer stay in reach on phones, and send the form of the buy box', async () => {
  const { body } = await pageOf({ product: product() }, address)
  assert.match(body, /<form id="buy"[^>]*data-add-to-cart/)
  const bar = /<section[^>]*data-buy-bar[\s\S]*?<\/section>/.exec(body)![0]
  assert.match(bar, /<button[^>]*form="buy"/)
  assert.ok(textOf(bar).includes('£49.90'))
})

test('V-38 what is sold out promises no day, no end of its price and no voucher, and cannot be added', async () => {
  const soldOut = offer('o1', {
    stock: 0,
    retailPriceTimeLeftLabel: ' ends in 5h',
    coupon: { code: 'TOOLS10', label: 'Voucher TOOLS10' },
  })
  const { body } = await pageOf({ product: product({ bestOffer: soldOut, offers: [soldOut] }) }, address)
  const text = textOf(body)
  assert.ok(text.includes('Out of stock'))
  assert.doesNotMatch(text, /ends in|TOOLS10|Arrives/)
  assert.doesNotMatch(body, /data-buy-bar/)
})

test('V-39 each picture leads to itself in full, with and without script', async () => {
  const { body } = await pageOf({ product: product() }, address)
  assert.match(body, /<a href="\/pictures\/p\/12\/main\.svg" aria-label="Enlarge picture 1" data-enlarge="0"/)
  assert.match(body, /data-zoom="Zoom in or out"/)
})

test('V-39 of paint one is asked for the area and the coats, not for litres', async () => {
  const paint = product({
    unitMeasure: 'l',
    unitQuantity: 2.5,
    attributes: [{ key: 'coverage', label: 'Coverage', value: '12', unit: 'm²/L' }],
  })
  const text = textOf((await pageOf({ product: paint }, address)).body)
  assert.ok(text.includes('Area to paint (m²)') && text.includes('Coats'), text)
  assert.ok(!text.includes('I need (litres)'))
})
