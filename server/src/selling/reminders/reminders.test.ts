import assert from 'node:assert/strict'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { mock, test } from 'node:test'
import { addToCart, removeCartsOf } from '#cart'
import type { Scope } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { changePrice } from '../../goods/catalogue/change-price.ts'
import { erase } from '../../after-sale/privacy/erase-account.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { changeOptIns } from '../../people/profile/change-profile.ts'
import { agreeToSms } from '../../people/profile/testing.ts'
import { handlers as pushHandlers, jobs as pushJobs } from '../../people/push/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '../checkout/testing.ts'
import { findBaskets } from './find-baskets.ts'
import { jobs } from './jobs.ts'

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '1', price: 1000 })
await addOffer(database, { id: '2', price: 2000, sellerId: 2 })
await addOffer(database, { id: '3', price: 3000 })
const gateway = await testGateway(pool)
await pool.query(`insert into reminders.progress (until) values (now() - interval '3 days')`)

/** A customer with goods in the basket and, unless refused, offers by e-mail. */
async function shopper({ email = true, goods = ['1'] } = {}) {
  const person = await addCustomer(db)
  const session = await signIn(db, { customerId: person.id })
  const overrides: Partial<Scope> = { principal: { kind: 'customer', ...person }, session: { id: session.id } }
  const does = <Value>(operation: (scope: Scope) => Promise<Value>) => database.command(overrides, operation)
  if (email) must(await does((scope) => changeOptIns(scope, { email: true, sms: false })))
  for (const offerId of goods) must(await does((scope) => addToCart(scope, { offerId, quantity: 2 })))
  const buyer: Buyer = { overrides, does, scope: () => database.scope(overrides), email: person.email }
  return { ...person, token: session.token, does, buyer, owner: `c:${person.id}` }
}

/** The basket was changed so long ago; the lines are as old. */
async function ages(owner: string, hours: number): Promise<void> {
  await pool.query(`update cart.cart set updated_at = updated_at - make_interval(hours => $2) where owner = $1`, [owner, hours])
  await pool.query(
    `update cart.line set added_at = added_at - make_interval(hours => $2) where cart_id in (select id from cart.cart where owner = $1)`,
    [owner, hours],
  )
}

async function costs(price: number): Promise<void> {
  const change = { offerId: '1', market: 'gb', currency: 'GBP', price, proPrice: null } as const
  assert.ok((await database.command({}, (scope) => changePrice(scope, change))).ok)
}

async function work(): Promise<void> {
  await pool.query(`update reminders.progress set until = now() - interval '3 days'`)
  await database.command({}, findBaskets)
  await runWork(database, pushHandlers, [...jobs, ...pushJobs])
}

async function mailsTo(email: string): Promise<{ subject: string; text: string; url: string | null }[]> {
  const { rows } = await pool.query(
    `select subject, body_text as text, unsubscribe_url as url from mail.mail where template = 'basket-reminder' and recipient = $1 order by id`,
    [email],
  )
  return rows
}

test('goods left in a basket are reminded of once, a day after its last change, at the prices of that day and without those that are gone', async () => {
  const ann = await shopper({ goods: ['1', '2', '3'] })
  await ages(ann.owner, 23)
  await work()
  assert.deepEqual(await mailsTo(ann.email), [])
  await costs(900)
  await pool.query(`update catalogue.offer set stock = 0 where id = 2`)
  await ages(ann.owner, 2)
  await work()
  const [mail, ...others] = await mailsTo(ann.email)
  assert.equal(others.length, 0)
  assert.match(mail?.subject ?? '', /^Still in your basket: Drill 1$/)
  for (const part of ['2 × Drill 1: £18.00', '2 × Drill 3: £60.00', '/cart\n', '/unsubscribe?offers='])
    assert.ok(mail?.text.includes(part), part)
  assert.doesNotMatch(mail?.text ?? '', /Drill 2/)
  // The link is the basket's own address: there is nothing in it that could identify anybody.
  assert.match(mail?.text ?? '', /https?:\/\/[^/\s]+\/cart\s/)
  await work()
  await ages(ann.owner, 24)
  await work()
  assert.equal((await mailsTo(ann.email)).length, 1)
  await costs(1000)
  await pool.query(`update catalogue.offer set stock = 100 where id = 2`)
})

test('a basket with anything of the last reminder is the same one; one filled anew is reminded of, three times a week at most', async () => {
  const ann = await shopper()
  const fillAnew = async () => {
    await removeCartsOf(db, ann.owner)
    must(await ann.does((scope) => addToCart(scope, { offerId: '3', quantity: 1 })))
    // Reminders are told apart by their time.
    await pool.query(`update reminders.basket set at = at - interval '2 days' where customer_id = $1`, [ann.id])
    await ages(ann.owner, 25)
    await work()
    return (await mailsTo(ann.email)).length
  }
  await ages(ann.owner, 25)
  await work()
  assert.equal((await mailsTo(ann.email)).length, 1)
  must(await ann.does((scope) => addToCart(scope, { offerId: '3', quantity: 1 })))
  await pool.query(`update cart.cart set updated_at = now() - interval '25 hours' where owner = $1`, [ann.owner])
  await work()
  assert.equal((await mailsTo(ann.email)).length, 1)
  assert.deepEqual([await fillAnew(), await fillAnew(), await fillAnew()], [2, 3, 3])
})

