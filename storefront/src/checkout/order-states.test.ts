import assert from 'node:assert/strict'
import { test } from 'node:test'
import { order, payment, sellerOrder, cart } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const guest = { cookie: 'who=guest' }
const delivery = '/order/ORDER123/delivery'
const details = '/orders/customer-order/ORDER123/shipment/O1-7'
const see = async (path: string, more: Parameters<typeof order>[0], host = 'gb.localhost') => {
  const { status, headers, body } = await pageOf({ customerOrder: order(more) }, path, { ...guest, host })
  return { status, location: headers.location, body, text: textOf(body) }
}

const refusedWith = (reason: string) => ({ order: null, refusal: { reason, message: 'It was refused.', fields: [] } })
const choose = (root: object) =>
  pageOf({ customerOrder: order({ state: 'DRAFT' }), ...root }, delivery, {
    ...guest,
    form: { 'delivery.7': 'standard', idempotencyKey: 'k1' },
  })

test('a draft whose goods are gone redirects to the cart, which reports the changes', async () => {
  const { status, location } = await see(delivery, {
    state: 'DRAFT',
    sellerOrders: [sellerOrder({ deliveryOptions: [], deliveryKind: '' })],
  })
  assert.deepEqual([status, location], [302, '/cart'])
})

test('prices or stock that changed while placing the order are reported in the cart; other refusals on the page', async () => {
  for (const reason of ['cart-changed', 'sold-out']) {
    const moved = await choose({ placeOrder: refusedWith(reason) })
    assert.deepEqual([moved.status, moved.headers.location], [303, '/cart'])
  }
  const code = await choose({ placeOrder: refusedWith('coupon-expired') })
  assert.equal(code.status, 409)
  assert.match(textOf(code.body), /It was refused\. ?Back to the basket/)
})

const address = { do: 'type', idempotencyKey: 'k1', name: 'Ann Field', line1: '1 Mill Lane', postcode: 'M1', city: 'Leeds' }

test('V-58 an invalid form shows an error at each field, in the visitor’s language, and keeps the entered values', async () => {
  const funnel = { step: 'address', customerOrderId: null, email: 'a@b.example' }
  const form = { ...address, name: ' ', city: 'x'.repeat(101), 'billing.country': 'US' }
  const { status, body } = await pageOf({ funnel, cart: cart() }, '/checkout/address', { ...guest, host: 'de.localhost', form })
  assert.equal(status, 422)
  const errorOf = (name: string) => textOf(new RegExp(`id="${name}-error"[^]*?</p>`).exec(body)?.[0] ?? '')
  assert.match(errorOf('name'), /Bitte ausfüllen\./)
  assert.match(errorOf('city'), /Bitte höchstens 100 Zeichen\./)
  assert.match(errorOf('billing\\.country'), /Bitte wählen Sie eine der Möglichkeiten\./)
  assert.equal(errorOf('line1'), '')
  assert.match(body, /name="line1"[^>]*value="1 Mill Lane"/)
  const guestForm = await pageOf({ funnel: { ...funnel, step: 'register' } }, '/checkout/register', {
    host: 'fr.localhost',
    form: { email: 'personne' },
  })
  assert.match(textOf(guestForm.body), /Indiquez une adresse e-mail/)
  assert.match(guestForm.body, /value="personne"/)
})

test('the error summary of an address names each field, in the order of the form', async () => {
  const fields = ['city', 'firstName', 'billing.name'].map((field) => ({ field, message: 'Please fill this in.' }))
  const { body } = await pageOf(
    {
      saveAddress: { order: null, refusal: { reason: 'address-invalid', message: 'Please check.', fields } },
      funnel: { step: 'address', customerOrderId: null, email: 'a@b.example' },
      cart: cart(),
    },
    '/checkout/address',
    { ...guest, form: address },
  )
  const summary = /id="error-summary"[^]*?<\/ul>/.exec(body)?.[0] ?? ''
  assert.deepEqual(
    [...summary.matchAll(/href="#([^"]+)">([^<]+)</g)].map(([, field, words]) => [field, words]),
    [
      ['name', 'First and last name: Please fill this in.'],
      ['city', 'Town or city: Please fill this in.'],
      ['billing.name', 'Name or company: Please fill this in.'],
    ],
  )
})

test('consumers are informed of their right of withdrawal before paying; professionals, who have none, are not', async () => {
  const at = { payment: payment({ frameUrl: 'http://pay.localhost:3001/f' }) }
  assert.match((await see('/order/ORDER123/secure-payment', at)).text, /Please note your right to cancel/)
  assert.doesNotMatch((await see('/order/ORDER123/secure-payment', at, 'pro.gb.localhost')).text, /right to cancel|withdraw/i)
})

