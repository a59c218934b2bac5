import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const money = (formatted: string, amount = 100) => ({ amount, currency: 'GBP', formatted })
const at = '/orders/customer-order/P0123456789ABCDEF/shipment/P0123456789ABCDEF-1/cancellation/summary'
const line = (more: object = {}) => ({
  offerId: '7',
  title: 'Drill 7',
  imageUrl: '/pictures/p/7/main.svg',
  quantity: 2,
  now: 2,
  onRequest: 0,
  chosenNow: 0,
  chosenOnRequest: 0,
  ...more,
})
const plan = (more: object = {}) => ({
  sellerName: 'Oakline Tools',
  mayCancel: true,
  lines: [line()],
  refundNow: money('£0.00', 0),
  refundOnRequest: money('£0.00', 0),
  requests: [],
  ...more,
})

test('R-096 R-230 cancelling starts with the pieces and a reason; those on their way cannot be chosen', async () => {
  const { status, body } = await pageOf({ cancellation: plan({ lines: [line(), line({ offerId: '8', title: 'Saw 8', now: 0 })] }) }, at, {
    cookie,
  })
  assert.equal(status, 200)
  assert.match(body, /name="lines\[o7\]"/)
  assert.doesNotMatch(body, /name="lines\[o8\]"/)
  for (const part of ['How many of “Drill 7”', 'cannot be cancelled', 'Reason', 'Continue to the summary'])
    assert.ok(textOf(body).includes(part), part)
  assert.equal((await pageOf({ cancellation: null }, at, { cookie })).status, 404)
})

test('R-132 the summary names lines, reason, refund and its delay before anything is cancelled; the form cancels', async () => {
  const shop = await shopWith({
    cancellation: plan({ lines: [line({ chosenNow: 1 })], refundNow: money('£12.40', 1240) }),
    cancelLines: { cancelled: 1, requested: 0, refusal: null },
  })
  try {
    const { body } = await shop.ask(`${at}?reason=ordered-twice&lines[o7]=1`, { cookie })
    for (const part of ['1 × Drill 7', '£12.40', 'Ordered twice', 'three to five working days', 'Cancel these items'])
      assert.ok(textOf(body).includes(part), part)
    assert.deepEqual(shop.asked.find((each) => 'lines' in each)?.['lines'], [{ offerId: '7', quantity: 1 }])
    const done = await shop.ask(at, { cookie, form: { reason: 'ordered-twice', 'lines.7': '1' } })
    assert.equal(done.status, 303)
    assert.ok(String(done.headers['set-cookie']).includes('lines-cancelled'))
  } finally {
    await shop.close()
  }
})

test('R-230 with nothing left to cancel, and for people who only see the order, no form is offered', async () => {
  const none = await pageOf({ cancellation: plan({ lines: [line({ now: 0 })] }) }, at, { cookie })
  assert.ok(textOf(none.body).includes('Nothing can be cancelled'))
  const shared = await pageOf({ cancellation: plan({ mayCancel: false }) }, at, { cookie })
  assert.ok(textOf(shared.body).includes('Only the person who placed the order'))
  for (const { body } of [none, shared]) assert.doesNotMatch(body, /Continue to the summary/)
  const refused = await pageOf(
    {
      cancellation: plan(),
      cancelLines: { cancelled: 0, requested: 0, refusal: { reason: 'nothing-to-cancel', message: 'Too late now.', fields: [] } },
    },
    at,
    { cookie, form: { reason: 'other', 'lines.7': '1' } },
  )
  assert.equal(refused.status, 422)
  assert.ok(textOf(refused.body).includes('Too late now.'))
})

const refund = (more: object = {}) => ({
  id: 'F1',
  number: '70001',
  customerOrderId: 'P0123456789ABCDEF',
  sellerOrderId: 'P0123456789ABCDEF-1',
  state: 'DONE',
  stateLabel: 'Refunded',
  cause: 'CANCELLATION',
  amount: money('£12.40'),
  whole: money('£12.40'),
  ibanEnd: null,
  isSetOff: false,
  byBank: null,
  byShop: money('£12.40'),
  isByHand: false,
  requestedAt: '2026-11-20T10:00:00Z',
  doneAt: '2026-11-20T10:01:00Z',
  canGiveAccount: false,
  lines: [{ offerId: '7', title: 'Drill 7', quantity: 1, amount: money('£12.40') }],
  ...more,
})

