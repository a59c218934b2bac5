import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { whenAwake } from '#sms'
import { sessionIdOf } from '#accounts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { jobs, schedules } from './jobs.ts'

/** A guest who has agreed to it is reminded of the basket once, by mail, through the gateway and the worker's jobs. */

const hourMs = 3_600_000
const noon = nextNoon()
mock.timers.enable({ apis: ['Date'], now: noon })
const database = await testDatabase()
const { pool } = database
await fillShop(database)
const offers: Partial<Record<Market, string>> = { gb: '1', de: '2', fr: '3' }
for (const [market, id] of Object.entries(offers)) await addOffer(database, { id, market: market as Market, price: 1000 })
await addOffer(database, { id: '9', price: 2000 })
const gateway = await testGateway(pool)

/** At noon of a day on which messages may arrive in every market, today or later. */
function nextNoon(): number {
  const day = new Date()
  day.setUTCHours(12, 0, 0, 0)
  while (day.getTime() < Date.now() || marketCodes.some((market) => whenAwake(market, day) > day)) day.setUTCDate(day.getUTCDate() + 1)
  return day.getTime()
}

interface Wanted {
  market?: Market
  pro?: boolean
  agrees?: boolean
  email?: string
}
let nth = 0
/** A guest in a browser of their own, with goods in the basket, who has stated an address and, unless told otherwise, agreed. */
async function guest({ market = 'gb', pro = false, agrees = true, email = `guest${++nth}@example.com` }: Wanted = {}) {
  const host = `${pro ? 'pro.' : ''}${market}.localhost`
  let cookie = ''
  const does = async (document: string, variables = {}) => {
    const answer = await gateway.post(document, variables, { host, cookie })
    cookie ||= answer.cookie
    const { data, errors } = answer.body as { data: Record<string, unknown> | null; errors?: unknown }
    assert.equal(errors, undefined)
    return data?.['answer']
  }
  const put = (offerId: string) =>
    does('mutation ($offerId: ID!) { answer: addToCart(offerId: $offerId, quantity: 1) { refusal { reason } } }', { offerId })
  const states = (address: string) =>
    does('mutation ($email: String!) { answer: continueAsGuest(email: $email) { refusal { reason } } }', { email: address })
  const agree = () => does('mutation { answer: agreeToBasketReminder }')
  await put(offers[market] ?? '')
  await states(email)
  const owner = `s:${sessionIdOf(cookie.split('=')[1] ?? '')}`
  // The database has a clock of its own.
  await pool.query('update cart.cart set updated_at = $2 where owner = $1', [owner, new Date()])
  if (agrees) assert.equal(await agree(), true)
  return { email, owner, does, put, states, agree, sees: () => does('{ answer: basketReminder { hasAgreed } }') }
}
type Guest = Awaited<ReturnType<typeof guest>>

