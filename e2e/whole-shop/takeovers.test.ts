import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '@purlin/server/foundation/platform/index.ts'
import { sessionIdOf } from '@purlin/server/people/accounts/session.ts'
import { gb, pro } from '@purlin/server/people/auth/testing.ts'
import { addresses, type Buyer, draftOrder, must, newBuyer, place } from '@purlin/server/selling/checkout/testing.ts'
import { allowByToken } from '@purlin/server/selling/orders/access-token.ts'
import { mailsTo } from '@purlin/services/identity-provider/testing.ts'
import {
  type Account,
  type Browser,
  type Page,
  account,
  confirms,
  database,
  identity,
  linkTo,
  registersForeign,
  registration,
  signedIn,
  somebodysBrowser,
  thief,
} from './takeover-people.ts'

const sessionCookie = '__Host-purlin'
/** Orders and pays. */
async function orders(buyer: Buyer): Promise<string> {
  const id = await draftOrder(buyer, [{ offerId: '701', quantity: 1 }])
  must(await place(buyer, id))
  await database.pool.query('update orders.customer_order set paid_at = now() where id = $1', [id])
  return id
}
/** Orders and pays in a browser that nobody has signed in to. */
async function ordersAsGuest({ shop }: Browser, email: string): Promise<string> {
  await shop.graphql(`mutation { continueAsGuest(email: "${email}") { refusal { reason } } }`)
  const id = sessionIdOf(shop.cookies.get(gb)?.get(sessionCookie) ?? '')
  assert.ok(id)
  return orders(newBuyer(database, { principal: { kind: 'guest', id, email }, session: { id } }))
}
const ownOrders = async (browser: Browser, host = gb) =>
  (await browser.data<{ myOrders: { total: number } }>('{ myOrders { total } }', host)).myOrders.total
const sees = async (browser: Browser, id: string) =>
  (await browser.data<{ customerOrder: object | null }>(`{ customerOrder(id: "${id}") { id } }`)).customerOrder !== null

test('A43 takeover by an unconfirmed address: the password of the registration opens nothing before the owner has confirmed it', async () => {
  const [attacker, email] = [somebodysBrowser(), 'victim-1@example.com']
  await registersForeign(attacker, email)
  assert.equal(await attacker.opens({ email, password: thief }), false)
  assert.deepEqual(await attacker.shop.session(), {})
})

test('A43 takeover by an unconfirmed address: nor after it, when the account has the password its owner chose', async () => {
  const [attacker, owner, email] = [somebodysBrowser(), somebodysBrowser(), 'victim-2@example.com']
  await confirms(owner, await registersForeign(attacker, email), 'the owners own words')
  assert.equal(await attacker.opens({ email, password: thief }), false)
  await owner.signIn({ email, password: 'the owners own words' })
  assert.equal(await owner.email(), email)
  assert.deepEqual(await attacker.shop.session(), {})
})

test('A43 takeover by an unconfirmed address: a guest’s order under it follows neither the attacker’s account nor the attacker’s session', async () => {
  const [attacker, owner, email] = [somebodysBrowser(), somebodysBrowser(), 'victim-3@example.com']
  const id = await ordersAsGuest(owner, email)
  await attacker.shop.graphql(`mutation { continueAsGuest(email: "${email}") { refusal { reason } } }`)
  await confirms(owner, await registersForeign(attacker, email), 'the owners own words')
  await attacker.signIn(account('mallory'))
  await owner.signIn({ email, password: 'the owners own words' })
  assert.equal(await attacker.email(), 'mallory@example.com')
  assert.notEqual(await attacker.id(), await owner.id())
  assert.deepEqual(await attacker.data('{ myAddresses { id } customerProfile { email } }'), {
    myAddresses: [],
    customerProfile: { email: 'mallory@example.com' },
  })
  assert.deepEqual([await ownOrders(attacker), await sees(attacker, id)], [0, false])
  assert.deepEqual([await ownOrders(owner), await sees(owner, id)], [1, true])
})

const accountPage = 'http://id.localhost:3002/realms/b2c/account'
async function wantsAddress(browser: Browser, { password }: Account, email: string): Promise<string> {
  const page = await browser.provider.follow(`${accountPage}/email`)
  await browser.provider.send(page, { email, old_password: password })
  return linkTo(email, 'new-address')
}

/** Sends the form of a mailed link in a new browser. */
const press = async (email: string, template: string, fields: Record<string, string> = {}) => {
  const { provider } = somebodysBrowser()
  return provider.send(await provider.follow(await linkTo(email, template)), fields)
}