test('R-115 R-248 the refund page shows where the money goes, and asks for an IBAN where the card takes none', async () => {
  const done = await pageOf({ refund: refund() }, '/refund/form/F1', { cookie })
  for (const part of ['Refunded', '£12.40 the way you paid', '1 × Drill 7', '20 November 2026'])
    assert.ok(textOf(done.body).includes(part), part)
  assert.doesNotMatch(done.body, /name="iban"/)
  for (const [more, sentence] of [
    [{ isSetOff: true }, 'Your bank has already given you this amount back.'],
    [{ state: 'NOT_OWED', stateLabel: 'Not owed', doneAt: null }, 'This refund turned out not to be owed and will not be paid.'],
  ] as const) {
    const text = textOf((await pageOf({ refund: refund(more) }, '/refund/form/F1', { cookie })).body)
    assert.ok(text.includes(sentence) && !text.includes('the way you paid') && !text.includes('Refunded on'), sentence)
  }
  const inPart = { byBank: money('£2.40'), byShop: money('£10.00') }
  // While it is open the amount is what is left.
  const openInPart = { ...inPart, amount: money('£10.00'), doneAt: null }
  for (const [more, ways] of [
    [inPart, ['£10.00 the way you paid']],
    [{ ...inPart, isByHand: true }, ['£10.00 by bank transfer']],
    [{ ...inPart, ibanEnd: '3000' }, ['£10.00 to your account ending in 3000']],
    [{ ...openInPart, state: 'ON_HOLD' }, ['£10.00 the way you paid']],
    [{ ...openInPart, state: 'IBAN_NEEDED' }, ['£10.00 is still to come.']],
    [{ ...openInPart, state: 'IBAN_NEEDED', canGiveAccount: true }, ['£10.00 is still to come.']],
  ] as const) {
    const text = textOf((await pageOf({ refund: refund(more) }, '/refund/form/F1', { cookie })).body)
    for (const way of ['Your bank has already given you £2.40 of £12.40 back.', ...ways]) assert.ok(text.includes(way), `${way}: ${text}`)
    assert.equal(
      text.includes('the way you paid'),
      ways.some((way) => way.endsWith('the way you paid')),
    )
  }
  const byHand = textOf((await pageOf({ refund: refund({ isByHand: true }) }, '/refund/form/F1', { cookie })).body)
  assert.ok(byHand.includes('£12.40 by bank transfer') && !byHand.includes('Your bank'))
  const open = { refund: refund({ state: 'IBAN_NEEDED', stateLabel: 'We need your bank account', canGiveAccount: true, doneAt: null }) }
  const asks = await pageOf(open, '/refund/form/F1', { cookie })
  assert.match(asks.body, /name="iban"/)
  assert.ok(textOf(asks.body).includes('£12.40 is still to come.'), 'the amount is stated where the account is asked for')
  assert.ok(!textOf(asks.body).includes('the way you paid'), 'the card has not taken it')
  const wrong = {
    reason: 'account-invalid',
    message: 'Please check the bank account.',
    fields: [{ field: 'iban', message: 'Check the IBAN' }],
  }
  const refused = await pageOf({ ...open, giveRefundAccount: { refund: null, refusal: wrong } }, '/refund/form/F1', {
    cookie,
    form: { holder: 'Ann Lee', iban: 'XX' },
  })
  assert.equal(refused.status, 422)
  assert.ok(textOf(refused.body).includes('Check the IBAN') && refused.body.includes('value="XX"'))
  const given = await pageOf({ ...open, giveRefundAccount: { refund: { id: 'F1' }, refusal: null } }, '/refund/form/F1', {
    cookie,
    form: { holder: 'Ann Lee', iban: 'GB33BUKB20201555555555' },
  })
  assert.equal(given.status, 303)
  assert.equal((await pageOf({ refund: null }, '/refund/form/F1', { cookie })).status, 404)
})

