import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, cart, cartSeller, emptyCart, line, money, offer, seller } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

test('lines are grouped by seller, each with its delivery and progress to free delivery; the total is split by VAT rate', async () => {
  const other = cartSeller({ seller: seller({ id: 8, name: 'Südholz' }), missingForFreeDelivery: null, lines: [line('o2'), line('o3')] })
  const { status, body } = await pageOf({ cart: cart({ sellers: [cartSeller(), other] }) }, '/cart')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'From Nordwerk',
    'From Südholz',
    '£29.00 more for free delivery',
    'Free delivery reached',
    'Home delivery Arrives Tue 24 Nov £4.90',
    'Pick-up point Arrives Wed 25 Nov Free',
    'Goods £20.00',
    'Delivery £4.90',
    'Total excl. VAT £20.75',
    'VAT 20 % £4.15',
    'Total £24.90',
  ])
    assert.ok(text.includes(part), part)
  assert.equal(body.match(/data-cart-delivery/g)?.length, 2)
  assert.match(body, /href="\/order"[^>]*>Go to checkout|>Go to checkout</)
  assert.match(body, /name="robots" content="noindex"/)
})

test('changes are reported line by line and must be confirmed before ordering is possible', async () => {
  const changes = [
    { offerId: 'o1', title: 'Drill', kind: 'price-changed', before: '£10.00', after: '£12.00' },
    { offerId: 'o2', title: 'Saw', kind: 'less-stock', before: '5', after: '3' },
    { offerId: 'o3', title: 'Paint', kind: 'out-of-stock', before: null, after: null },
    { offerId: 'o4', title: 'Rake', kind: 'offer-gone', before: null, after: null },
  ]
  const { body } = await pageOf({ cart: cart({ changes }) }, '/cart')
  const text = textOf(body)
  for (const part of [
    'Drill: now £12.00 instead of £10.00',
    'Saw: only 3 left, you had 5',
    'Paint: out of stock',
    'Rake: no longer offered',
    'Please confirm the changes above first.',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /name="do" value="confirm"/)
  assert.doesNotMatch(text, /Go to checkout/)
})

test('an unavailable line says so and can only be removed', async () => {
  const lines = [line('o1', { state: 'OUT_OF_STOCK' }), line('o2', { state: 'OFFER_GONE' })]
  const { body } = await pageOf({ cart: cart({ sellers: [cartSeller({ lines })] }) }, '/cart')
  assert.ok(textOf(body).includes('Out of stock: this line is not ordered'))
  assert.ok(textOf(body).includes('No longer offered: this line is not ordered'))
  assert.doesNotMatch(body, /data-cart-quantity/)
  assert.equal(body.match(/name="do" value="remove"/g)?.length, 2)
})

test('an applied code shows its discount and can be removed', async () => {
  const totals = { ...cart().totals, discount: money(2) }
  const { body } = await pageOf({ cart: cart({ coupon: { code: 'DIY10', label: '10 % off', discount: money(2) }, totals }) }, '/cart')
  assert.ok(textOf(body).includes('Code DIY10 −£2.00'))
  assert.match(body, /value="remove-coupon" name="do"|name="do" value="remove-coupon"/)
})

test('professionals see their goods without VAT, and the total with it', async () => {
  const { body } = await pageOf({ cart: cart({ taxKey: 'without_vat' }) }, '/cart', { host: 'pro.gb.localhost' })
  assert.ok(textOf(body).includes('Goods excl. VAT'))
})

test('an empty cart suggests what to do next', async () => {
  const { status, body } = await pageOf({ cart: emptyCart() }, '/cart')
  assert.equal(status, 200)
  assert.match(body, /<h1[^>]*>Your basket is empty</)
  assert.ok(textOf(body).includes('Start shopping'))
})

test('a refused form shows the cart again with the message and the entered values', async () => {
  const refused = { applyCoupon: { cart: null, refusal: { reason: 'coupon-unknown', message: 'We do not know this code.', fields: [] } } }
  const { status, body } = await pageOf({ cart: cart(), ...refused }, '/cart', { form: { do: 'coupon', code: 'NOPE' } })
  assert.equal(status, 422)
  assert.match(body, /id="code-error"[\s\S]*We do not know this code\./)
  assert.match(body, /<input id="code"[^>]*value="NOPE"/)
})

test('after a change the cart is loaded again and confirms the change once', async () => {
  const shop = await shopWith({ cart: emptyCart(), removeFromCart: { cart: null, refusal: null } })
  const done = await shop.ask('/cart', { form: { do: 'remove', offerId: 'o1' } })
  assert.deepEqual([done.status, done.headers.location], [303, '/cart'])
  const cookie = String(done.headers['set-cookie']).split(';')[0]!
  const next = await shop.ask('/cart', { cookie })
  assert.ok(textOf(next.body).includes('Removed from your basket'))
  assert.match(String(next.headers['set-cookie']), /purlin_flash=; Path=\/; Max-Age=0/)
  await shop.close()
})

const soldOut = { changes: [{ offerId: 'o1', title: 'Drill', kind: 'out-of-stock', before: '1', after: '0' }] }
const gone = cartSeller({ lines: [line('o1', { state: 'OUT_OF_STOCK' })] })

test('V-105 R-480 a line that cannot be bought comes with the same product from other sellers, one form each to put it in its place', async () => {
  const instead = [
    {
      offerId: 'o1',
      title: 'Drill',
      quantity: 3,
      offers: [offer('o7', { stock: 2, bulk: null }), offer('o8', { stock: 9, bulk: 2 })],
      alternatives: [],
    },
  ]
  const { body } = await pageOf({ cart: cart({ ...soldOut, sellers: [gone], instead }) }, '/cart')
  const text = textOf(body)
  assert.ok(text.includes('Sold out in the meantime') && text.includes('Also sold by others: Drill'), text)
  // Prices of a company have one amount alone, beside public ones that name both.
  const professional = textOf(
    (await pageOf({ cart: cart({ ...soldOut, sellers: [gone], instead }) }, '/cart', { host: 'pro.gb.localhost' })).body,
  )
  assert.equal(professional.split('Also sold by others: Drill')[1]?.split(/(?:in|ex)cl\. VAT\s*sold by/).length, 3, professional)
  const forms = [
    ...body.matchAll(
      /name="do" value="replace"\/><input type="hidden" name="offerId" value="(\w+)"\/><input type="hidden" name="byOfferId" value="(\w+)"/g,
    ),
  ]
  assert.deepEqual(
    forms.map(([, gone, by]) => [gone, by]),
    [
      ['o1', 'o7'],
      ['o1', 'o8'],
    ],
  )
})

test('V-105 when nobody else sells it, similar products are shown, in each language', async () => {
  const instead = [{ offerId: 'o1', title: 'Drill', quantity: 1, offers: [], alternatives: [card(41), card(42)] }]
  const heads = {
    gb: ['Sold out in the meantime', 'Instead of Drill'],
    de: ['Inzwischen ausverkauft', 'Statt Drill'],
    fr: ['Épuisé entre-temps', 'À la place de : Drill'],
    es: ['Agotado entretanto', 'En lugar de: Drill'],
    it: ['Nel frattempo esaurito', 'Al posto di: Drill'],
  }
  for (const [market, words] of Object.entries(heads)) {
    const { body } = await pageOf({ cart: cart({ ...soldOut, sellers: [gone], instead }) }, '/cart', { host: `${market}.localhost` })
    for (const word of words) assert.ok(textOf(body).includes(word), `${market}: ${word}`)
    assert.match(body, /href="\/p\/[^"]*-4[12]"/)
  }
})

const expressCheckout = {
  address: { firstName: 'Ann', lastName: 'Lee', line1: '1 Mill Lane', city: 'London' },
  card: { brand: 'Visa', last4: '0002', expires: '12/26', state: 'expiring' },
}

test('R-127 R-128 a customer with an address and a card orders from the cart with one form, or chooses otherwise', async () => {
  const placeExpressOrder = { order: { id: 'P0000000000000001' }, refusal: null }
  const shop = await shopWith({ cart: cart(), expressCheckout, placeExpressOrder })
  try {
    const { body } = await shop.ask('/cart', { cookie: 'who=consumer' })
    const text = textOf(body)
    for (const part of [
      'Delivery to Ann Lee, 1 Mill Lane, London',
      'Payment with Visa ending in 0002',
      'This card expires soon: 12/26',
      'Review and pay',
    ])
      assert.ok(text.includes(part), part)
    assert.match(body, /href="\/checkout\/address"/)
    assert.doesNotMatch(text, /Go to checkout/)
    const key = /name="idempotencyKey" value="([\w-]+)"/.exec(body)?.[1] ?? ''
    const again = /name="idempotencyKey" value="([\w-]+)"/.exec((await shop.ask('/cart', { cookie: 'who=consumer' })).body)?.[1]
    assert.ok(key.length >= 8 && key !== again, 'a key of its own for each showing')
    const sent = await shop.ask('/cart', { cookie: 'who=consumer', form: { do: 'express', idempotencyKey: key } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/order/P0000000000000001/secure-payment'])
    assert.deepEqual(shop.asked.at(-1), { key })
  } finally {
    await shop.close()
  }
})

test('a member of a company names the order beside the first of two clicks, with what the company allows; what was typed stays when it is refused', async () => {
  const costCentres = [{ id: 'c1', code: 'C-100', name: 'Roofs', isArchived: false }]
  const site = {
    id: 's1',
    name: 'School',
    firstName: 'Kim',
    lastName: 'Field',
    phone: '1',
    line1: '1',
    line2: null,
    postcode: '1',
    city: 'L',
    country: 'GB',
  }
  const companySites = { sites: [{ ...site, deliveryHours: null, isArchived: false }], costCentres, isFree: false }
  let refusal: object | null = null
  const placeExpressOrder = () => ({ order: refusal ? null : { id: 'P0000000000000001' }, refusal })
  const shop = await shopWith({ cart: cart(), expressCheckout, companySites, placeExpressOrder })
  const as = { cookie: 'who=professional', host: 'pro.gb.localhost' }
  try {
    const { body } = await shop.ask('/cart', as)
    assert.match(body, /name="purchaseOrder"/)
    assert.match(body, /<select[^>]*name="siteId"[^]*School[^]*<select[^>]*name="costCentre"[^]*C-100/)
    const names = { purchaseOrder: 'PO 7', costCentre: 'C-100', siteId: 's1' }
    const form = { do: 'express', idempotencyKey: 'a-key-of-the-tests', ...names }
    assert.equal((await shop.ask('/cart', { ...as, form })).status, 303)
    assert.deepEqual(shop.asked.at(-1), { key: 'a-key-of-the-tests', reference: names })
    refusal = { reason: 'cost-centre-unknown', message: 'Not on the list.', fields: [] }
    const refused = await shop.ask('/cart', { ...as, form })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /<details[^>]*open[^]*value="PO 7"/)
  } finally {
    await shop.close()
  }
  assert.doesNotMatch((await pageOf({ cart: cart(), expressCheckout }, '/cart', { cookie: 'who=consumer' })).body, /name="purchaseOrder"/)
})

test('names typed with the first of two clicks reach the request for an approval, or the choice of a pick-up point', async () => {
  let reason = 'approval-needed'
  let isNamed = true
  const shop = await shopWith({
    cart: cart(),
    expressCheckout: { ...expressCheckout, address: { ...expressCheckout.address, id: 'a1' } },
    placeExpressOrder: () => ({ order: null, refusal: { reason, message: 'No.', fields: [] } }),
    chooseSavedAddress: { order: { id: 'P0000000000000001' }, refusal: null },
    saveOrderReference: () => ({ refusal: isNamed ? null : { reason: 'cost-centre-unknown', message: 'No.', fields: [] } }),
  })
  const as = { cookie: 'who=professional', host: 'pro.gb.localhost' }
  const names = { purchaseOrder: 'PO 7', costCentre: 'C-100', siteId: 's1' }
  const form = { do: 'express', idempotencyKey: 'a-key-of-the-tests', ...names }
  const led = async (typed: Record<string, string>) => (await shop.ask('/cart', { ...as, form: typed })).headers['location']
  try {
    assert.equal(await led(form), '/order/P0000000000000001/approval')
    assert.deepEqual(shop.asked.slice(-2), [{ addressId: 'a1' }, { customerOrderId: 'P0000000000000001', ...names }])
    reason = 'pick-up-point-missing'
    assert.equal(await led(form), '/order/P0000000000000001/delivery')
    isNamed = false
    assert.equal(await led(form), '/checkout/address')
    // A consumer has no names.
    assert.equal(await led({ do: 'express', idempotencyKey: 'a-key-of-the-tests' }), '/order/P0000000000000001/delivery')
    assert.deepEqual(shop.asked.at(-1), { addressId: 'a1' })
  } finally {
    await shop.close()
  }
})

test('a refused express order gives the reason, and a customer without a card goes step by step', async () => {
  const refusal = { reason: 'cart-changed', message: 'Your basket has changed.', fields: [] }
  const form = { do: 'express', idempotencyKey: 'a-key-of-the-tests' }
  const refused = await pageOf({ cart: cart(), expressCheckout, placeExpressOrder: { order: null, refusal } }, '/cart', { form })
  assert.equal(refused.status, 422)
  assert.ok(textOf(refused.body).includes('Your basket has changed.'))
  const { body } = await pageOf({ cart: cart(), expressCheckout: null }, '/cart', { cookie: 'who=consumer' })
  assert.doesNotMatch(body, /value="express"/)
  assert.match(body, /href="\/order"/)
  const blocked = await pageOf(
    { cart: cart({ changes: [{ offerId: 'o3', title: 'Paint', kind: 'out-of-stock', before: null, after: null }] }), expressCheckout },
    '/cart',
  )
  assert.doesNotMatch(blocked.body, /value="express"/)
})

test('V-39 what was removed can be put back with one button, as many as there were, without script', async () => {
  const shop = await shopWith({
    cart: emptyCart(),
    removeFromCart: { cart: null, refusal: null },
    addToCart: { cart: null, refusal: null },
  })
  const done = await shop.ask('/cart', { form: { do: 'remove', offerId: '77x3' } })
  assert.deepEqual([done.status, done.headers.location], [303, '/cart?removed=77x3'])
  assert.deepEqual(shop.asked.at(-1), { offerId: '77' })
  const { body } = await shop.ask('/cart?removed=77x3')
  assert.match(body, /name="offerId" value="77x3"|value="77x3"[^>]*name="offerId"/)
  assert.ok(textOf(body).includes('Put it back'))
  await shop.ask('/cart', { form: { do: 'add', offerId: '77x3' } })
  assert.deepEqual(shop.asked.at(-1), { offerId: '77', quantity: 3 })
  for (const nonsense of ['?removed=javascript:1', '?removed=77', '?removed='])
    assert.ok(!textOf((await shop.ask(`/cart${nonsense}`)).body).includes('Put it back'), nonsense)
  await shop.close()
})

test('members whose role does not include ordering are told so, instead of a way to order', async () => {
  const see = async (who: string) =>
    textOf((await pageOf({ cart: cart() }, '/cart', { cookie: `who=${who}`, host: 'pro.gb.localhost' })).body)
  const words = 'Your role in the company does not include ordering.'
  assert.deepEqual([(await see('accountant')).includes(words), (await see('professional')).includes(words)], [true, false])
  assert.deepEqual(
    await Promise.all(['accountant', 'professional'].map(async (who) => (await see(who)).includes('Request a quote'))),
    [false, true],
    'nor to request a quote',
  )
})