test('A42 takeover by a changed address: the address of another account is not taken over, and its owner is told', async () => {
  const [attacker, owner] = [await signedIn('mallory'), await signedIn('owner')]
  assert.equal(await wantsAddress(attacker, account('mallory'), account('owner').email), '')
  assert.ok((await mailsTo(identity, account('owner').email)).some(({ template }) => template === 'existing-account'))
  await attacker.shop.update({ type: 'refresh' })
  assert.equal(await attacker.email(), 'mallory@example.com')
  assert.equal(await owner.email(), 'owner@example.com')
})

test('A42 takeover by a changed address: a request for an address whose owner registers first is worth nothing', async () => {
  const [attacker, owner, email] = [await signedIn('eve'), somebodysBrowser(), 'late-owner@example.com']
  const link = await wantsAddress(attacker, account('eve'), email)
  assert.ok(link)
  const page = await owner.registerPage(email)
  await owner.provider.send(page, { ...registration, email, password: 'the owners own words' })
  await owner.return(await owner.provider.send(await owner.provider.follow(await linkTo(email, 'confirm-address')), {}))
  await press(account('eve').email, 'agree-address')
  const opened = await attacker.provider.follow(link)
  if (opened.html.includes('<form')) await attacker.provider.send(opened, {})
  await attacker.shop.update({ type: 'refresh' })
  assert.equal(await attacker.email(), 'eve@example.com')
  assert.equal(await owner.email(), email)
  assert.notEqual(await owner.id(), await attacker.id())
})

test('A42 takeover by a changed address: its owner takes it back by mail, and the attacker’s sessions and password end', async () => {
  const [attacker, me] = [await signedIn('undo'), account('undo')]
  const stolen = 'thief-of-undo@example.com'
  await wantsAddress(attacker, me, stolen)
  await press(stolen, 'new-address', { present: me.email })
  await attacker.shop.update({ type: 'refresh' })
  assert.equal(await attacker.email(), me.email, 'not without the present address')
  await press(me.email, 'agree-address')
  await attacker.shop.update({ type: 'refresh' })
  assert.equal(await attacker.email(), stolen)
  const owner = somebodysBrowser()
  await owner.provider.send(await owner.provider.follow(await linkTo(me.email, 'moved-address')), {})
  await attacker.shop.update({ type: 'refresh' })
  assert.notEqual((await attacker.shop.session()).error, undefined)
  assert.deepEqual(
    [await attacker.opens({ ...me, email: stolen }), await attacker.opens(me)],
    [false, false],
    'neither address opens it with the known password',
  )
})

test('A43 takeover from another realm: a consumer’s password does not open the professionals’ realm', async () => {
  const attacker = somebodysBrowser()
  assert.equal(await attacker.opens(account('vera'), pro), false)
  assert.deepEqual(await attacker.shop.session(pro), {})
})

test('A43 takeover from another realm: the same address registered there is another customer, without addresses, orders or lists', async () => {
  const [vera, other, email] = [await signedIn('vera'), somebodysBrowser(), account('vera').email]
  const input = JSON.stringify({ ...addresses.gb, country: 'GB', defaults: [] }).replace(/"(\w+)":/g, '$1:')
  await vera.data(`mutation { keepAddress(input: ${input}) { address { id } refusal { reason } } }`)
  await vera.data('mutation { createWishlist(name: "Private") { refusal { reason } } }')
  const customer = { kind: 'customer', id: String(await vera.id()), email, name: 'Vera', market: 'gb' } as const
  await orders(newBuyer(database, { principal: customer }))
  assert.equal(await ownOrders(vera), 1)
  const page = await other.registerPage(email, pro)
  const company = { company: 'Vera Ltd', trade: 'tiler', vat_number: 'de 111 111 125', role: 'owner' }
  await other.provider.send(page, { ...registration, email, password: thief, ...company })
  await other.return(await other.provider.send(await other.provider.follow(await linkTo(email, 'confirm-address')), {}))
  assert.equal(await other.email(pro), email)
  assert.notEqual(await other.id(pro), await vera.id())
  const seen = await other.data<{ myAddresses: object[]; wishlists: { name: string }[] }>('{ myAddresses { id } wishlists { name } }', pro)
  assert.deepEqual(seen.myAddresses, [])
  assert.equal(await ownOrders(other, pro), 0)
  assert.ok(seen.wishlists.every(({ name }) => name !== 'Private'))
})

test('A43 takeover from another realm: a link of one realm opens nothing in another', async () => {
  const attacker = somebodysBrowser()
  await attacker.provider.send(await attacker.begin('forgotten'), { email: account('vera').email })
  const link = await linkTo(account('vera').email, 'reset-password')
  assert.ok(link)
  for (const realm of ['b2b', 'unified', 'staff'])
    assert.equal((await attacker.provider.follow(link.replace('/b2c/', `/${realm}/`))).status, 410, realm)
})

