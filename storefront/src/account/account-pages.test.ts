import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../routes.ts'
import { customerProfile } from '../testing/customer-profile.ts'
import { card, money, order as wholeOrder } from '../testing/goods.ts'
import { pageOf, shopWith, textOf, unavailable } from '../testing/shop.ts'
import { accountRooms } from './account-rooms.ts'

const cookie = 'who=consumer'
const order = (id: string, more: object = {}) => ({
  id,
  sellerOrderId: `${id}-7`,
  state: 'SHIPPED',
  stateLabel: 'On its way',
  placedAt: '2026-11-20T10:00:00Z',
  total: money(120),
  sellerNames: ['Nordwerk', 'Südholz'],
  lineCount: 6,
  deliveryPromise: 'Arrives Tue 24 – Wed 25 Nov',
  lines: [{ title: 'Drill', imageUrl: '/pictures/p/1/main.svg', quantity: 2 }],
  ...more,
})
const myOrders = (more: object = {}) => ({ orders: [order('P0000000000000001')], total: 1, page: 1, pages: 1, ...more })

test('R-091 R-197 the account overview greets the customer, shows the latest orders, and links to every existing page', async () => {
  const { status, body } = await pageOf({ myOrders: myOrders() }, '/customer-area', { cookie })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Hello, Ann Lee', 'Latest orders', 'Order of 20 November 2026', 'On its way', '£120.00', 'Nordwerk and Südholz'])
    assert.ok(text.includes(part), part)
  for (const { href } of accountRooms({ mode: 'b2c' })) assert.ok(body.includes(`href="${href}"`), href)
  assert.match(body, /name="robots" content="noindex"/)
})

test('R-321 R-312 a customer who seems to buy for a company is invited to open a professional account; nobody else is, and none without segments', async () => {
  const area = async (level: string | null, host = 'gb.localhost') => {
    const customerSegments = level && { b2b_suspected_pro: level }
    return (await pageOf({ myOrders: myOrders(), customerSegments }, '/customer-area', { cookie, host })).body
  }
  for (const level of ['HIGH_SUSPECTED_PRO', 'VERY_HIGH_SUSPECTED_PRO']) {
    const body = await area(level)
    assert.ok(textOf(body).includes('Do you buy for a company?'), level)
    assert.match(body, /<section[^]*?href="\/pro-account\/signup"[^]*?data-not-pro/)
  }
  for (const level of ['MEDIUM_SUSPECTED_PRO', 'NOT_SUSPECTED_PRO', null])
    assert.ok(!textOf(await area(level)).includes('Do you buy for a company?'), String(level))
})

test('R-321 while the segments are unavailable the account overview shows the orders, and invites nobody', async () => {
  const { status, body } = await pageOf({ myOrders: myOrders(), customerSegments: unavailable }, '/customer-area', { cookie })
  assert.equal(status, 200)
  assert.ok(textOf(body).includes('Order of 20 November 2026'))
  assert.ok(!textOf(body).includes('Do you buy for a company?'))
})

test('V-21 the account links to no page that is not built', () => {
  for (const mode of ['b2c', 'b2b'] as const)
    for (const { name } of accountRooms({ mode })) assert.ok('page' in (routes.find((row) => row.name === name) ?? {}), name)
})

