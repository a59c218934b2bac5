import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../testing/goods.ts'
import { pageOf, textOf, unavailable } from '../testing/shop.ts'

const cookie = 'who=consumer'
const coupon = (code: string, more: object = {}) => ({
  code,
  label: '-10%',
  isPersonal: false,
  isForFirstOrder: false,
  minimum: null,
  category: null,
  seller: null,
  endsOn: '2027-01-21',
  usesLeft: 1,
  isScarce: false,
  ...more,
})

test('R-088 R-225 the page of advantages shows each coupon with its conditions, a way to use it in the cart, and the tier', async () => {
  const myCoupons = [
    coupon('FORANN', { isPersonal: true, minimum: money(50), category: 'Drills', seller: 'Nordwerk', usesLeft: 3 }),
    coupon('LAST10', { label: 'Free delivery', isScarce: true }),
    coupon('HELLO', { isForFirstOrder: true }),
  ]
  const { status, body } = await pageOf(
    { myCoupons, customerSegments: { loyalty_level: 'SILVER', customer_value: 'LOW' } },
    '/my-advantages',
    { cookie },
  )
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Only for you -10% For Drills For goods from Nordwerk From £50.00 of goods You can use it 3 times Valid until 21 January 2027',
    'Limited number Free delivery For all goods You can use it once',
    'For all goods For your first order You can use it once',
    'Your tier Silver',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /<form[^>]*action="\/cart"[^>]*>\s*<input(?=[^>]*name="code")(?=[^>]*value="FORANN")[^>]*>/)
  assert.equal(body.match(/value="coupon"/g)?.length, 3)
  // Copying needs a script: without one there is no button.
  assert.match(/<button[^>]*data-code="LAST10"[^>]*>/.exec(body)?.[0] ?? '', / hidden=""/)
})

test('R-088 without coupons and without a tier the page explains how to get both', async () => {
  const { body } = await pageOf({ myCoupons: [], customerSegments: { loyalty_level: 'UNDEFINED' } }, '/my-advantages', { cookie })
  const text = textOf(body)
  for (const part of ['No coupons at the moment', 'No tier yet', 'With your second order within a year you reach Bronze.'])
    assert.ok(text.includes(part), part)
})

test('while the segments are unavailable the page shows the coupons, and neither an offer nor that the customer has no tier', async () => {
  const without = { customerSegments: unavailable, loyalty: unavailable, myWelcomeOffer: unavailable }
  const see = (host: string, cookie: string) => pageOf({ myCoupons: [coupon('FORANN')], ...without }, '/my-advantages', { cookie, host })
  for (const { status, body } of [await see('gb.localhost', cookie), await see('pro.gb.localhost', 'who=administrator')]) {
    assert.equal(status, 200)
    assert.ok(textOf(body).includes('FORANN'))
    assert.doesNotMatch(textOf(body), /tier|Bronze|off your next order/i)
  }
})

test('while the segments are unavailable the page of the loyalty programme is, too: it is not missing', async () => {
  const customer = { cookie: 'who=administrator', host: 'pro.gb.localhost' }
  assert.equal((await pageOf({ loyalty: unavailable }, '/static/loyalty-landing', customer)).status, 503)
})

test('R-478 advantages are for customers who have signed in', async () => {
  const reply = await pageOf({ myCoupons: [], customerSegments: null }, '/my-advantages', { cookie: 'who=guest' })
  assert.deepEqual([reply.status, reply.headers['location']], [302, '/login?callbackUrl=%2Fmy-advantages'])
})

test('R-414 the welcome offer of customers of high value is shown to whom the API gives it, and to no others', async () => {
  const shown = async (myWelcomeOffer: object | null) => {
    const { status, body, headers } = await pageOf({ myCoupons: [], customerSegments: null, myWelcomeOffer }, '/my-advantages', { cookie })
    assert.equal(status, 200)
    assert.match(String(headers['cache-control']), /no-store/)
    return textOf(body).includes('For you 15 % off your next order with the code HELLO15')
  }
  assert.equal(await shown({ code: 'HELLO15', percent: 15 }), true)
  assert.equal(await shown(null), false)
})