const returnAt = '/return-request/P0123456789ABCDEF/P0123456789ABCDEF-1'
const choice = (value: string) => ({ value, label: value })
const offered = (more: object = {}) => ({
  reason: 'changed-mind',
  reasonLabel: 'I have changed my mind',
  isWithdrawal: true,
  wishes: [choice('refund')],
  methods: [choice('label')],
  needsPhotos: false,
  daysLeft: 9,
  refund: money('£24.90'),
  ...more,
})
const options = (more: object = {}) => ({
  sellerName: 'Oakline Tools',
  mayReturn: true,
  lines: [{ offerId: '7', title: 'Drill 7', imageUrl: '/pictures/p/7/main.svg', returnable: 2, chosen: 0 }],
  reasons: [
    offered(),
    offered({
      reason: 'defective',
      reasonLabel: 'It is defective',
      isWithdrawal: false,
      wishes: [choice('repair'), choice('refund')],
      needsPhotos: true,
    }),
  ],
  ...more,
})
const chosen = { lines: [{ offerId: '7', title: 'Drill 7', imageUrl: '/pictures/p/7/main.svg', returnable: 2, chosen: 1 }] }

test('R-112 R-251 the withdrawal function: labelled, two steps, confirmed by its own button; no reason is asked', async () => {
  const first = await pageOf({ returnOptions: options() }, `${returnAt}?reason=changed-mind`, { cookie })
  assert.equal(first.status, 200)
  for (const part of ['Withdraw from contract', 'How many of “Drill 7”', '9 days left', 'Continue'])
    assert.ok(textOf(first.body).includes(part), part)
  const shop = await shopWith({ returnOptions: options(chosen), requestReturn: { id: 'R9', refusal: null } })
  try {
    const { body } = await shop.ask(`${returnAt}?reason=changed-mind&lines[o7]=1`, { cookie })
    for (const part of ['1 × Drill 7', '£24.90', 'You need not give a reason', 'Confirm withdrawal'])
      assert.ok(textOf(body).includes(part), part)
    assert.doesNotMatch(body, /name="description"/)
    const form = { reason: 'changed-mind', wish: 'refund', method: 'label', description: '', 'lines.7': '1' }
    const done = await shop.ask(returnAt, { cookie, form })
    assert.deepEqual([done.status, done.headers['location']], [303, `${returnAt}/confirmation/R9`])
    assert.ok(String(done.headers['set-cookie']).includes('withdrawal-declared'))
  } finally {
    await shop.close()
  }
})

test('R-112 R-251 a defect asks for wish, description and photos; nothing to return, and refusals, are said', async () => {
  const { body } = await pageOf({ returnOptions: options(chosen) }, `${returnAt}?reason=defective&lines[o7]=1`, { cookie })
  for (const name of ['wish', 'description', 'photos']) assert.match(body, new RegExp(`name="${name}"`))
  assert.ok(textOf(body).includes('Send request'))
  const none = await pageOf({ returnOptions: options({ reasons: [] }) }, returnAt, { cookie })
  assert.ok(textOf(none.body).includes('Nothing can be returned now'))
  assert.equal((await pageOf({ returnOptions: null }, returnAt, { cookie })).status, 404)
  const refusal = { reason: 'photos-missing', message: 'Please add at least one photo.', fields: [] }
  const refused = await pageOf(
    { returnOptions: options(chosen), requestReturn: { id: null, refusal } },
    `${returnAt}?reason=defective&lines[o7]=1`,
    {
      cookie,
      form: { reason: 'defective', wish: 'repair', method: 'label', description: '', 'lines.7': '1' },
    },
  )
  assert.equal(refused.status, 422)
  assert.ok(textOf(refused.body).includes('Please add at least one photo.'))
})

test('R-251 a buyer who keeps goods for part of their price names the amount, and it stays in the form when it is refused', async () => {
  const wishes = [{ value: 'part-refund', label: 'Keep it for part of the price back' }]
  const defect = { reason: 'missing-part', reasonLabel: 'A part is missing', isWithdrawal: false, methods: [], needsPhotos: false }
  const reasons = [{ ...defect, wishes: [{ value: 'refund', label: 'A refund' }, ...wishes], daysLeft: 9, refund: { formatted: '£24.90' } }]
  const refusal = { reason: 'amount-invalid', message: 'Enter the amount you want back.', fields: [] }
  const shop = await shopWith({ returnOptions: options({ ...chosen, reasons }), requestReturn: { id: null, refusal } })
  try {
    const form = { reason: 'missing-part', wish: 'part-refund', method: 'label', description: '', amount: '7,50', 'lines.7': '1' }
    const { status, body } = await shop.ask(`${returnAt}?reason=missing-part&lines[o7]=1`, { cookie, form })
    assert.equal(status, 422)
    assert.match(body, /name="amount"[^>]*value="7,50"/)
    const sent = shop.asked.findLast((each) => 'input' in each)?.['input']
    assert.equal((sent as { amount: number }).amount, 750)
  } finally {
    await shop.close()
  }
})