test('the account of a company first shows the work that waits for the member, and its pages by section', async () => {
  const answers = {
    myOrders: myOrders(),
    unreadConversations: 1,
    approvals: [
      { id: 'a1', state: 'PENDING', isYours: false },
      { id: 'a2', state: 'PENDING', isYours: true },
      { id: 'a3', state: 'APPROVED', isYours: false },
    ],
    myQuotes: [
      { id: 'q1', number: 'Q100', sellerName: 'Nordwerk', state: 'ANSWERED' },
      { id: 'q2', number: 'Q101', sellerName: 'Nordwerk', state: 'REQUESTED' },
    ],
    myStatements: [
      { id: 's1', number: 'M7', dueOn: '2026-12-05', state: 'OPEN', open: money(300) },
      { id: 's2', number: 'M6', dueOn: '2026-11-05', state: 'PAID', open: money(0) },
    ],
  }
  const see = async (who: string) => (await pageOf(answers, '/customer-area', { cookie: `who=${who}`, host: 'pro.gb.localhost' })).body
  const body = await see('administrator')
  assert.match(
    textOf(body),
    /Waiting for you 1 order waits for your approval Quote Q100: Nordwerk has answered Monthly statement M7: £300\.00 due on 5 December 2026 1 conversation with unread messages/,
  )
  assert.match(body, /href="\/my-account\/approvals\/a1"/)
  assert.doesNotMatch(textOf(body), /Q101|M6/)
  const menu = textOf(/<nav[^>]*aria-label="Your account"[^]*?<\/nav>/.exec(body)?.[0] ?? '')
  assert.match(menu, /Overview Buying Your orders Quick order.*Paperwork Invoices.*Company .*Budgets.*About me Your messages.*Sign out/)
  assert.doesNotMatch(textOf(await see('professional')), /waits for your approval/, 'a buyer decides nothing')
  const { body: consumer } = await pageOf({ myOrders: myOrders() }, '/customer-area', { cookie })
  assert.doesNotMatch(textOf(consumer), /Waiting for you/)
})

test('R-091 an account without orders says so and links to the shop', async () => {
  const { body } = await pageOf({ myOrders: myOrders({ orders: [], total: 0, pages: 0 }) }, '/customer-area', { cookie })
  assert.ok(textOf(body).includes('No orders yet'))
})

test('the overview names disputes that wait for the buyer, unread conversations, and in its orders what was replaced; without news it has no such part', async () => {
  const dispute = { orderId: 'P0000000000000001-7', messageId: '018f0000-0000-7000-8000-000000000003', number: '20001', state: 'OFFERED' }
  const orders = myOrders({ orders: [order('P0000000000000002', { replaces: 'P0000000000000001' })] })
  const { body } = await pageOf({ myOrders: orders, unreadConversations: 2, disputesToAnswer: [dispute] }, '/customer-area', { cookie })
  const text = textOf(body)
  for (const part of [
    'Dispute 20001: the seller has made an offer',
    '2 conversations with unread messages',
    'Goods of order P0000000000000001, replaced, repaired or sent back',
  ])
    assert.ok(text.includes(part), part)
  assert.ok(body.includes(`href="/online-support/${dispute.orderId}/dispute/${dispute.messageId}"`))
  const { body: quiet } = await pageOf({ myOrders: myOrders() }, '/customer-area', { cookie })
  assert.ok(!textOf(quiet).includes('Waiting for you'))
})

test('R-092 R-228 the order list links to each order and says what is not shown', async () => {
  const { status, body } = await pageOf({ myOrders: myOrders() }, '/orders', { cookie })
  assert.equal(status, 200)
  assert.match(body, /href="\/orders\/customer-order\/P0000000000000001\/shipment\/P0000000000000001-7"/)
  assert.ok(textOf(body).includes('+ 5 more'))
})

test('R-093 every page of the list has one address, including the first; a page beyond the last is not found', async () => {
  const shop = await shopWith({ myOrders: ({ page }: { page: number }) => myOrders({ page, pages: 3, total: 24 }) })
  try {
    assert.equal((await shop.ask('/orders/page/2', { cookie })).status, 200)
    assert.deepEqual(shop.asked.at(-1), { page: 2, filter: 'all', search: '' })
    const first = await shop.ask('/orders/page/1?state=open', { cookie })
    assert.deepEqual([first.status, first.headers['location']], [301, '/orders?state=open'])
    for (const address of ['/orders/page/9', '/orders/page/0', '/orders/page/x', '/orders/page/99999'])
      assert.equal((await shop.ask(address, { cookie })).status, 404, address)
  } finally {
    await shop.close()
  }
})

