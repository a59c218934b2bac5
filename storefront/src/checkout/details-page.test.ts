import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cart, cartSeller, money } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const guest = { cookie: 'who=visitor' }
const path = '/checkout/address'
const funnel = { step: 'register', customerOrderId: null, email: null }
const form = {
  do: 'type',
  idempotencyKey: 'k1',
  email: 'ann@example.com',
  name: 'Ann Lee',
  line1: '1 Mill Lane',
  postcode: 'M1 1AE',
  city: 'Manchester',
  'delivery.7': 'standard',
}
const done = {
  continueAsGuest: { refusal: null },
  saveAddress: { order: { id: 'ORDER123' }, refusal: null },
  placeOrder: { order: null, refusal: null },
}
const way = (kind: string) => ({ kind, label: kind, fee: money(39), promise: 'Arrives Tue 24 Nov' })
const refusedWith = (reason: string, fields: object[] = []) => ({ order: null, refusal: { reason, message: 'It was refused.', fields } })
const required = (body: string) =>
  [...body.slice(body.indexOf('data-details')).matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => / required/.test(tag) && !tag.includes('radio'))
    .map((tag) => /name="([^"]*)"/.exec(tag)?.[1])

test('V-41 a guest without an e-mail address so far fills in five fields, beside the goods and their total', async () => {
  const { status, body } = await pageOf({ funnel, cart: cart() }, path, guest)
  assert.equal(status, 200)
  assert.deepEqual(required(body), ['email', 'name', 'line1', 'postcode', 'city'])
  assert.doesNotMatch(body, /name="phone"/)
  assert.equal(body.split('£24.90').length - 1 >= 2, true, 'the total stands in the bar of phones and beside the form')
})

const words = {
  gb: 'Purlin may remind me once by e-mail',
  de: 'Purlin darf mich einmal per E-Mail',
  fr: 'Purlin peut me rappeler une seule fois par e-mail',
  es: 'Purlin puede recordarme una sola vez',
  it: 'Purlin può ricordarmi una sola volta',
}
test('a guest may agree to one reminder of the basket beside the address: a box that nobody has ticked, in five languages on both storefronts', async () => {
  for (const [market, text] of Object.entries(words))
    for (const host of [`${market}.localhost`, `pro.${market}.localhost`]) {
      const shown = { ...guest, host }
      const { body } = await pageOf({ funnel, cart: cart(), basketReminder: { hasAgreed: false } }, path, shown)
      assert.ok(textOf(body).includes(text), host)
      const box = /<input[^>]*name="remind"[^>]*>/.exec(body)?.[0] ?? ''
      assert.match(box, /type="checkbox"/)
      assert.doesNotMatch(box, /checked|required/)
      assert.doesNotMatch((await pageOf({ funnel, cart: cart(), basketReminder: null }, path, shown)).body, /name="remind"/)
    }
})

test('the tick is sent once the address is known, its removal withdraws it, and an order without it says nothing about reminders', async () => {
  const sent = async (more: object) => {
    const calls: string[] = []
    const says = (what: string, value: unknown) => () => {
      calls.push(what)
      return value
    }
    const root = {
      ...done,
      continueAsGuest: says('address', { refusal: null }),
      agreeToBasketReminder: says('agree', true),
      withdrawBasketReminder: says('withdraw', true),
    }
    const { status } = await pageOf({ funnel, cart: cart(), basketReminder: { hasAgreed: true }, ...root }, path, {
      ...guest,
      form: { ...form, ...more },
    })
    assert.equal(status, 303)
    return calls
  }
  assert.deepEqual(await sent({ remind: '1', reminded: '1' }), ['address', 'agree'])
  assert.deepEqual(await sent({ reminded: '1' }), ['address', 'withdraw'])
  assert.deepEqual(await sent({}), ['address'])
})

test('V-38 the summary names the code of a reduction', async () => {
  const coupon = { code: 'TOOLS10', label: '-10%', discount: { amount: 5, currency: 'GBP', formatted: '£5.00' } }
  const reduced = cart({ coupon })
  const { body } = await pageOf({ funnel, cart: { ...reduced, totals: { ...reduced.totals, discount: coupon.discount } } }, path, guest)
  assert.match(textOf(body), /Code TOOLS10 −£5\.00/)
})

test('V-41 the phone number is asked for where freight is offered, and required where there is nothing else', async () => {
  const see = async (kinds: string[]) =>
    (await pageOf({ funnel, cart: cart({ sellers: [cartSeller({ deliveryOptions: kinds.map(way) })] }) }, path, guest)).body
  const either = await see(['standard', 'kerbside'])
  assert.match(either, /name="phone"/)
  assert.ok(!required(either).includes('phone'))
  assert.ok(required(await see(['kerbside'])).includes('phone'))
})

test('V-41 one form saves the e-mail address, the address and the delivery, and leads to the payment', async () => {
  const { status, headers } = await pageOf({ funnel, cart: cart(), ...done }, path, { ...guest, form })
  assert.deepEqual([status, headers['location']], [303, '/order/ORDER123/secure-payment'])
})