/** An order with the link of its mail. */
async function orderWithLink(): Promise<{ id: string; email: string; token: string }> {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '701', quantity: 1 }])
  must(await place(buyer, id))
  return { id, email: buyer.email, token: (await allowByToken(database.db, settings().mail.linkSecret, id)).token }
}
const follow = (token: string) => `mutation { openOrderByToken(token: "${token}") { order { id } refusal { reason } } }`

test('A1 takeover by an order link: whoever follows it and signs in keeps their own account, and the order stays its buyer’s', async () => {
  const { id, email, token } = await orderWithLink()
  const attacker = somebodysBrowser()
  await attacker.data(follow(token))
  assert.deepEqual(await attacker.data(`{ customerOrder(id: "${id}") { id } }`), { customerOrder: { id } })
  await attacker.signIn(account('eve'))
  const seen = await attacker.data<{ customerProfile: { email: string }; myOrders: { total: number }; funnel: { email: string } }>(
    '{ customerProfile { email } myOrders { total } funnel { email } }',
  )
  assert.deepEqual([seen.customerProfile.email, seen.myOrders.total], ['eve@example.com', 0])
  assert.notEqual(seen.funnel.email, email)
})

test('A1 takeover by an order link: a guest’s account with the buyer’s address is made by the link in the buyer’s mailbox alone', async () => {
  const { email, token } = await orderWithLink()
  const attacker = somebodysBrowser()
  await attacker.data(follow(token))
  await registersForeign(attacker, email)
  assert.equal(await attacker.opens({ email, password: thief }), false)
  const funnel = await attacker.data<{ funnel: { email: string | null } }>('{ funnel { email } }')
  assert.equal(funnel.funnel.email, null, 'the link names nobody')
})

test('A1 takeover by an order link: it changes, pays, cancels and redirects nothing', async () => {
  const { id, token } = await orderWithLink()
  const attacker = await signedIn('trudy')
  await attacker.data(follow(token))
  const lines = '[{ offerId: "701", quantity: 1 }]'
  for (const deed of [
    `reopenOrder(customerOrderId: "${id}")`,
    `placeOrder(customerOrderId: "${id}", idempotencyKey: "not-mine-${id}")`,
    `choosePaymentMethod(customerOrderId: "${id}", idempotencyKey: "not-mine-either-${id}", method: CARD)`,
    `chooseDelivery(customerOrderId: "${id}", choices: [{ sellerId: 1, kind: "express" }])`,
    `cancelLines(input: { customerOrderId: "${id}", sellerOrderId: "${id}-1", lines: ${lines}, reason: "changed-mind" })`,
  ]) {
    const { data } = await attacker.shop.graphql<Record<string, { refusal: { reason: string } | null }>>(
      `mutation { answer: ${deed} { refusal { reason } } }`,
    )
    assert.equal(data?.['answer']?.refusal?.reason, 'unknown-order', deed)
  }
})

/** Plants the attacker's cookies in the victim's browser. */
function plant(from: Browser, to: Browser): Map<string, string> {
  const planted = new Map(from.shop.cookies.get(gb))
  to.shop.cookies.set(gb, new Map(planted))
  return planted
}
const withCookies = (cookies: Map<string, string>): Browser => {
  const browser = somebodysBrowser()
  browser.shop.cookies.set(gb, new Map(cookies))
  return browser
}

test('A38 session fixation: a guest’s session planted before the sign-in is worth nothing after it', async () => {
  const [attacker, victim] = [somebodysBrowser(), somebodysBrowser()]
  await attacker.data('mutation { addToCart(offerId: "701", quantity: 1) { refusal { reason } } }')
  const planted = plant(attacker, victim)
  await victim.signIn(account('vera'))
  assert.notEqual(victim.shop.cookies.get(gb)?.get(sessionCookie), planted.get(sessionCookie))
  assert.deepEqual(await withCookies(planted).shop.session(), {})
})

test('A38 session fixation: signing in over a planted signed-in session ends that session, and gives nobody the victim’s', async () => {
  const [attacker, victim] = [await signedIn('trudy'), somebodysBrowser()]
  const planted = plant(attacker, victim)
  await victim.signIn(account('vera'))
  assert.equal(await victim.email(), 'vera@example.com')
  assert.deepEqual(await withCookies(planted).shop.session(), {}, 'the session of the attacker has ended')
})