test('R-092 orders are searched by a form without a script; pages and filters keep the search', async () => {
  const shop = await shopWith({ myOrders: myOrders({ total: 11, pages: 2 }) })
  try {
    const { body } = await shop.ask('/orders?search=tile%20%22glue%22&state=open', { cookie })
    assert.deepEqual(shop.asked.at(-1), { page: 1, filter: 'open', search: 'tile "glue"' })
    assert.ok(textOf(body).includes('11 orders with “tile "glue"”'))
    assert.ok(textOf(body).includes('Arrives Tue 24 – Wed 25 Nov'))
    // Neither NUL nor half an emoji cut off at the limit can be a variable of a query.
    for (const odd of ['%00', `${'x'.repeat(99)}%F0%9F%94%A7`]) {
      assert.equal((await shop.ask(`/orders?search=${odd}`, { cookie })).status, 200)
      assert.equal(String(shop.asked.at(-1)?.['search']).at(-1), '\uFFFD', odd)
    }
    assert.match(body, /<form[^>]*role="search"[^]*?name="search"[^>]*value="tile &quot;glue&quot;"/)
    for (const link of ['/orders/page/2?state=open&amp;search=', '/orders?state=delivered&amp;search=', '/orders?search='])
      assert.ok(body.includes(`href="${link}`), link)
  } finally {
    await shop.close()
  }
  const none = await pageOf({ myOrders: myOrders({ orders: [], total: 0, pages: 0 }) }, '/orders?search=saw', { cookie })
  assert.ok(textOf(none.body).includes('No orders with “saw”'))
})

test('a filter is passed to the gateway; an unknown one shows all orders', async () => {
  const shop = await shopWith({ myOrders: myOrders({ orders: [], total: 0, pages: 0 }) })
  try {
    const { body } = await shop.ask('/orders?state=cancelled', { cookie })
    assert.deepEqual(shop.asked.at(-1), { page: 1, filter: 'cancelled', search: '' })
    assert.ok(textOf(body).includes('No orders like this'))
    assert.match(body, /<input type="hidden" name="state" value="cancelled"/)
    await shop.ask('/orders?state=draft', { cookie })
    assert.deepEqual(shop.asked.at(-1), { page: 1, filter: 'all', search: '' })
  } finally {
    await shop.close()
  }
})