test('V-41 refusals: half a name and a missing phone number stand at their fields; changed prices and sold-out goods in the cart', async () => {
  const send = (more: object) => pageOf({ funnel, cart: cart(), ...done, ...more }, path, { ...guest, form })
  const half = await send({ saveAddress: refusedWith('address-invalid', [{ field: 'lastName', message: 'Please fill this in.' }]) })
  assert.equal(half.status, 409)
  assert.match(half.body, /id="name-error"[^]*?first and last name/)
  assert.match(half.body, /value="1 Mill Lane"/)
  for (const reason of ['cart-changed', 'sold-out', 'cart-empty']) {
    const moved = await send({ placeOrder: refusedWith(reason) })
    assert.deepEqual([moved.status, moved.headers['location']], [303, '/cart'])
  }
  const code = await send({ placeOrder: refusedWith('coupon-expired') })
  assert.ok(code.status === 409 && code.body.includes('It was refused.'))
})

test('V-41 what changed since it was put into the cart, and goods nobody delivers, are shown in the cart first', async () => {
  for (const held of [cart({ changes: [{ offerId: 'o1' }] }), cart({ sellers: [cartSeller({ deliveryOptions: [] })] })]) {
    const { status, headers } = await pageOf({ funnel, cart: held }, path, guest)
    assert.deepEqual([status, headers['location']], [302, '/cart'])
  }
})

test('a draft keeps its cost centre as a choice of the form once that is archived', async () => {
  const centre = (code: string, isArchived: boolean) => ({ code, name: '', isArchived })
  const companySites = { sites: [], costCentres: [centre('C-1', false), centre('C-OLD', true), centre('C-OLDER', true)], isFree: false }
  const reference = { purchaseOrder: 'PO 1', costCentre: 'C-OLD', suggestedCostCentre: null, site: null, siteId: null, canChange: true }
  const { body } = await pageOf(
    {
      funnel: { step: 'address', customerOrderId: 'ORDER123', email: 'ben@archer.example' },
      cart: cart(),
      customerOrder: null,
      orderReference: reference,
      companySites,
      myCompanies: [],
      myAddresses: [],
      customerProfile: null,
    },
    path,
    { cookie: 'who=professional', host: 'pro.gb.localhost' },
  )
  const select = /<select[^>]*name="costCentre"[^]*?<\/select>/.exec(body)?.[0] ?? assert.fail('no cost centres')
  const codes = [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, value, selected]) => value + (selected ?? ''))
  assert.deepEqual(codes, ['', 'C-1', 'C-OLD selected'])
})

test('a draft keeps its building site as a choice of the form once that is archived', async () => {
  const address = { firstName: 'Leah', lastName: 'Novak', phone: '', line1: '1 Mill Lane', line2: null, postcode: 'LS1 4DY', city: 'Leeds' }
  const site = (id: string, isArchived: boolean) => ({ id, name: id, ...address, country: 'GB', deliveryHours: null, isArchived })
  const companySites = { sites: [site('s-1', false), site('s-old', true), site('s-older', true)], costCentres: [], isFree: true }
  const reference = { purchaseOrder: 'PO 1', costCentre: null, suggestedCostCentre: null, site: 's-old', siteId: 's-old', canChange: true }
  const member = { orderReference: reference, companySites, myCompanies: [], myAddresses: [], customerProfile: null }
  const data = { funnel: { step: 'address', customerOrderId: 'ORDER123', email: 'ben@archer.example' }, cart: cart(), customerOrder: null }
  const { body } = await pageOf({ ...data, ...member }, path, { cookie: 'who=professional', host: 'pro.gb.localhost' })
  const select = /<select[^>]*name="siteId"[^]*?<\/select>/.exec(body)?.[0] ?? assert.fail('no sites')
  const ids = [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, value, selected]) => value + (selected ?? ''))
  assert.deepEqual(ids, ['', 's-1', 's-old selected'])
})

test('names that a member has emptied on the form are taken from the order; guests name none', async () => {
  const sent: object[] = []
  const saveOrderReference = ({ input }: { input: object }) => (sent.push({ ...input }), { refusal: null })
  const typed = { ...form, purchaseOrder: '', costCentre: '', siteId: '' }
  const data = { funnel, cart: cart(), ...done, saveOrderReference }
  await pageOf(data, path, { cookie: 'who=professional', host: 'pro.gb.localhost', form: typed })
  assert.deepEqual(sent, [{ purchaseOrder: null, costCentre: null, siteId: null }])
  await pageOf(data, path, { ...guest, form: typed })
  await pageOf(data, path, { ...guest, host: 'pro.gb.localhost', form: typed })
  assert.equal(sent.length, 1)
})

test('a member of several companies sees for which one the order is, beside the address', async () => {
  const companies = [
    { id: 'c1', name: 'Hartley Roofing Ltd', role: 'BUYER', isCurrent: true },
    { id: 'c2', name: 'Ben Archer Joinery', role: 'ADMIN', isCurrent: false },
  ]
  const member = { companySites: { sites: [], costCentres: [], isFree: true }, myAddresses: [], customerProfile: null }
  const data = { funnel: { ...funnel, step: 'address', email: 'ben@archer.example' }, cart: cart(), ...member }
  const seen = async (myCompanies: object[]) =>
    textOf((await pageOf({ ...data, myCompanies }, path, { cookie: 'who=professional', host: 'pro.gb.localhost' })).body)
  assert.ok((await seen(companies)).includes('You are acting for Hartley Roofing Ltd. Change company'))
  assert.ok(!(await seen(companies.slice(0, 1))).includes('You are acting for'))
})
