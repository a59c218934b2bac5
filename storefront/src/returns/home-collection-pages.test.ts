import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const token = 'T'.repeat(43)
const appointments = [
  { value: '2026-11-26/morning', from: '2026-11-26T08:00:00Z', to: '2026-11-26T13:00:00Z', isChosen: false },
  { value: '2026-11-26/afternoon', from: '2026-11-26T13:00:00Z', to: '2026-11-26T18:00:00Z', isChosen: false },
]
const collection = (more: object = {}) => ({
  number: '50007',
  state: 'OFFERED',
  stateLabel: 'Choose a time',
  sellerName: 'Oakline Tools',
  canChange: true,
  from: null,
  to: null,
  address: {
    firstName: 'Ada',
    lastName: 'Beam',
    company: null,
    line1: '1 Mill Lane',
    line2: null,
    postcode: 'LS1 1AA',
    city: 'Leeds',
    phone: '07700 900123',
    instructions: null,
  },
  appointments,
  lines: [{ offerId: '7', title: 'Garden shed', quantity: 1 }],
  ...more,
})
const pages = ['/home-collection/accept', '/home-collection/cancel', '/home-collection/change-address']
const named = ['/returns/home-collection/accept', '/returns/home-collection/cancel', '/returns/home-collection/change-address']
const ids = ['R-117 R-212', 'R-118 R-213', 'R-119 R-214']