test('R-478 a signed-out visitor is sent to sign in and back; seller staff have no such page', async () => {
  for (const address of ['/customer-area', '/orders', '/orders?state=open']) {
    const reply = await pageOf({ myOrders: myOrders() }, address, { cookie: 'who=guest' })
    assert.deepEqual([reply.status, reply.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(address)}`])
    assert.equal((await pageOf({ myOrders: myOrders() }, address, { cookie: 'who=seller' })).status, 404)
  }
})

const address = (id: string, more: object = {}) => ({
  id,
  firstName: 'Ann',
  lastName: 'Lee',
  company: null,
  line1: '1 Mill Lane',
  line2: null,
  postcode: 'SW1A 1AA',
  city: 'London',
  country: 'GB',
  phone: '+44 7700900123',
  instructions: null,
  isDeliveryDefault: false,
  isBillingDefault: false,
  ...more,
})
const typedAddress = {
  do: 'keep',
  id: '',
  country: 'FR',
  firstName: 'Ann',
  lastName: 'Lee',
  line1: '1 rue du Moulin',
  postcode: '75001',
  city: 'Paris',
  phone: '0612345678',
  delivery: 'on',
}

test('R-085 R-178 addresses are listed with their default uses; one can be changed, made the default, deleted', async () => {
  const myAddresses = [address('a1', { isDeliveryDefault: true }), address('a2', { line1: '2 Mill Lane' })]
  const { body } = await pageOf({ myAddresses }, '/my-account/addresses', { cookie })
  const text = textOf(body)
  for (const part of ['Your addresses', 'Default for delivery', '1 Mill Lane London SW1A 1AA', 'Make default for invoices'])
    assert.ok(text.includes(part), part)
  assert.match(body, /href="\/my-account\/addresses\?edit=a2"/)
  assert.equal(body.match(/value="drop"/g)?.length, 2)
  assert.equal(body.match(/name="use" value="delivery"/g)?.length, 1)
  const empty = await pageOf({ myAddresses: [] }, '/my-account/addresses', { cookie })
  assert.ok(textOf(empty.body).includes('No addresses yet'))
})

test('R-085 an invalid address is refused with the error at its field and in the summary, and can be corrected', async () => {
  const shop = await shopWith({
    myAddresses: [],
    keepAddress: { refusal: { reason: 'address-invalid', message: 'Check', fields: [{ field: 'postcode', message: 'Not a postcode.' }] } },
  })
  try {
    const refused = await shop.ask('/my-account/addresses?add=1', { cookie, form: typedAddress })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /<a href="#postcode">Postcode: Not a postcode\.<\/a>/)
    assert.match(refused.body, /name="line1"[^>]*value="1 rue du Moulin"|value="1 rue du Moulin"[^>]*name="line1"/)
    const missing = await shop.ask('/my-account/addresses?add=1', { cookie, form: { ...typedAddress, city: '' } })
    assert.equal(missing.status, 422)
    assert.match(missing.body, /href="#city"/)
  } finally {
    await shop.close()
  }
})

test('R-416 the list confirms each change to an address', async () => {
  const done = { refusal: null }
  const shop = await shopWith({ myAddresses: [address('a1')], keepAddress: done, preferAddress: done, dropAddress: done })
  try {
    const forms: [Record<string, string>, string, object][] = [
      [typedAddress, 'flash.address-kept', { id: null }],
      [{ do: 'prefer', id: 'a1', use: 'billing' }, 'flash.address-preferred', { id: 'a1', use: 'billing' }],
      [{ do: 'drop', id: 'a1' }, 'flash.address-dropped', { id: 'a1' }],
    ]
    for (const [form, flash, asked] of forms) {
      const reply = await shop.ask('/my-account/addresses', { cookie, form })
      assert.deepEqual([reply.status, reply.headers['location']], [303, '/my-account/addresses'])
      assert.ok(decodeURIComponent(String(reply.headers['set-cookie'])).includes(flash), flash)
      for (const [name, value] of Object.entries(asked))
        assert.equal(shop.asked.find((each) => name in each && each[name] === value)?.[name], value)
    }
    assert.equal((await shop.ask('/my-account/addresses?edit=of-another', { cookie })).status, 404)
  } finally {
    await shop.close()
  }
})

/** The tag of an input; empty if the page has none of this name. */
const inputOf = (body: string, name: string) => body.match(/<input[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`)) ?? ''

test('R-084 R-224 the details of the account are shown and can be changed; fiscal numbers are requested in the countries that have them', async () => {
  const { status, body } = await pageOf({ customerProfile: customerProfile(), myDataExport: null }, '/settings', { cookie })
  assert.equal(status, 200)
  for (const part of ['ann@example.com', 'Your details', 'offers from Purlin by e-mail']) assert.ok(textOf(body).includes(part), part)
  assert.doesNotMatch(body, /fiscalNumber/)
  const spanish = await pageOf({ customerProfile: customerProfile(), myDataExport: null }, '/settings', { cookie, host: 'es.localhost' })
  assert.match(spanish.body, /name="fiscalNumber"/)
})

test('R-424 R-454 R-456 details and consents have forms of their own; a refusal is shown at the form concerned', async () => {
  const fault = { refusal: { reason: 'profile-invalid', message: 'Check', fields: [{ field: 'smsPhone', message: 'Not a number.' }] } }
  const shop = await shopWith({
    customerProfile: customerProfile(),
    myDataExport: null,
    changeProfile: { refusal: null },
    changeOptIns: ({ input }: { input: { sms: boolean } }) => (input.sms ? fault : { refusal: null }),
  })
  try {
    const profile = { do: 'profile', firstName: 'Ann', lastName: 'Field', phone: '' }
    const saved = await shop.ask('/settings', { cookie, form: profile })
    assert.deepEqual([saved.status, saved.headers['location']], [303, '/settings'])
    assert.deepEqual(shop.asked.at(-1), { input: { firstName: 'Ann', lastName: 'Field', phone: null, fiscalNumber: null } })
    assert.equal((await shop.ask('/settings', { cookie, form: { do: 'offers', email: 'on' } })).status, 303)
    assert.deepEqual(shop.asked.at(-1), { input: { email: true, sms: false, phone: null } })
    const refused = await shop.ask('/settings', { cookie, form: { do: 'offers', sms: 'on', smsPhone: 'x' } })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /id="smsPhone-error"/)
    assert.match(refused.body, /name="lastName"[^>]*value="Lee"|value="Lee"[^>]*name="lastName"/)
  } finally {
    await shop.close()
  }
})

test('R-456 a number that waits for its code has a form for it without scripts; a wrong code is refused at its field', async () => {
  const phone = '+44 7700900123'
  const fault = { refusal: { reason: 'profile-invalid', message: 'Check', fields: [{ field: 'code', message: 'Not this code.' }] } }
  const shop = await shopWith({
    customerProfile: customerProfile({ phoneToConfirm: phone }),
    myDataExport: null,
    changeOptIns: { refusal: null, profile: { phoneToConfirm: phone } },
    confirmPhone: ({ code }: { code: string }) => (code === '123456' ? { refusal: null } : fault),
    sendAnotherPhoneCode: { refusal: null },
  })
  try {
    const asked = await shop.ask('/settings', { cookie, form: { do: 'offers', sms: 'on', smsPhone: phone } })
    assert.deepEqual([asked.status, asked.headers['location']], [303, '/settings#code'])
    const { body } = await shop.ask('/settings', { cookie })
    assert.ok(textOf(body).includes(`We have sent a text message with a code to ${phone}`))
    assert.match(body, /<input[^>]*name="code"[^>]*autoComplete="one-time-code"|<input[^>]*autoComplete="one-time-code"[^>]*name="code"/i)
    assert.ok(textOf(body).includes('Send another code'))
    const another = await shop.ask('/settings', { cookie, form: { do: 'another-code' } })
    assert.deepEqual([another.status, another.headers['location']], [303, '/settings#code'])
    const wrong = await shop.ask('/settings', { cookie, form: { do: 'phone-code', code: '654321' } })
    assert.equal(wrong.status, 422)
    assert.match(wrong.body, /id="code-error"/)
    const right = await shop.ask('/settings', { cookie, form: { do: 'phone-code', code: '123456' } })
    assert.deepEqual([right.status, right.headers['location']], [303, '/settings'])
    assert.deepEqual(shop.asked.at(-1), { code: '123456' })
  } finally {
    await shop.close()
  }
  const { body } = await pageOf({ customerProfile: customerProfile(), myDataExport: null }, '/settings', { cookie })
  assert.doesNotMatch(body, /name="code"/)
})

test('the settings say that the number of a consent from before is to be confirmed, and show what was agreed to', async () => {
  const profile = customerProfile({ unconfirmedPhone: '+44 7700900123' })
  const { body } = await pageOf({ customerProfile: profile, myDataExport: null }, '/settings', { cookie })
  assert.ok(textOf(body).includes('You have agreed to text messages to +44 7700900123. They begin once you have confirmed this number'))
  assert.match(body, /<input[^>]*name="sms"[^>]*checked|<input[^>]*checked[^>]*name="sms"/)
  assert.match(body, /<input[^>]*name="smsPhone"[^>]*value="\+44 7700900123"|<input[^>]*value="\+44 7700900123"[^>]*name="smsPhone"/)
  const { body: none } = await pageOf({ customerProfile: customerProfile(), myDataExport: null }, '/settings', { cookie })
  assert.ok(!textOf(none).includes('You have agreed to text messages'))
})

for (const form of [{ do: 'phone-code', code: '123456' }, { do: 'another-code' }] as Record<string, string>[])
  test(`a code that expired before the form was sent is said to be no longer valid, where no number waits any more: ${form['do']}`, async () => {
    const refusal = { reason: 'profile-invalid', message: 'Check', fields: [{ field: 'code', message: 'Not this code.' }] }
    const answers = { confirmPhone: { refusal }, sendAnotherPhoneCode: { refusal } }
    const { status, body } = await pageOf({ customerProfile: customerProfile(), myDataExport: null, ...answers }, '/settings', {
      cookie,
      form,
    })
    assert.equal(status, 422)
    assert.match(
      body,
      /role="alert"[^>]*>(?:<[^>]*>|[^<])*This code is no longer valid\. To get another one, tick the box for text messages above, enter your number again and save\./,
    )
    assert.doesNotMatch(inputOf(body, 'sms'), /checked/, 'the box is empty')
    assert.doesNotMatch(inputOf(body, 'smsPhone'), /value="[^"]/, 'and so is the number')
    assert.doesNotMatch(body, /name="code"/)
  })