const oneReturn = (more: object = {}) => ({
  id: 'R9',
  number: '50007',
  customerOrderId: 'P0123456789ABCDEF',
  sellerOrderId: 'P0123456789ABCDEF-1',
  state: 'LABEL_SENT',
  stateLabel: 'Ready to send back',
  reasonLabel: 'I have changed my mind',
  wish: 'refund',
  wishLabel: 'A refund',
  requestedAt: '2026-11-20T10:00:00Z',
  decisionNote: null,
  sellerName: 'Oakline Tools',
  sellerAddress: ['Oakline Tools Ltd', '1 Mill Lane'],
  isLabelAwaited: true,
  isSentBack: false,
  canHandOver: true,
  canGiveUp: true,
  lines: [{ offerId: '7', title: 'Drill 7', quantity: 1 }],
  ...more,
})

test('R-252 a return leads to the order that brings refused goods back', async () => {
  const replacement = { customerOrderId: 'P0123456789ABCDEG', sellerOrderId: 'P0123456789ABCDEG-1' }
  const request = oneReturn({ state: 'REFUSED', replacement, isSentBack: true, replacementToken: null, canHandOver: false })
  const { body } = await pageOf({ returnRequest: request }, `${returnAt}/confirmation/R9`, { cookie })
  assert.ok(textOf(body).includes('The seller is sending your goods back to you: order P0123456789ABCDEG'))
  assert.match(body, /href="[^"]*P0123456789ABCDEG[^"]*"/)
})

test('the page of a return without a label gives the seller’s address and the return number, and promises no label', async () => {
  const request = oneReturn({ isLabelAwaited: false, labelUrl: null, collection: null })
  const { body } = await pageOf({ returnRequest: request }, `${returnAt}/confirmation/R9`, { cookie })
  for (const part of ['Send the goods back', '1 Mill Lane', 'Return number 50007', 'I have handed it over'])
    assert.ok(textOf(body).includes(part), part)
  assert.doesNotMatch(textOf(body), /return label|preparing your label/i)
})

test('R-113 R-252 the confirmation shows state, goods, time of receipt and label; the buyer reports the parcel handed over', async () => {
  const at = `${returnAt}/confirmation/R9`
  const { body } = await pageOf({ returnRequest: oneReturn() }, at, { cookie })
  for (const part of [
    'Return 50007',
    'Ready to send back',
    '20 November 2026',
    '1 × Drill 7',
    'Your return label',
    '1 Mill Lane',
    'I have handed it over',
  ])
    assert.ok(textOf(body).includes(part), part)
  const waiting = await pageOf({ returnRequest: oneReturn({ state: 'REQUESTED', canHandOver: false }) }, at, { cookie })
  assert.ok(textOf(waiting.body).includes('within two working days') && !waiting.body.includes('Your return label'))
  const sent = await pageOf({ returnRequest: oneReturn(), stepReturn: { id: 'R9', refusal: null } }, at, {
    cookie,
    form: { do: 'handed-over' },
  })
  assert.equal(sent.status, 303)
  const moving = await pageOf({ returnRequest: oneReturn({ state: 'IN_TRANSIT', canHandOver: false, canGiveUp: false }) }, at, { cookie })
  assert.ok(textOf(moving.body).includes('Keep the receipt until the seller has the goods'))
  const lapsed = await pageOf({ returnRequest: oneReturn({ state: 'LAPSED', canHandOver: false, canGiveUp: false }) }, at, { cookie })
  assert.ok(textOf(lapsed.body).includes('the return has lapsed') && !lapsed.body.includes('Your return label'))
  assert.match(lapsed.body, /href="[^"]*\/conversation\/P0123456789ABCDEF-1"/)
  for (const wrong of [null, oneReturn({ sellerOrderId: 'another-1' })])
    assert.equal((await pageOf({ returnRequest: wrong }, at, { cookie })).status, 404)
})