for (const [index, path] of pages.entries())
  test(`${ids[index]} ${path} says where links come from, does not find a wrong one, and shows the return of a right one`, async () => {
    const bare = await pageOf({ homeCollection: null }, path)
    assert.equal(bare.status, 200)
    assert.ok(textOf(bare.body).includes('This link does not work any more'))
    assert.equal((await pageOf({ homeCollection: null }, `${path}?token=wrong`)).status, 404)
    const { status, body } = await pageOf({ homeCollection: collection() }, `${path}?token=${token}`)
    assert.equal(status, 200)
    assert.match(body, /name="robots" content="noindex/)
    assert.ok(textOf(body).includes('Return 50007 to Oakline Tools'))
    const redirected = await pageOf({}, named[index] ?? '')
    assert.deepEqual([redirected.status, redirected.headers['location']], [308, path])
    const over = await pageOf({ homeCollection: collection({ state: 'COLLECTED', canChange: false }) }, `${path}?token=${token}`)
    assert.doesNotMatch(over.body, /<form[^>]*home-collection/, 'nothing to change any more')
    assert.ok(textOf(over.body).includes('The driver has collected the goods.'), 'and why')
    assert.match(over.body, /<main[^]*<a href="[^"]+">(Your orders|Back to the appointment)</, 'it leads on')
  })

test('R-117 the times are chosen without scripts; a time that has gone is refused on the page', async () => {
  const shop = await shopWith({ homeCollection: collection(), acceptHomeCollection: { refusal: null } })
  try {
    const { body } = await shop.ask(`/home-collection/accept?token=${token}`, {})
    assert.match(body, /type="radio"[^>]*value="2026-11-26\/morning"|value="2026-11-26\/morning"[^>]*type="radio"/)
    for (const part of ['Thursday 26 November', '1 × Garden shed', '1 Mill Lane', 'Book this time'])
      assert.ok(textOf(body).includes(part), part)
    const done = await shop.ask(`/home-collection/accept?token=${token}`, { form: { appointment: '2026-11-26/morning' } })
    assert.equal(done.status, 303)
    assert.deepEqual(
      shop.asked.find((each) => 'appointment' in each),
      { token, appointment: '2026-11-26/morning' },
    )
  } finally {
    await shop.close()
  }
  const gone = await pageOf(
    {
      homeCollection: collection(),
      acceptHomeCollection: { refusal: { reason: 'appointment-gone', message: 'This time is no longer available.', fields: [] } },
    },
    `/home-collection/accept?token=${token}`,
    { form: { appointment: 'x' } },
  )
  assert.equal(gone.status, 422)
  assert.ok(textOf(gone.body).includes('This time is no longer available.'))
  const unchosen = await pageOf({ homeCollection: collection() }, `/home-collection/accept?token=${token}`, { form: {} })
  assert.equal(unchosen.status, 422)
  assert.match(unchosen.body, /autofocus[^>]*>.*<a href="#appointment">Please choose one of the options\./s)
  assert.match(unchosen.body, /aria-describedby="appointment-error"/)
  const late = { reason: 'not-now', message: 'This is not possible now.', fields: [] }
  const collected = await pageOf(
    { homeCollection: collection({ state: 'COLLECTED', canChange: false }), acceptHomeCollection: { refusal: late } },
    `/home-collection/accept?token=${token}`,
    { form: { appointment: '2026-11-26/morning' } },
  )
  assert.match(collected.body, /role="alert"[^>]*autofocus[^>]*>.*This is not possible now\./s, 'also where the form is gone')
  const booked = await pageOf(
    { homeCollection: collection({ state: 'BOOKED', stateLabel: 'Confirmed', from: appointments[0]?.from, to: appointments[0]?.to }) },
    `/home-collection/accept?token=${token}`,
  )
  for (const part of ['Confirmed', 'bring the label', 'Choose another time', 'Cancel the collection'])
    assert.ok(textOf(booked.body).includes(part), part)
})

test('R-118 opening the link cancels nothing; the button does', async () => {
  const shop = await shopWith({ homeCollection: collection(), cancelHomeCollection: { refusal: null } })
  try {
    const path = `/home-collection/cancel?token=${token}`
    await shop.ask(path, {})
    assert.equal(shop.asked.filter((each) => 'token' in each).length, 1, 'the query alone')
    assert.equal((await shop.ask(path, { form: {} })).status, 303)
  } finally {
    await shop.close()
  }
})

test('R-119 the form holds the address as it is and shows what is wrong with a new one', async () => {
  const path = `/home-collection/change-address?token=${token}`
  const { body } = await pageOf({ homeCollection: collection() }, path)
  for (const value of ['Ada', '1 Mill Lane', 'LS1 1AA', '07700 900123']) assert.ok(body.includes(`value="${value}"`), value)
  for (const part of ['Phone, for the driver', 'Notes for the driver']) assert.ok(textOf(body).includes(part), part)
  const form = { firstName: 'Ada', lastName: 'Beam', line1: '9 New Road', postcode: 'x', city: 'Bristol', phone: '07700 900123' }
  const fields = [{ field: 'postcode', message: 'This is not a postcode of this country.' }]
  const refusal = { reason: 'address-invalid', message: 'Please check the fields marked below.', fields }
  const wrong = await pageOf({ homeCollection: collection(), changeHomeCollectionAddress: { refusal } }, path, { form })
  assert.equal(wrong.status, 422)
  assert.ok(textOf(wrong.body).includes('This is not a postcode of this country.') && wrong.body.includes('value="9 New Road"'))
})

test('R-114 R-250 the buyer rates the return by the link; without a link, and before its end, there is no form', async () => {
  const at = `/return/feedback?token=${token}`
  const request = (more: object = {}) => ({
    number: '50007',
    sellerName: 'Oakline Tools',
    canRate: true,
    rating: null,
    comment: null,
    ...more,
  })
  const { body } = await pageOf({ returnToRate: request() }, at)
  for (const part of ['How was your return?', '1 star', '5 stars', 'What should we do better?'])
    assert.ok(textOf(body).includes(part), part)
  assert.equal((await pageOf({ returnToRate: null }, at)).status, 404)
  assert.equal((await pageOf({}, '/return/feedback')).status, 200)
  assert.ok(textOf((await pageOf({ returnToRate: request({ canRate: false }) }, at)).body).includes('still being handled'))
  const unrated = await pageOf({ returnToRate: request() }, at, { form: { comment: 'The driver came late' } })
  assert.equal(unrated.status, 422)
  assert.match(unrated.body, /autofocus[^>]*>.*<a href="#rating">Please choose one of the options\./s)
  assert.match(unrated.body, /<fieldset[^>]*id="rating" aria-describedby="rating-error"/)
  assert.match(unrated.body, />The driver came late<\/textarea>/)
  const sent = await pageOf({ returnToRate: request(), rateReturn: { refusal: null } }, at, { form: { rating: '4', comment: '' } })
  assert.equal(sent.status, 303)
  const thanks = await pageOf({ returnToRate: request({ rating: 4 }) }, `${at}&done=1`)
  for (const part of ['Thank you.', 'Continue shopping']) assert.ok(textOf(thanks.body).includes(part), part)
  const redirected = await pageOf({}, '/returns/feedback-form')
  assert.deepEqual([redirected.status, redirected.headers['location']], [308, '/return/feedback'])
})