test('a shop without a provider of text messages shows no box for them, except to withdraw what was agreed to, and says why a number is refused', async () => {
  const settings = async (profile: object, answers: object = {}, form?: Record<string, string>) =>
    (
      await pageOf({ customerProfile: customerProfile({ isSmsOffered: false, ...profile }), myDataExport: null, ...answers }, '/settings', {
        cookie,
        ...(form && { form }),
      })
    ).body
  const boxes = (body: string) => [inputOf(body, 'email'), inputOf(body, 'sms'), inputOf(body, 'smsPhone')].map((box) => box !== '')
  assert.deepEqual(boxes(await settings({})), [true, false, false])
  assert.deepEqual(boxes(await settings({ isSmsOffered: true })), [true, true, true])
  for (const consent of [{ receiveSmsOffers: true, receiveOffersPhoneNumber: '+44 7700900123' }, { unconfirmedPhone: '+44 7700900123' }]) {
    const body = await settings(consent)
    assert.deepEqual(boxes(body), [true, true, true])
    assert.doesNotMatch(textOf(body), /save to receive a code/)
  }
  const codeRefusal = {
    reason: 'profile-invalid',
    message: 'E-mails are saved.',
    fields: [{ field: 'smsPhone', message: 'None are sent.' }],
  }
  const changeOptIns = { refusal: null, codeRefusal, profile: null }
  const refused = await settings({}, { changeOptIns }, { do: 'offers', sms: 'on', smsPhone: '07700 900123' })
  assert.match(textOf(refused), /E-mails are saved\..*None are sent\./)
})