test('A38 A35 session fixation: a sign-in begun by the attacker is not finished by the victim, and the other way round', async () => {
  const [attacker, victim] = [somebodysBrowser(), somebodysBrowser()]
  const page = await attacker.begin()
  const own = await attacker.provider.send(page, account('trudy'))
  await victim.begin()
  const url = new URL(own.address)
  await victim.shop.ask(url.pathname + url.search)
  assert.deepEqual(await victim.shop.session(), {}, 'the victim is not signed in as the attacker')
  const theirs = await victim.provider.send(await victim.begin(), account('vera'))
  const stolen = new URL(theirs.address)
  await attacker.shop.ask(stolen.pathname + stolen.search)
  assert.deepEqual(await attacker.shop.session(), {}, 'nor the attacker as the victim')
})

async function tokenOf(browser: Browser): Promise<string> {
  return String((await browser.shop.post('/api/v1/exchange-to-pro', {})).json['token'])
}
const redeem = (browser: Browser, token: string, host = pro, path = '/api/v1/exchange-to-pro') =>
  browser.shop.ask(path, { host, method: 'POST', headers: { 'x-exchange-token': token } })

test('A37 replayed exchange token: it works once', async () => {
  const token = await tokenOf(await signedIn('vera'))
  const [own, attacker] = [somebodysBrowser(), somebodysBrowser()]
  assert.equal((await redeem(own, token)).status, 200)
  assert.equal((await redeem(attacker, token)).status, 401)
  assert.deepEqual(await attacker.shop.session(pro), {})
})

test('A37 replayed exchange token: on another host or another market’s it opens nothing', async () => {
  const token = await tokenOf(await signedIn('vera'))
  for (const [host, path] of [
    [gb, '/api/v1/exchange-to-b2c'],
    ['pro.de.localhost:3000', '/api/v1/exchange-to-pro'],
    ['de.localhost:3000', '/api/v1/exchange-to-b2c'],
  ] as const) {
    const attacker = somebodysBrowser()
    assert.equal((await redeem(attacker, token, host, path)).status, 401, host)
    assert.deepEqual(await attacker.shop.session(host), {}, host)
  }
})

test('A37 replayed exchange token: after its owner has signed out it opens nothing', async () => {
  const [owner, attacker] = [await signedIn('vera'), somebodysBrowser()]
  const token = await tokenOf(owner)
  await owner.shop.post('/api/v1/logout', { no_redirect: 'true' })
  assert.equal((await redeem(attacker, token)).status, 401)
  assert.deepEqual(await attacker.shop.session(pro), {})
})

test('A42 replayed e-mail link: a sign-in link works once, also in the browser that requested it', async () => {
  const [owner, { email }] = [somebodysBrowser(), account('link')]
  await owner.provider.send(await owner.begin('by-mail'), { email })
  const link = await linkTo(email, 'sign-in-link')
  await owner.return(await owner.provider.send(await owner.provider.follow(link), {}))
  assert.equal(await owner.email(), email)
  const attacker = somebodysBrowser()
  await attacker.begin('by-mail')
  for (const browser of [attacker, owner]) assert.doesNotMatch((await browser.provider.follow(link)).html, /<form/)
  assert.deepEqual(await attacker.shop.session(), {})
})

test('A42 replayed e-mail link: a link to a new password works once, and ends the sessions of before', async () => {
  const [before, owner, { email }] = [await signedIn('reset'), somebodysBrowser(), account('reset')]
  await owner.provider.send(await owner.begin('forgotten'), { email })
  const link = await linkTo(email, 'reset-password')
  const page = await owner.provider.follow(link)
  assert.equal((await owner.provider.send(page, { password: 'the owners own words' })).status, 200)
  const attacker = somebodysBrowser()
  assert.equal((await attacker.provider.follow(link)).status, 410)
  assert.equal((await owner.provider.send(page, { password: thief })).status, 410)
  assert.equal(await attacker.opens({ email, password: thief }), false)
  await before.shop.update({ type: 'refresh' })
  assert.notEqual((await before.shop.session()).error, undefined)
})

const profile = (browser: Browser) =>
  browser.shop
    .graphql<{ customerProfile: { email: string } | null }>('{ customerProfile { email } }')
    .then(({ data }) => data?.customerProfile?.email ?? null)