test('an order awaiting payment can be paid, and shows how long its goods are reserved', async () => {
  const { text, body } = await see(details, { holdsUntil: '2026-11-21T23:35:00Z' })
  assert.match(body, /href="\/order\/ORDER123\/secure-payment"[^>]*>.*Pay now/)
  assert.ok(text.includes('Reserved for you until 23:35'), text)
  assert.ok(text.includes('Sold by Nordwerk') && !text.includes('Part 1 of 1'))
})

test('an unpaid cancelled order says that nothing was charged or will be delivered, and links back to the cart', async () => {
  const parts = [sellerOrder({ state: 'CANCELLED', stateLabel: 'Cancelled' })]
  const { text, body } = await see(details, { state: 'CANCELLED', sellerOrders: parts, payment: payment({ state: 'EXPIRED' }) })
  assert.ok(text.includes('This order was not paid in time') && text.includes('Nothing was charged'), text)
  assert.match(body, /href="\/cart"[^>]*>Back to the basket/)
  for (const wrong of ['Arrives Tue 24 Nov', 'Pay now', 'Paid by card']) assert.ok(!text.includes(wrong), wrong)
})

test('an order cancelled after it was paid says that the money is refunded', async () => {
  const { text } = await see(details, { state: 'CANCELLED', payment: payment({ state: 'CAPTURED', isCaptured: true }) })
  assert.ok(text.includes('What you paid goes back the way you paid it') && !text.includes('not paid in time'), text)
})

test('while payment is in progress the sellers’ parts show the order’s state, and nothing is labelled paid', async () => {
  const { text } = await see(details, {
    state: 'AUTHORISED',
    isPaid: true,
    stateLabel: 'Payment being confirmed',
    payment: payment({ state: 'AUTHORISED' }),
  })
  assert.equal(text.split('Payment being confirmed').length - 1, 2)
  assert.ok(!text.includes('Part waits') && !text.includes('Paid by card'), text)
  assert.ok(
    (await see(details, { state: 'PAID', isPaid: true, payment: payment({ state: 'CAPTURED', isCaptured: true }) })).text.includes(
      'Paid by card',
    ),
  )
})

test('an order names what paid it: a card, a wallet, or the invoice that is to be paid', async () => {
  const paidBy = async (by: Partial<Parameters<typeof payment>[0]>) =>
    (await see(details, { state: 'PAID', isPaid: true, payment: payment({ state: 'CAPTURED', isCaptured: true, ...by }) })).text
  assert.match(await paidBy({ paidWith: 'PAYPAL' }), /Paid with PayPal/)
  const invoice = await paidBy({ method: 'invoice' })
  assert.ok(invoice.includes('To be paid by invoice') && !invoice.includes('Paid by card'), invoice)
})

test('an invalid mail link gives the same message, whatever is wrong with it', async () => {
  const { status, body } = await pageOf({ openOrderByToken: refusedWith('unknown-order') }, `${details}?access=cut-off`, guest)
  assert.equal(status, 404)
  assert.ok(textOf(body).includes('This link does not open an order'))
})

test('the mail link of a company’s order leads to the sign-in and back to the page, without the token', async () => {
  const { status, headers } = await pageOf({ openOrderByToken: refusedWith('members-only') }, `${details}?access=of-a-company`, guest)
  assert.deepEqual([status, headers.location], [302, `/login?error=CompanyOrder&callbackUrl=${encodeURIComponent(details)}`])
})

test('R-128 a customer chooses among their saved addresses in this country; a guest enters one', async () => {
  const saved = {
    firstName: 'Ann',
    lastName: 'Lee',
    company: null,
    line2: null,
    phone: '+44 1',
    instructions: null,
    isBillingDefault: false,
  }
  const myAddresses = [
    { ...saved, id: 'a1', line1: '1 Mill Lane', postcode: 'SW1A 1AA', city: 'London', country: 'GB', isDeliveryDefault: true },
    { ...saved, id: 'a2', line1: '2 rue du Moulin', postcode: '75001', city: 'Paris', country: 'FR', isDeliveryDefault: false },
  ]
  const funnel = { step: 'address', customerOrderId: null, email: 'a@b.example' }
  const chosen = { chooseSavedAddress: { order: { id: 'ORDER123' }, refusal: null } }
  const customer = { cookie: 'who=consumer' }
  const { body } = await pageOf({ funnel, myAddresses, cart: cart() }, '/checkout/address', customer)
  assert.ok(textOf(body).includes('Deliver to one of your addresses') && body.includes('1 Mill Lane') && !body.includes('2 rue du Moulin'))
  assert.match(body, /name="keep"/)
  const reply = await pageOf({ funnel, myAddresses, cart: cart(), ...chosen }, '/checkout/address', {
    ...customer,
    form: { do: 'choose', addressId: 'a1' },
  })
  assert.deepEqual([reply.status, reply.headers['location']], [303, '/order/ORDER123/delivery'])
  const asGuest = await pageOf({ funnel, cart: cart() }, '/checkout/address', guest)
  assert.doesNotMatch(asGuest.body, /name="keep"|Deliver here/)
})