test('the number of a consent from before that can get no code is not said to get one by saving', async () => {
  const profile = customerProfile({ unconfirmedPhone: '+44 2079460123' })
  const { body } = await pageOf({ customerProfile: profile, myDataExport: null }, '/settings', { cookie })
  assert.match(inputOf(body, 'sms'), /checked/)
  assert.doesNotMatch(textOf(body), /save to receive a code/)
})

test('a code that cannot be sent is said at the number, and that the choice about e-mails is saved', async () => {
  const codeRefusal = {
    reason: 'too-many-attempts',
    message: 'E-mails are saved.',
    fields: [{ field: 'smsPhone', message: 'Too many codes.' }],
  }
  const root = { customerProfile: customerProfile(), myDataExport: null, changeOptIns: { refusal: null, codeRefusal, profile: null } }
  const { status, body } = await pageOf(root, '/settings', { cookie, form: { do: 'offers', sms: 'on', smsPhone: '07700 900123' } })
  assert.equal(status, 422)
  assert.match(textOf(body), /E-mails are saved\..*Too many codes\./)
})

test('R-455 the form for a new password names the reason of a refusal at its field, and shows no password again', async () => {
  const root = { customerProfile: customerProfile(), myDataExport: null }
  const at = async (query: string) => (await pageOf(root, `/settings${query}`, { cookie })).body
  const plain = await at('')
  assert.match(plain, /<form[^>]*action="\/api\/v1\/credentials"/)
  assert.doesNotMatch(plain, /(?:current|new)Password-error/)
  for (const [reason, field, message] of [
    ['current-wrong', 'currentPassword', 'This is not your current password.'],
    ['breached', 'newPassword', 'Choose another one.'],
    ['too-short', 'newPassword', 'at least 10'],
  ] as const) {
    const body = await at(`?credentials=${reason}`)
    assert.match(body, new RegExp(`id="${field}-error"`), reason)
    assert.ok(textOf(body).includes(message), reason)
  }
  assert.ok(textOf(await at('?credentials=locked&minutes=7')).includes('try again in 7 minutes'))
  assert.ok(textOf(await at('?credentials=unavailable')).includes('cannot change your password at the moment'))
  for (const forged of ['?credentials=Call+0800+now', '?credentials=__proto__', '?credentials=locked&minutes=<b>'])
    assert.doesNotMatch(await at(forged), /0800|<b>/, forged)
})