test('A38 a new password chosen by mail ends the shop sessions of before at their next request, without a refresh', async () => {
  const [thief, owner, { email }] = [await signedIn('rita'), somebodysBrowser(), account('rita')]
  await thief.shop.ask('/api/v1/exchange-to-pro')
  assert.equal(await profile(thief), email)
  const token = await tokenOf(thief)
  await owner.provider.send(await owner.begin('forgotten'), { email })
  await owner.provider.send(await owner.provider.follow(await linkTo(email, 'reset-password')), { password: 'five green bicycles' })
  assert.equal(await profile(thief), null)
  assert.equal((await thief.shop.session()).error, 'RefreshAccessTokenError')
  assert.equal((await redeem(somebodysBrowser(), token)).status, 401, 'nor does a token minted before')
  await owner.signIn({ email, password: 'five green bicycles' })
  assert.equal(await profile(owner), email)
})

test('A38 a password changed at the provider, or one device signed out there, ends the other shop session at once and keeps this one', async () => {
  const { email, password } = account('dora')
  const [owner, thief] = [await signedIn('dora'), await signedIn('dora')]
  const page = await owner.provider.follow(`${accountPage}/password`)
  await owner.provider.send(page, { old_password: password, password: 'nine amber lanterns' })
  assert.deepEqual([(await thief.shop.session()).error, (await owner.shop.session()).error], ['RefreshAccessTokenError', undefined])
  assert.deepEqual([await profile(thief), await profile(owner)], [null, email])
  const other = somebodysBrowser()
  await other.signIn({ email, password: 'nine amber lanterns' })
  const devices = await identity.database.pool.query<{ uid: string }>(
    'select session_uid as uid from identity.device order by created_at desc limit 1',
  )
  await owner.provider.send(await owner.provider.follow(accountPage), { device: devices.rows[0]?.uid ?? '' })
  assert.deepEqual([await profile(other), await profile(owner)], [null, email])
})

test('A42 the shop writes to a confirmed new address at once, and to the old one as soon as its owner has taken it back', async () => {
  const [mover, me] = [await signedIn('milo'), account('milo')]
  const moved = 'milo-moved@example.com'
  await wantsAddress(mover, me, moved)
  await press(me.email, 'agree-address')
  await press(moved, 'new-address', { present: me.email })
  assert.deepEqual([await profile(mover), await mover.email()], [moved, moved])
  const stored = async () =>
    (await database.pool.query(`select email from accounts.customer where email like 'milo%'`)).rows.map((row) => row.email as string)
  await somebodysBrowser().provider.follow(await linkTo(me.email, 'moved-address'))
  assert.deepEqual(await stored(), [moved], 'a click alone takes nothing back')
  const owner = somebodysBrowser()
  await owner.provider.send(await owner.provider.follow(await linkTo(me.email, 'moved-address')), {})
  assert.deepEqual(await stored(), [me.email])
  assert.equal(await profile(mover), null)
})

test('whoever opens the links of mails in another browser is led back to the shop’s sign-in', async () => {
  const leadsOn = (page: Page) => assert.match(page.html, /<a[^>]* href="http:\/\/gb\.localhost:3000\/login"/, page.address)
  const [asking, phone, { email }] = [somebodysBrowser(), somebodysBrowser(), account('nora')]
  await asking.provider.send(await asking.begin('forgotten'), { email })
  const password = 'two silver ladders'
  leadsOn(await phone.provider.send(await phone.provider.follow(await linkTo(email, 'reset-password')), { password }))
  const fresh = 'nora-by-phone@example.com'
  await asking.provider.send(await asking.registerPage(fresh), { ...registration, email: fresh, password })
  const confirm = await phone.provider.follow(await linkTo(fresh, 'confirm-address'))
  leadsOn(await phone.provider.send(confirm, { ...registration, password }))
  const mover = somebodysBrowser()
  await mover.signIn({ email, password })
  const link = await wantsAddress(mover, { email, password }, 'nora-moved@example.com')
  leadsOn(await phone.provider.send(await phone.provider.follow(link), { present: email }))
  leadsOn(await phone.provider.send(await phone.provider.follow(await linkTo(email, 'agree-address')), {}))
  leadsOn(await phone.provider.send(await phone.provider.follow(await linkTo(email, 'moved-address')), {}))
})

test('A42 replayed e-mail link: the link of a registration works once', async () => {
  const [owner, email] = [somebodysBrowser(), 'newcomer@example.com']
  await owner.provider.send(await owner.registerPage(email), { ...registration, email, password: 'the owners own words' })
  const link = await linkTo(email, 'confirm-address')
  await owner.return(await owner.provider.send(await owner.provider.follow(link), {}))
  assert.equal(await owner.email(), email)
  const attacker = somebodysBrowser()
  assert.equal((await attacker.provider.follow(link)).status, 410)
  assert.deepEqual(await attacker.shop.session(), {})
  assert.equal(await attacker.opens({ email, password: '' }), false)
})