/** So many hours have passed for the guest's basket, and what they agreed to. */
async function ages({ owner }: Guest, hours: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - make_interval(hours => $2)`
  await pool.query(`update cart.cart set ${earlier('updated_at')} where owner = $1`, [owner, hours])
  await pool.query(`update cart.line set ${earlier('added_at')} where cart_id in (select id from cart.cart where owner = $1)`, [
    owner,
    hours,
  ])
  await pool.query(`update reminders.guest set ${earlier('agreed_at')} where owner = $1`, [owner, hours])
  await pool.query(
    `update platform.job set ${earlier('run_at')} where name = 'reminders.guest-basket' and key in (select id::text from reminders.guest where owner = $1)`,
    [owner, hours],
  )
}

/** Everything due by the clock of this test, which is not behind that of the database. */
async function work(): Promise<void> {
  await pool.query(`update platform.job set run_at = now() - interval '1 minute' where name = 'reminders.guest-basket' and run_at <= $1`, [
    new Date(),
  ])
  await runWork(database, [], jobs)
}

interface Mail {
  template: string
  subject: string
  text: string
  url: string | null
}
async function mailsTo({ email }: Guest, template = 'guest-basket-reminder'): Promise<Mail[]> {
  const { rows } = await pool.query(
    `select template, subject, body_text as text, unsubscribe_url as url from mail.mail where recipient = $1 and template = $2 order by id`,
    [email, template],
  )
  return rows
}
async function only(who: Guest, template?: string): Promise<Mail> {
  const [mail, ...others] = await mailsTo(who, template)
  assert.ok(mail && others.length === 0, `one mail to ${who.email}`)
  return mail
}
const rowsOf = async (who: Guest) => (await pool.query('select email, reminded_at from reminders.guest where owner = $1', [who.owner])).rows
const tokenOf = (mail: Mail): string => /(?:unsubscribe|confirm-subscription)\?basket=([\w-]{32})/.exec(mail.text)?.[1] ?? ''
const confirm = (who: Guest, token: string) =>
  who.does('mutation ($token: String!) { answer: confirmBasketReminder(token: $token) }', { token })

test('a guest who has agreed is reminded once, a day after the last change of the basket; then the address is cleared', async () => {
  const ann = await guest()
  assert.deepEqual(structuredClone(await ann.sees()), { hasAgreed: true })
  await ages(ann, 23)
  await work()
  assert.deepEqual(await mailsTo(ann), [])
  await ages(ann, 1)
  await work()
  const mail = await only(ann)
  assert.equal(mail.subject, 'Still in your basket: Drill 1')
  for (const part of ['1 × Drill 1: £10.00', '/cart\n', 'you agreed at the checkout']) assert.ok(mail.text.includes(part), part)
  assert.match(mail.url ?? '', /\/api\/v1\/basket-reminders\/unsubscribe\/[\w-]{32}$/)
  assert.deepEqual(
    (await rowsOf(ann)).map(({ email }) => email),
    [null],
  )
  await ages(ann, 48)
  assert.equal(await ann.agree(), true)
  await ages(ann, 48)
  await work()
  await only(ann)
})

test('goods put into the basket later delay the reminder', async () => {
  const ann = await guest()
  await ages(ann, 23)
  await pool.query(`update cart.cart set updated_at = $2 where owner = $1`, [ann.owner, new Date()])
  await ages(ann, 2)
  await work()
  assert.deepEqual(await mailsTo(ann), [])
  await ages(ann, 22)
  await work()
  await only(ann)
})

test('nobody is reminded who has not agreed, has withdrawn, has emptied the basket, has filled it anew, or has ordered', async () => {
  const silent = await guest({ agrees: false })
  const withdrawn = await guest()
  await withdrawn.does('mutation { answer: withdrawBasketReminder }')
  assert.deepEqual(structuredClone(await withdrawn.sees()), { hasAgreed: false })
  const emptied = await guest()
  const refilled = await guest()
  const ordered = await guest()
  const orderedElsewhere = await guest()
  for (const one of [silent, withdrawn, emptied, refilled, ordered, orderedElsewhere]) await ages(one, 25)
  for (const one of [emptied, refilled]) await one.does('mutation { answer: removeFromCart(offerId: "1") { refusal { reason } } }')
  await refilled.put('9')
  const refilledAt = new Date(noon - 24.5 * hourMs)
  await pool.query('update cart.cart set updated_at = $2 where owner = $1', [refilled.owner, refilledAt])
  await pool.query('update cart.line set added_at = $2 where cart_id in (select id from cart.cart where owner = $1)', [
    refilled.owner,
    refilledAt,
  ])
  await order(ordered)
  const other = await guest({ email: orderedElsewhere.email.toUpperCase(), agrees: false })
  await order(other)
  await work()
  for (const one of [silent, withdrawn, emptied, refilled, ordered, orderedElsewhere]) {
    assert.deepEqual(await mailsTo(one), [], one.email)
    assert.deepEqual(await rowsOf(one), [], `nothing is stored about ${one.email}`)
  }
})

/** Places an order, which waits for its payment. */
async function order(who: Guest): Promise<void> {
  const address = `{ firstName: "Ann", lastName: "Lee", line1: "1 Mill Lane", postcode: "M1 1AE", city: "Manchester" }`
  const saved = (await who.does(`mutation { answer: saveAddress(input: ${address}) { order { id } refusal { reason } } }`)) as {
    order: { id: string } | null
  }
  assert.ok(saved.order)
  const placed = await who.does(
    'mutation ($id: ID!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: "guest-reminder", choices: [{ sellerId: 1, kind: "standard" }]) { refusal { reason } } }',
    {
      id: saved.order.id,
    },
  )
  assert.deepEqual(structuredClone(placed), { refusal: null })
  await pool.query('update orders.customer_order set placed_at = $2 where id = $1', [saved.order.id, new Date()])
}

test('an address gets one reminder in seven days, whatever the number of baskets and browsers', async () => {
  const ann = await guest()
  await ages(ann, 25)
  await work()
  await only(ann)
  const again = await guest({ email: ann.email })
  await ages(again, 25)
  await pool.query(`update reminders.guest_pause set until = until - interval '6 days'`)
  await work()
  await only(again)
  assert.deepEqual(await rowsOf(again), [])
  const later = await guest({ email: ann.email })
  await ages(later, 25)
  await pool.query(`update reminders.guest_pause set until = until - interval '1 day'`)
  await work()
  assert.equal((await mailsTo(later)).length, 2)
})

test('a reminder due at night waits until the market’s quiet hours are over', async () => {
  const ann = await guest({ market: 'fr' })
  const midnight = new Date(noon + 11 * hourMs)
  mock.timers.setTime(midnight.getTime())
  await ages(ann, 25)
  await work()
  assert.deepEqual(await mailsTo(ann), [])
  mock.timers.setTime(whenAwake('fr', midnight).getTime())
  await work()
  await only(ann)
  mock.timers.setTime(noon)
})

test('one click in the mail, or its link, withdraws the consent and deletes what was stored, the mail included; a wrong token has no effect', async () => {
  const post = (path: string) =>
    fetch(gateway.url + path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  const [ann, bob, kim] = [await guest(), await guest(), await guest()]
  for (const one of [ann, bob, kim]) await ages(one, 25)
  await work()
  assert.equal((await post('/api/v1/basket-reminders/unsubscribe/none')).status, 204)
  assert.equal((await post(new URL((await only(ann)).url ?? '').pathname)).status, 204)
  const token = tokenOf(await only(bob))
  assert.equal(await bob.does('mutation ($token: String!) { answer: endBasketReminder(token: $token) }', { token }), true)
  for (const one of [ann, bob]) assert.deepEqual([await rowsOf(one), await mailsTo(one)], [[], []])
  assert.equal((await rowsOf(kim)).length, 1)
  await only(kim)
})

test('a withdrawal before the reminder ends every basket of the address, in other browsers as well', async () => {
  const ann = await guest()
  const elsewhere = await guest({ email: ann.email })
  const { rows } = await pool.query('select token from reminders.guest where email = $1 limit 1', [ann.email])
  await ann.does('mutation ($token: String!) { answer: endBasketReminder(token: $token) }', { token: rows[0].token })
  for (const one of [ann, elsewhere]) {
    assert.deepEqual(await rowsOf(one), [])
    await ages(one, 25)
  }
  await work()
  assert.deepEqual(await mailsTo(ann), [])
})

test('in Germany the owner of the address confirms it first, on both storefronts; one who does not is not written to again, and forgotten', async () => {
  for (const pro of [false, true]) {
    const [ann, bob] = [await guest({ market: 'de', pro }), await guest({ market: 'de', pro })]
    assert.equal(await bob.agree(), true, 'asking again sends no second mail')
    const asked = await only(ann, 'guest-basket-confirm')
    await only(bob, 'guest-basket-confirm')
    assert.doesNotMatch(asked.text, /Drill/, 'a mail that needs no consent advertises nothing')
    assert.equal(await confirm(ann, 'x'.repeat(32)), false)
    for (const one of [ann, bob]) await ages(one, 25)
    await work()
    assert.deepEqual(await mailsTo(ann), [])
    assert.equal(await confirm(ann, tokenOf(asked)), true)
    assert.equal(await confirm(ann, tokenOf(asked)), false, 'a link works once')
    await work()
    assert.match((await only(ann)).subject, /^Noch in Ihrem Warenkorb: /)
    assert.deepEqual(await mailsTo(bob), [])
    await ages(bob, 7 * 24)
    assert.equal(await confirm(bob, tokenOf(await only(bob, 'guest-basket-confirm'))), false, 'after a week the link is void')
    await tidy()
    assert.deepEqual(
      [await rowsOf(bob), await mailsTo(bob, 'guest-basket-confirm')],
      [[], []],
      'the address is nowhere, as the mail promised',
    )
    assert.equal((await rowsOf(ann)).length, 1)
  }
})

async function tidy(): Promise<void> {
  for (const { name, run } of schedules) if (name === 'reminders.forget-guests') await database.command({ now: new Date() }, run)
}

test('what a guest agreed to is stored for thirty days without a reminder, and for sixty after it', async () => {
  const [ann, bob] = [await guest(), await guest()]
  await ages(ann, 25)
  await work()
  await tidy()
  assert.deepEqual([(await rowsOf(ann)).length, (await rowsOf(bob)).length], [1, 1])
  mock.timers.setTime(noon + 31 * 24 * hourMs)
  await tidy()
  assert.deepEqual([(await rowsOf(ann)).length, (await rowsOf(bob)).length], [1, 0])
  mock.timers.setTime(noon + 61 * 24 * hourMs)
  await tidy()
  assert.deepEqual([await rowsOf(ann), await mailsTo(ann)], [[], []])
  assert.deepEqual((await pool.query('select 1 from reminders.guest_pause')).rows, [])
  mock.timers.setTime(noon)
})

test('another address replaces the one before; without an address, without goods, and where the shop sends no reminders nothing is stored', async () => {
  const ann = await guest()
  await ann.states('ann.new@example.com')
  assert.equal(await ann.agree(), true)
  const { rows } = await pool.query('select email from reminders.guest where email = any($1)', [[ann.email, 'ann.new@example.com']])
  assert.deepEqual(rows, [{ email: 'ann.new@example.com' }])

  const empty = await guest({ agrees: false })
  await empty.does('mutation { answer: removeFromCart(offerId: "1") { refusal { reason } } }')
  assert.equal(await empty.agree(), false)
  const none = await gateway.post('mutation { answer: agreeToBasketReminder }', {}, { host: 'gb.localhost' })
  assert.deepEqual(structuredClone((none.body as { data: object }).data), { answer: false })
  useSettings({ BASKET_REMINDER_HOURS: '0' })
  const off = await guest({ agrees: false })
  assert.deepEqual([await off.agree(), await off.sees()], [false, null])
  useSettings()
  for (const one of [empty, off]) assert.deepEqual(await rowsOf(one), [])
})

test('a stranger’s address that is typed again and again gets three requests to confirm a day at most', async () => {
  const email = 'stranger@example.com'
  const agreed: unknown[] = []
  for (let browser = 0; browser < 5; browser++) agreed.push(await (await guest({ market: 'de', email, agrees: false })).agree())
  assert.deepEqual(agreed, [true, true, true, false, false])
  assert.equal(
    (await pool.query(`select 1 from mail.mail where recipient = $1 and template = 'guest-basket-confirm'`, [email])).rows.length,
    3,
  )
})