test('R-172 R-313 a customer requests their data, downloads it once it is ready, and closes the account by typing its e-mail address', async () => {
  const root = { customerProfile: customerProfile() }
  const fetched = { requestedAt: '2026-11-20T10:00:00Z', isReady: true, url: '/api/v1/my-data', expiresAt: '2026-11-27T10:00:00Z' }
  const waiting = await pageOf({ ...root, myDataExport: { ...fetched, isReady: false, url: null } }, '/settings', { cookie })
  assert.ok(textOf(waiting.body).includes('We are preparing your file'))
  const ready = await pageOf({ ...root, myDataExport: fetched }, '/settings', { cookie })
  assert.match(ready.body, /href="\/api\/v1\/my-data"/)
  assert.ok(textOf(ready.body).includes('ready until 27 November 2026'))
  const refusal = { reason: 'email-differs', message: 'Not yours.', fields: [{ field: 'email', message: 'Not yours.' }] }
  const shop = await shopWith({
    ...root,
    myDataExport: null,
    requestMyData: fetched,
    eraseMyAccount: ({ email }: { email: string }) => ({
      refusal:
        email === 'ann@example.com' ? null : email === 'old@example.com' ? { ...refusal, reason: 'sign-in-again', fields: [] } : refusal,
    }),
  })
  try {
    assert.equal((await shop.ask('/settings', { cookie, form: { do: 'data' } })).headers['location'], '/settings#data')
    const wrong = await shop.ask('/settings', { cookie, form: { do: 'erase', email: 'eve@example.com' } })
    assert.equal(wrong.status, 422)
    assert.match(wrong.body, /id="email-error"/)
    const gone = await shop.ask('/settings', { cookie, form: { do: 'erase', email: 'ann@example.com' } })
    assert.deepEqual([gone.status, gone.headers['location']], [303, '/'])
    const old = await shop.ask('/settings', { cookie, form: { do: 'erase', email: 'old@example.com' } })
    assert.deepEqual(
      [old.status, old.headers['location']],
      [303, '/api/auth/pre-login?step=again&callbackUrl=%2Fsettings%3Fclose%3D1%23erase'],
    )
    const isOpen = async (path: string) =>
      /<details[^>]* id="erase"[^>]* open|<details[^>]* open[^>]* id="erase"/.test((await shop.ask(path, { cookie })).body)
    assert.deepEqual(
      [await isOpen('/settings'), await isOpen('/settings?close=1')],
      [false, true],
      'back from the sign-in, the form is open',
    )
  } finally {
    await shop.close()
  }
})

test('R-056 R-195 a guest opens an account with one prefilled field; a customer finds their orders', async () => {
  const asGuest = await pageOf({}, '/convert-guest', { cookie: 'who=guest' })
  assert.equal(asGuest.status, 200)
  assert.match(asGuest.body, /<form[^>]* action="\/api\/v1\/register" method="get"/)
  assert.match(asGuest.body, /name="callbackUrl" value="\/convert-guest"/)
  assert.match(asGuest.body, /value="ann@example.com"/)
  const back = await pageOf({}, '/convert-guest', { cookie })
  assert.deepEqual([back.status, back.headers['location']], [302, '/orders'])
  const stranger = await pageOf({}, '/convert-guest')
  assert.equal(stranger.status, 302)
  for (const [customerOrder, to] of [
    [wholeOrder({ isInMyOrders: false }), '/orders/customer-order/ORDER123/shipment/O1-7'],
    [wholeOrder(), '/orders'],
    [null, '/orders'],
  ] as const)
    assert.equal((await pageOf({ customerOrder }, '/convert-guest?order=ORDER123', { cookie })).headers['location'], to)
})

test('a company’s own price finds the products bought before, and a list without ticks leads back to them', async () => {
  const bought = { productId: '1', title: 'Drill', imageUrl: '/d.svg', times: 2, quantity: 3, lastBoughtAt: '2026-11-02T10:00:00Z' }
  const products = [{ ...bought, neededAgainAt: null, isDue: false, card: card(1), instead: null }]
  const shown = { boughtProducts: { products, total: 1, page: 1, pages: 1 } }
  const { body } = await pageOf(shown, '/buy-again', { cookie: 'who=professional', host: 'pro.gb.localhost' })
  assert.match(body, /data-price="o1"><b>£49<small>\.90/)
  assert.match(body, /name="from" value="\/buy-again"/)
})