test('nobody is reminded without consent, of an empty basket, of one changed or ordered meanwhile, or when the setting says never', async () => {
  const [refused, emptied, changed, ordered, switched] = [
    await shopper({ email: false }),
    await shopper(),
    await shopper(),
    await shopper({ goods: [] }),
    await shopper(),
  ]
  must(await place(ordered.buyer, await draftOrder(ordered.buyer, [{ offerId: '3', quantity: 1 }])))
  await pool.query(`update orders.customer_order set placed_at = now() - interval '24 hours' where owner = $1`, [ordered.owner])
  for (const { owner } of [refused, emptied, changed, ordered]) await ages(owner, 25)
  await pool.query(`update reminders.progress set until = now() - interval '3 days'`)
  await database.command({}, findBaskets)
  await removeCartsOf(db, emptied.owner)
  must(await changed.does((scope) => addToCart(scope, { offerId: '3', quantity: 1 })))
  await runWork(database, [], jobs)
  await ages(switched.owner, 25)
  useSettings({ BASKET_REMINDER_HOURS: '0' })
  await work()
  useSettings()
  for (const { email } of [refused, emptied, changed, ordered, switched]) assert.deepEqual(await mailsTo(email), [])
})

test('an order placed as a guest with the same address stops the reminder of the basket left behind', async () => {
  const [ann, bob] = [await shopper(), await shopper()]
  const guest = newBuyer(database, { principal: { kind: 'guest', id: randomUUID(), email: ann.email.toUpperCase() } })
  must(await place(guest, await draftOrder(guest, [{ offerId: '3', quantity: 1 }])))
  for (const { owner } of [ann, bob]) await ages(owner, 25)
  await work()
  assert.deepEqual([(await mailsTo(ann.email)).length, (await mailsTo(bob.email)).length], [0, 1])
})

test('one click in a mail ends offers by e-mail, with proof, and so reminders; a wrong token has no effect', async () => {
  const [ann, bob] = [await shopper(), await shopper()]
  for (const { owner } of [ann, bob]) await ages(owner, 25)
  await work()
  const [mail] = await mailsTo(ann.email)
  const url = new URL(mail?.url ?? '')
  const post = (path: string) =>
    fetch(`${gateway.url}${path}`, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  assert.equal((await post('/api/v1/offers/unsubscribe/none')).status, 204)
  assert.equal((await post(url.pathname)).status, 204)
  assert.equal((await post(url.pathname)).status, 204)
  const { rows } = await pool.query(
    `select customer_id as id, is_granted as granted, source from profile.consent where customer_id = any($1) order by at`,
    [[ann.id, bob.id]],
  )
  assert.deepEqual(
    rows.filter(({ granted }) => !granted),
    [{ id: ann.id, granted: false, source: 'unsubscribe' }],
  )
})

test('without e-mail a reminder goes by push to browsers that chose baskets, while their sign-in lasts and consent holds', async () => {
  const keys = () => {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    return { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  }
  /** A browser of a customer who is left alone with a basket. */
  const browser = async (name: string, topics?: string[]) => {
    const person = await shopper({ email: false })
    await pool.query(`update accounts.session set sign_in_id = $2 where customer_id = $1`, [person.id, randomUUID()])
    const visitorId = randomUUID()
    const answer = await fetch(`${gateway.url}/api/v1/push/subscriptions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: `__Host-purlin=${person.token}; mm_consent=v1:userPreferences; mm_visitor_id=${visitorId}`,
      },
      body: JSON.stringify({ endpoint: `https://fcm.googleapis.com/fcm/send/${name}`, keys: keys(), topics }),
    })
    assert.equal(answer.status, 201)
    const basket = topics ?? ['offers']
    assert.deepEqual(await answer.json(), { topics: basket })
    await ages(person.owner, 25)
    return { ...person, visitorId }
  }
  await browser('baskets', ['baskets', 'orders'])
  await browser('offers')
  const left = await browser('signed-out', ['baskets'])
  const withdrawn = await browser('withdrawn', ['baskets'])
  await pool.query('delete from accounts.session where customer_id = $1', [left.id])
  await database.command({}, async (scope) =>
    scope.emit('consent.withdrawn', { visitorId: withdrawn.visitorId, withdrawn: ['userPreferences'] }),
  )
  await runWork(database, pushHandlers, pushJobs)
  const sent: string[] = []
  const { fetch: real } = globalThis
  mock.method(globalThis, 'fetch', async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof url !== 'string' || !url.startsWith('https://fcm.googleapis.com/')) return real(url, init)
    sent.push(url.split('/').at(-1) ?? '')
    return new Response(null, { status: 201 })
  })
  await work()
  await work()
  mock.restoreAll()
  assert.deepEqual(sent, ['baskets'])
})

test('without e-mail and push a reminder goes by text message to those who have agreed, once', async () => {
  const ann = await shopper({ email: false })
  await agreeToSms(ann.does, '07700 900123')
  await ages(ann.owner, 25)
  await work()
  await work()
  const { rows } = await pool.query('select phone, body, segments from sms.message where customer_id = $1', [ann.id])
  assert.deepEqual(
    rows.map(({ phone, segments }) => [phone, segments]),
    [['+447700900123', 1]],
  )
  assert.match(rows[0].body, /^Still in your Purlin basket: Drill 1\. https?:\/\/[^/\s]+\/cart Reply STOP to end text messages\.$/)
  assert.deepEqual(await mailsTo(ann.email), [])
})

test('erasure ends reminders and leaves nothing of them', async () => {
  const ann = await shopper()
  await ages(ann.owner, 25)
  await work()
  await pool.query('update accounts.customer set closed_at = now() where id = $1', [ann.id])
  await database.command({}, (scope) => erase(scope, { customerId: ann.id }))
  for (const table of ['reminders.basket', 'profile.notice', 'profile.unsubscribe', 'push.subscription'])
    assert.deepEqual((await pool.query(`select 1 from ${table} where customer_id = $1`, [ann.id])).rows, [], table)
  assert.deepEqual(await mailsTo(ann.email), [])
})
