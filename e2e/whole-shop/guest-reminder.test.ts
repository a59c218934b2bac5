/** A guest's reminder of the basket, from the box beside the e-mail address to the page that withdraws it, on both storefronts. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import type { Mode } from '@purlin/contract/markets.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { jobs } from '@purlin/server/selling/reminders/jobs.ts'
import { whenAwake } from '@purlin/server/people/sms/index.ts'
import { textOf } from '@purlin/storefront/testing/shop.ts'
import { hosts, shopWithVisitors } from './visitors.ts'

// Noon of a day on which messages may arrive.
const noon = new Date()
noon.setUTCHours(12, 0, 0, 0)
while (noon.getTime() < Date.now() || whenAwake('gb', noon) > noon) noon.setUTCDate(noon.getUTCDate() + 1)
mock.timers.enable({ apis: ['Date'], now: noon.getTime() })

const shop = await shopWithVisitors()
const { pool } = shop.database
after(() => shop.close())

const details = {
  do: 'type',
  idempotencyKey: 'guest-reminder',
  name: 'Ann Lee',
  company: 'Lee Building',
  line1: '1 Mill Lane',
  postcode: 'M1 1AE',
  city: 'Manchester',
}

/** A browser with goods in the basket. */
async function browser(mode: Mode) {
  const add = await shop.gateway.post(
    'mutation { addToCart(offerId: "410", quantity: 1) { refusal { reason } } }',
    {},
    { host: hosts[mode] },
  )
  const get = (path: string) => shop.ask('anonymous', mode, path, { cookies: add.cookie })
  const send = (path: string, form: Record<string, string>) => shop.ask('anonymous', mode, path, { cookies: add.cookie, form })
  return { get, send }
}
const box = (html: string): string => /<input[^>]*name="remind"[^>]*>/.exec(html)?.[0] ?? ''
const stored = async (email: string) => (await pool.query('select 1 from reminders.guest where email = $1', [email])).rows.length
const mailTo = async (email: string): Promise<string | undefined> =>
  (await pool.query(`select body_text as text from mail.mail where recipient = $1 and template = 'guest-basket-reminder'`, [email])).rows[0]
    ?.text

/** A day has passed, in which the payment did not come. */
async function dayPasses(): Promise<void> {
  const earlier = (column: string) => `${column} = $1::timestamptz - interval '25 hours'`
  await pool.query(`update cart.cart set ${earlier('updated_at')}`, [noon])
  await pool.query(`update cart.line set ${earlier('added_at')}`, [noon])
  await pool.query(`update reminders.guest set ${earlier('agreed_at')}`, [noon])
  await pool.query(`update orders.customer_order set state = 'cancelled' where state = 'awaiting-payment'`)
  await pool.query(`update platform.job set run_at = now() - interval '1 minute' where name = 'reminders.guest-basket'`)
  await runWork(shop.database, [], jobs)
}

for (const mode of ['b2c', 'b2b'] as const) {
  test(`${mode}: a guest who ticks the box at the checkout and does not pay is reminded once, and withdraws by the link of the mail`, async () => {
    const email = `ann@${mode}.example.com`
    const guest = await browser(mode)
    const page = await guest.get('/checkout/address')
    assert.equal(page.status, 200)
    assert.ok(box(page.body))
    assert.doesNotMatch(box(page.body), /checked/, 'nobody has ticked it for the guest')
    const seller = /name="(delivery\.\d+)"/.exec(page.body)?.[1] ?? ''
    const ordered = await guest.send('/checkout/address', { ...details, email, [seller]: 'standard', remind: '1' })
    assert.match(String(ordered.headers['location']), /\/order\/[^/]+\/secure-payment$/)
    assert.equal(await stored(email), 1)

    await dayPasses()
    const text = (await mailTo(email)) ?? ''
    assert.match(text, /Cordless drill/)
    const link = /\/unsubscribe\?basket=[\w-]{32}/.exec(text)?.[0] ?? ''
    const asked = await guest.get(link)
    assert.match(textOf(asked.body), /Withdraw your consent to a reminder of your basket\?/)
    assert.ok(await mailTo(email), 'opening the link withdraws nothing')
    const done = await guest.send(link, { basket: link.split('=')[1] ?? '' })
    assert.match(textOf((await guest.get(String(done.headers['location']))).body), /We will not remind you/)
    assert.equal(await mailTo(email), undefined)
    assert.deepEqual((await pool.query(`select 1 from reminders.guest`)).rows, [])
  })

  test(`${mode}: without the tick nothing is stored, and taking the tick away withdraws it`, async () => {
    const email = `bob@${mode}.example.com`
    const guest = await browser(mode)
    const continueWith = (more: Record<string, string>) => guest.send('/checkout/register', { email, ...more })
    assert.doesNotMatch(box((await guest.get('/checkout/register')).body), /checked/)
    await continueWith({})
    assert.equal(await stored(email), 0)
    await continueWith({ remind: '1' })
    assert.equal(await stored(email), 1)
    const { body } = await guest.get('/checkout/register')
    assert.match(box(body), /checked/)
    const reminded = /<input[^>]*name="reminded"[^>]*value="(.)"/.exec(body)?.[1] ?? ''
    await continueWith({ reminded })
    assert.equal(await stored(email), 0)
  })
}

test('a customer who is signed in is not asked: the account says what they agreed to', async () => {
  await shop.ask('customer', 'b2c', '/graphql', {
    json: { query: 'mutation { addToCart(offerId: "410", quantity: 1) { refusal { reason } } }' },
  })
  const { status, body } = await shop.ask('customer', 'b2c', '/checkout/address')
  assert.equal(status, 200)
  assert.equal(box(body), '')
  const { data } = await shop.graphql('customer', 'b2c', '{ basketReminder { hasAgreed } }')
  assert.deepEqual(structuredClone(data), { basketReminder: null })
})
