import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { allowByToken } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway, type RequestOptions } from '../../edges/gateway/testing.ts'
import { showOrder } from './show-order.ts'
import { addOffer, addresses, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6001' })
await addOffer(database, { id: '6002', market: 'fr' })
const gateway = await testGateway(database.pool)
const secret = 'a-link-secret-of-the-tests-long-enough'

type Answer = Record<string, { refusal: { reason: string } | null; order?: { id: string; email: string } | null }>

/** A browser: keeps its cookie and sends requests over HTTP. */
function browser(asked: RequestOptions = {}) {
  let cookie = asked.cookie ?? ''
  const ask = async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const { body, cookie: given } = await gateway.post(query, variables, { ...asked, cookie })
    cookie = given || cookie
    const { data, errors } = body as { data: Data; errors?: unknown }
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  const command = (field: string, more = '') => ask<Answer>(`mutation { ${field} { refusal { reason } ${more} } }`)
  return {
    cookie: () => cookie,
    ask,
    addToCart: (offerId = '6001') => command(`addToCart(offerId: "${offerId}", quantity: 1)`),
    follow: async (token: string) => (await command(`openOrderByToken(token: "${token}")`, 'order { id email }'))['openOrderByToken'],
    continueAsGuest: async (email: string) => (await command(`continueAsGuest(email: "${email}")`))['continueAsGuest'],
    saveAddress: async () =>
      (
        await ask<Answer>('mutation ($input: AddressInput!) { saveAddress(input: $input) { refusal { reason } order { id email } } }', {
          input: addresses.gb,
        })
      )['saveAddress'],
    place: async (id: string) => (await command(`placeOrder(customerOrderId: "${id}", idempotencyKey: "key-${id}")`))['placeOrder'],
    funnel: async () =>
      (
        await ask<{ funnel: { step: string; customerOrderId: string | null; email: string | null } }>(
          '{ funnel { step customerOrderId email } }',
        )
      ).funnel,
    order: async (id: string) =>
      (await ask<{ customerOrder: { id: string; email: string } | null }>(`{ customerOrder(id: "${id}") { id email } }`)).customerOrder,
  }
}

/** The order of a sender who forwards its link to others. */
const attacker = newBuyer(database)
const bait = await draftOrder(attacker, [{ offerId: '6001', quantity: 1 }])
must(await place(attacker, bait))
const baitEmail = attacker.email
const { token } = await allowByToken(database.db, secret, bait)

test('V-02: a link opens its order for ninety days and no longer', async () => {
  const { token: late } = await allowByToken(database.db, secret, bait)
  const tokens = await database.db.rows<{ hash: Buffer; at: Date }>({
    name: 'test.tokens',
    text: 'select token_hash as hash, expires_at as at from orders.access_token',
  })
  await database.db.run({ name: 'test.expire', text: 'update orders.access_token set expires_at = now()' })
  assert.equal((await browser().follow(late))?.order ?? null, null)
  for (const { hash, at } of tokens)
    await database.db.run({ name: 'test.restore', text: 'update orders.access_token set expires_at = $2 where token_hash = $1' }, [
      hash,
      at,
    ])
  assert.deepEqual((await browser().follow(late))?.order, { id: bait, email: baitEmail })
})

test('V-04: a visitor without a session continues as a guest and is remembered', async () => {
  const guest = browser()
  assert.deepEqual(await guest.continueAsGuest('lost.cookie@example.com'), { refusal: null })
  assert.match(guest.cookie(), /^__Host-purlin=[\w-]{43}$/)
  assert.deepEqual(await guest.funnel(), { step: 'cart', customerOrderId: null, email: 'lost.cookie@example.com' })
  await guest.addToCart()
  assert.equal((await guest.funnel()).step, 'address')
})

test('V-04: the cookie of an expired or unknown session counts as no cookie', async () => {
  const guest = browser({ cookie: `__Host-purlin=${'x'.repeat(43)}` })
  assert.deepEqual(await guest.continueAsGuest('old.cookie@example.com'), { refusal: null })
  assert.equal((await guest.funnel()).email, 'old.cookie@example.com')
})

test('V-04: a link opens its order for the cookie of a session that has expired, in a new session that knows nothing of the old one', async () => {
  const guest = browser()
  await guest.addToCart()
  await guest.continueAsGuest('long.ago@example.com')
  const own = (await guest.saveAddress())?.order?.id ?? ''
  const old = guest.cookie()
  const id = createHash('sha256').update(old.slice('__Host-purlin='.length)).digest('base64url')
  await database.pool.query(`update accounts.session set expires_at = now() - interval '1 minute' where id = $1`, [id])
  const { rows } = await database.pool.query<{ expired: number }>(
    'select count(*)::int as expired from accounts.session where expires_at < now()',
  )
  assert.equal(rows[0]?.expired, 1)
  assert.deepEqual(await guest.follow(token), { refusal: null, order: { id: bait, email: baitEmail } })
  assert.notEqual(guest.cookie(), old)
  assert.equal(await guest.order(own), null)
  assert.deepEqual(await guest.funnel(), { step: 'cart', customerOrderId: null, email: null })
  // The link has not brought the old session back to life.
  assert.equal(await browser({ cookie: old }).order(bait), null)
  assert.equal(await browser({ cookie: old }).order(own), null)
})

test('V-02: a link followed with a cart in progress shows the order without taking on its buyer’s identity', async () => {
  const victim = browser()
  await victim.addToCart()
  assert.deepEqual((await victim.follow(token))?.order, { id: bait, email: baitEmail })
  assert.deepEqual(await victim.funnel(), { step: 'register', customerOrderId: null, email: null })
  assert.equal((await victim.saveAddress())?.refusal?.reason, 'email-invalid')
  await victim.continueAsGuest('victim@example.com')
  const { order } = (await victim.saveAddress()) ?? {}
  assert.equal(order?.email, 'victim@example.com')
})

test('V-02: a link followed with a draft at the address step leaves the draft with the e-mail address the guest entered', async () => {
  const victim = browser()
  await victim.addToCart()
  await victim.continueAsGuest('drafting@example.com')
  const draft = (await victim.saveAddress())?.order?.id ?? ''
  await victim.follow(token)
  assert.deepEqual(await victim.funnel(), { step: 'delivery', customerOrderId: draft, email: 'drafting@example.com' })
  assert.equal((await victim.saveAddress())?.order?.email, 'drafting@example.com')
  assert.deepEqual(await victim.place(draft), { refusal: null })
  assert.equal((await victim.order(draft))?.email, 'drafting@example.com')
})

test('V-02: following a link with a placed order of one’s own mixes up neither orders nor people', async () => {
  const victim = browser()
  await victim.addToCart()
  await victim.continueAsGuest('buyer@example.com')
  const own = (await victim.saveAddress())?.order?.id ?? ''
  await victim.place(own)
  await victim.follow(token)
  assert.equal((await victim.order(own))?.email, 'buyer@example.com')
  assert.equal((await victim.order(bait))?.email, baitEmail)
  assert.equal((await victim.funnel()).customerOrderId, own)
  // The grant is one-way: the sender of the link sees nothing of the recipient's order.
  assert.equal(await showOrder(attacker.scope(), own), null)
})

test('V-02: a link lets a session view the order, but not change or pay for it', async () => {
  const visitor = browser()
  await visitor.follow(token)
  for (const command of [
    `reopenOrder(customerOrderId: "${bait}")`,
    `chooseDelivery(customerOrderId: "${bait}", choices: [{ sellerId: 1, kind: "express" }])`,
    `placeOrder(customerOrderId: "${bait}", idempotencyKey: "not-mine")`,
  ]) {
    const [answer] = Object.values(await visitor.ask<Answer>(`mutation { ${command} { refusal { reason } } }`))
    assert.equal(answer?.refusal?.reason, 'unknown-order', command)
  }
})

test('V-02: a session id chosen by somebody else is never adopted, so nobody can share the session of a link', async () => {
  const chosen = `__Host-purlin=${'A'.repeat(43)}`
  const victim = browser({ cookie: chosen })
  await victim.follow(token)
  assert.notEqual(victim.cookie(), chosen)
  assert.equal((await victim.order(bait))?.id, bait)
  assert.equal(await browser({ cookie: chosen }).order(bait), null)
})

test('V-02: a link of another market, a truncated link and an empty one are refused alike and create no session', async () => {
  const french = newBuyer(database, { market: 'fr' })
  const elsewhere = await draftOrder(french, [{ offerId: '6002', quantity: 1 }])
  must(await place(french, elsewhere))
  const { token: foreign } = await allowByToken(database.db, secret, elsewhere)
  for (const wrong of [foreign, token.slice(1), '', 'null']) {
    const visitor = browser()
    assert.deepEqual(await visitor.follow(wrong), { refusal: { reason: 'unknown-order' }, order: null })
    assert.equal(visitor.cookie(), '')
  }
})

test('V-02: correcting the e-mail address after the draft leads back to the address step, which adopts it', async () => {
  const guest = browser()
  await guest.addToCart()
  await guest.continueAsGuest('typo@exmaple.com')
  const draft = (await guest.saveAddress())?.order?.id ?? ''
  await guest.continueAsGuest('right@example.com')
  assert.deepEqual(await guest.funnel(), { step: 'address', customerOrderId: draft, email: 'right@example.com' })
  assert.deepEqual((await guest.saveAddress())?.order, { id: draft, email: 'right@example.com' })
  assert.equal((await guest.funnel()).step, 'delivery')
})
