import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser, type Reply, type TestBrowser } from './testing.ts'

/** One session on the two storefronts of a market, and in an app's webview. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
await fillShop(database)
await addOffer(database, { id: '301' })

async function signedIn(more: Record<string, unknown> = {}, host = gb, name = 'keycloak-b2c') {
  provider.person = somebody(more)
  const one = testBrowser(gateway)
  await one.signIn(host, { provider: name })
  return one
}

/** Follows the redirects of an exchange to the end. */
async function carry(one: TestBrowser, path: string, host: string, keep?: (step: URL) => void): Promise<Reply> {
  let reply = await one.ask(path, { host })
  for (let hops = 0; hops < 5 && reply.location.includes('/api/v1/exchange-'); hops++) {
    const url = new URL(reply.location)
    keep?.(url)
    reply = await one.ask(url.pathname + url.search, { host: url.host })
  }
  return reply
}

test('R-522 R-535 A24: the session is transferred to the professional storefront, to the page its owner requested', async () => {
  const one = await signedIn()
  const { location, setCookies } = await carry(one, '/api/v1/exchange-to-pro?callbackUrl=/cart', gb)
  assert.equal(location, `http://${pro}/cart`)
  assert.ok(setCookies.some((line) => line.startsWith('__Host-purlin=')))
  const [here, there] = [await one.session(), await one.session(pro)]
  assert.equal(there.user?.id, here.user?.id)
  assert.equal(there.role, 'b2c', 'another storefront makes nobody a professional')
})

test('R-523 A24: and from the professional to the consumer storefront, where a company member is a customer', async () => {
  const one = await signedIn({ company_name: 'Lee Ltd' }, pro, 'keycloak-b2b')
  await carry(one, '/api/v1/exchange-to-b2c', pro)
  assert.deepEqual([(await one.session(pro)).role, (await one.session()).role], ['b2b', 'b2c'])
})

test('R-031 one identity holds both profiles: switching to the professional storefront and back loses neither cart', async () => {
  const one = await signedIn()
  const add = 'mutation { addToCart(offerId: "301", quantity: 2) { refusal { reason } } }'
  const count = async (host: string) =>
    (await one.graphql<{ cart: { itemCount: number } | null }>('{ cart { itemCount } }', host)).data?.cart?.itemCount ?? 0
  await one.graphql(add)
  await carry(one, '/api/v1/exchange-to-pro?callbackUrl=/cart', gb)
  await one.graphql(add.replace('quantity: 2', 'quantity: 5'), pro)
  assert.deepEqual([await count(gb), await count(pro)], [2, 5])
  await carry(one, '/api/v1/exchange-to-b2c?callbackUrl=/cart', pro)
  assert.deepEqual([await count(gb), await count(pro)], [2, 5])
  const [here, there] = [await one.session(), await one.session(pro)]
  assert.equal(here.user?.id, there.user?.id)
})

test('A24 what professionals pay stays on their storefront, whichever way the session and its cookie get to the other one', async () => {
  await addOffer(database, { id: '302', price: 1200, proPrice: 900 })
  const one = await signedIn({ company_name: 'Kay Ltd' }, pro, 'keycloak-b2b')
  const goodsIn = async (host: string) =>
    (await one.graphql<{ cart: { totals: { goods: { amount: number } } } | null }>('{ cart { totals { goods { amount } } } }', host)).data
      ?.cart?.totals.goods.amount ?? 0
  const add = 'mutation { addToCart(offerId: "302", quantity: 1) { refusal { reason } } }'
  await one.graphql(add, pro)
  assert.equal(await goodsIn(pro), 900)
  await carry(one, '/api/v1/exchange-to-b2c', pro)
  assert.equal(await goodsIn(gb), 0, 'the cart of a professional does not follow')
  await one.graphql(add, gb)
  assert.deepEqual([await goodsIn(gb), await goodsIn(pro)], [1200, 900])
  // The cookie of one storefront, set by hand at the other.
  const [consumer, professional] = [one.cookies.get(gb), one.cookies.get(pro)]
  one.cookies.set(gb, new Map(professional))
  assert.notEqual(await goodsIn(gb), 900)
  await one.graphql(add, gb)
  assert.notEqual(await goodsIn(gb), 900)
  one.cookies.set(pro, new Map(consumer))
  assert.notEqual(await goodsIn(pro), 1200)
})

test('R-512 the choice to see prices with VAT follows the person to every browser in which they sign in, and to the professional storefront', async () => {
  const [de, proDe] = ['de.localhost:3000', 'pro.de.localhost:3000']
  const shown = (browser: TestBrowser, host = proDe) => browser.cookies.get(host)?.get('mm_vat_display')
  const choose = async (browser: TestBrowser, withVat: boolean, host = proDe) => {
    const { data } = await browser.graphql<{ chooseVatDisplay: boolean }>(`mutation { chooseVatDisplay(withVat: ${withVat}) }`, host)
    assert.deepEqual(data, { chooseVatDisplay: true })
  }
  const elsewhere = async (host: string, name: string) => {
    const browser = testBrowser(gateway)
    await browser.signIn(host, { provider: name })
    return browser
  }
  const desk = await signedIn({ company_name: 'Lee GmbH' }, proDe, 'keycloak-b2b')
  assert.equal(shown(desk), undefined, 'nothing was chosen yet')
  await choose(desk, true)
  assert.equal(shown(await elsewhere(proDe, 'keycloak-b2b')), 'with')
  assert.equal(shown(await elsewhere(pro, 'keycloak-b2b'), pro), undefined, 'gb always shows VAT')
  await choose(desk, false)
  assert.equal(shown(await elsewhere(proDe, 'keycloak-b2b')), 'without')

  const consumer = await signedIn({}, de)
  await choose(consumer, true, de)
  const again = await elsewhere(de, 'keycloak-b2c')
  assert.equal(shown(again, de), undefined, 'consumers always see VAT')
  await carry(again, '/api/v1/exchange-to-pro?callbackUrl=/cart', de)
  assert.equal(shown(again), 'with')
})

test('R-693 mm_b2b remembers on both hosts which storefront was chosen last, by a change of storefront or a sign-in', async () => {
  const one = await signedIn()
  const chosen = () => [gb, pro].map((host) => one.cookies.get(host)?.get('mm_b2b'))
  assert.deepEqual(chosen(), ['0', undefined])
  await carry(one, '/api/v1/exchange-to-pro?callbackUrl=/cart', gb)
  assert.deepEqual(chosen(), ['1', '1'])
  await carry(one, '/api/v1/exchange-to-b2c?callbackUrl=/cart', pro)
  assert.deepEqual(chosen(), ['0', '0'])
  const guest = testBrowser(gateway)
  const { setCookies } = await guest.ask('/api/v1/exchange-to-pro?callbackUrl=/cart')
  assert.match(setCookies.join(), /^mm_b2b=1; Path=\/; SameSite=Lax; Max-Age=31536000; Secure$/)
})

test('a visitor who is not signed in is asked to sign in on the target host', async () => {
  const { location } = await carry(testBrowser(gateway), '/api/v1/exchange-to-pro?callbackUrl=/cart', gb)
  assert.equal(location, `http://${pro}/login?callbackUrl=${encodeURIComponent(`http://${pro}/cart`)}`)
})

test('an exchange token is refused when replayed, in another browser or on another host', async () => {
  const one = await signedIn()
  let last: URL | undefined
  let secret: string | undefined
  await carry(one, '/api/v1/exchange-to-pro', gb, (url) => {
    last = url
    secret ??= one.cookies.get(pro)?.get('__Host-exchange')
  })
  assert.ok(last && secret)
  assert.ok(last.searchParams.get('token'))
  const replaying = testBrowser(gateway)
  replaying.cookies.set(pro, new Map([['__Host-exchange', secret]]))
  await replaying.ask(last.pathname + last.search, { host: pro })
  assert.deepEqual(await replaying.session(pro), {}, 'used once')

  // A35: an attacker's token, in the address of a link that a victim follows.
  let fresh: URL | undefined
  const attacker = await signedIn()
  let reply = await attacker.ask('/api/v1/exchange-to-pro', { host: gb })
  while (!reply.location.includes('token=')) {
    const url = new URL(reply.location)
    reply = await attacker.ask(url.pathname + url.search, { host: url.host })
  }
  fresh = new URL(reply.location)
  const victim = testBrowser(gateway)
  await victim.ask(fresh.pathname + fresh.search, { host: pro })
  assert.deepEqual(await victim.session(pro), {})
  await victim.ask('/api/v1/exchange-to-pro', { host: pro })
  await victim.ask(fresh.pathname + fresh.search, { host: pro })
  assert.deepEqual(await victim.session(pro), {}, 'a secret of their own does not fit')

  const elsewhere = await signedIn()
  const { json } = await elsewhere.post('/api/v1/exchange-to-pro', {})
  const wrong = await testBrowser(gateway).ask('/api/v1/exchange-to-b2c', {
    method: 'POST',
    headers: { 'x-exchange-token': String(json['token']) },
  })
  assert.equal(wrong.status, 401)
})

test('A35 A38: a link with a token for nobody’s cookie signs no browser in, and what its guest has collected stays there', async () => {
  const attacker = await signedIn()
  const constant = createHash('sha256').update('').digest('base64url')
  const link = await attacker.ask(`/api/v1/exchange-to-pro?challenge=${constant}&callbackUrl=/cart`)
  assert.equal(new URL(link.location).searchParams.get('token'), null, 'no token for a browser without a cookie')
  // Even with a token of such a challenge.
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from accounts.session where customer_id is not null order by created_at desc limit 1',
  )
  const token = 'a'.repeat(43)
  await database.pool.query(`insert into auth.exchange_token (id, session_id, target_host, challenge) values ($1, $2, $3, $4)`, [
    createHash('sha256').update(token).digest('base64url'),
    rows[0]?.id,
    pro,
    constant,
  ])
  for (const cookie of [undefined, '']) {
    const victim = testBrowser(gateway)
    await victim.graphql('mutation { addToCart(offerId: "301", quantity: 3) { refusal { reason } } }', pro)
    if (cookie !== undefined) victim.cookies.get(pro)?.set('__Host-exchange', cookie)
    const reply = await victim.ask(`/api/v1/exchange-to-pro?token=${token}&callbackUrl=/cart`, {
      host: pro,
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    assert.match(reply.location, /\/login\?/)
    assert.deepEqual(await victim.session(pro), {})
    const cart = await victim.graphql<{ cart: { itemCount: number } }>('{ cart { itemCount } }', pro)
    assert.equal(cart.data?.cart.itemCount, 3)
  }
})

test('A35: a transfer never replaces another person who is signed in on the target host', async () => {
  const one = await signedIn()
  provider.person = somebody({ company_name: 'Lee Ltd' })
  await one.signIn(pro, { provider: 'keycloak-b2b' })
  const before = await one.session(pro)
  assert.notEqual(before.user?.id, (await one.session()).user?.id)
  const { location } = await carry(one, '/api/v1/exchange-to-pro?callbackUrl=/cart', gb)
  assert.equal(location, `http://${pro}/cart`)
  assert.deepEqual((await one.session(pro)).user, before.user)
})

test('R-533: an app passes the token in a header, once and within a minute', async () => {
  const one = await signedIn()
  const made = await one.post('/api/v1/exchange-to-pro', {})
  assert.deepEqual([made.status, made.json['header'], made.json['origin']], [201, 'x-exchange-token', `http://${pro}`])
  const redeem = (token: string) => {
    const webview = testBrowser(gateway)
    return webview
      .ask('/api/v1/exchange-to-pro', { host: pro, method: 'POST', headers: { 'x-exchange-token': token } })
      .then((reply) => ({ webview, reply }))
  }
  const { webview, reply } = await redeem(String(made.json['token']))
  assert.equal(reply.status, 200)
  assert.equal((await webview.session(pro)).user?.id, (await one.session()).user?.id)
  assert.equal((await redeem(String(made.json['token']))).reply.status, 401)
  const late = await one.post('/api/v1/exchange-to-pro', {})
  await database.pool.query(`update auth.exchange_token set expires_at = now() - interval '1 second'`)
  assert.equal((await redeem(String(late.json['token']))).reply.status, 401)
  for (const token of ['', 'x', 'x'.repeat(43)]) assert.equal((await redeem(token)).reply.status, 401)
})

test('A34: an app token is issued only to signed-in customers, and only to our own pages', async () => {
  assert.equal((await testBrowser(gateway).post('/api/v1/exchange-to-pro', {})).status, 401)
  const one = await signedIn()
  assert.equal(
    (await one.post('/api/v1/exchange-to-pro', {}, { headers: { 'sec-fetch-site': 'same-site', origin: `http://${pro}` } })).status,
    403,
  )
})

test('A37 tokens of one person are limited, in an app and in browsers together, whatever the network; others have their own', async () => {
  const one = await signedIn()
  const limit = quotas.exchange.customer.units
  const challenge = createHash('sha256').update('a'.repeat(43)).digest('base64url')
  const byApp = async () => (await one.post('/api/v1/exchange-to-pro', {})).status
  const byBrowser = async () => (await one.ask(`/api/v1/exchange-to-pro?challenge=${challenge}`)).status
  const statuses: number[] = []
  for (let n = 0; n < limit; n++) statuses.push(await (n % 2 === 0 ? byApp() : byBrowser()))
  assert.deepEqual(new Set(statuses), new Set([201, 302]))
  assert.deepEqual([await byApp(), await byBrowser()], [429, 429])
  assert.equal((await (await signedIn()).post('/api/v1/exchange-to-pro', {})).status, 201)
})

test('of ten concurrent redemptions of one token exactly one succeeds', async () => {
  const one = await signedIn()
  const { json } = await one.post('/api/v1/exchange-to-pro', {})
  const headers = { 'x-exchange-token': String(json['token']) }
  const all = await Promise.all(
    Array.from({ length: 10 }, () => testBrowser(gateway).ask('/api/v1/exchange-to-pro', { host: pro, method: 'POST', headers })),
  )
  assert.equal(all.filter(({ status }) => status === 200).length, 1)
})

test('A38: signing out on one storefront ends the session on the other, and a token issued before is worthless', async () => {
  const one = await signedIn()
  await carry(one, '/api/v1/exchange-to-pro', gb)
  const { json } = await one.post('/api/v1/exchange-to-pro', {})
  await one.post('/api/v1/logout', { no_redirect: 'true' }, { host: pro })
  assert.deepEqual([await one.session(), await one.session(pro)], [{}, {}])
  const late = await testBrowser(gateway).ask('/api/v1/exchange-to-pro', {
    host: pro,
    method: 'POST',
    headers: { 'x-exchange-token': String(json['token']) },
  })
  assert.equal(late.status, 401)
})

test('a refresh on one storefront keeps the session on the other', async () => {
  const one = await signedIn()
  await carry(one, '/api/v1/exchange-to-pro', gb)
  assert.equal((await one.update({ type: 'refresh' }, pro)).json['error'], undefined)
  assert.equal((await one.update({ type: 'refresh' })).json['error'], undefined)
  assert.ok((await one.session(pro)).user)
})

test('R-261 R-535: the app opens its webview with a token in the header, and the page below /webview belongs to its customer', async () => {
  const one = await signedIn()
  const { json } = await one.post('/api/v1/exchange-to-b2c', {})
  const headers = { 'x-exchange-token': String(json['token']) }
  const webview = testBrowser(gateway)
  const opened = await webview.ask('/api/auth/webview?callbackUrl=/orders', { headers })
  assert.equal(opened.location, `http://${gb}/webview/orders`)
  assert.equal((await webview.session()).user?.id, (await one.session()).user?.id)
  // Used, of another host, or in the address, it signs nobody in.
  const again = testBrowser(gateway)
  const replayed = await again.ask('/api/auth/webview?callbackUrl=/orders', { headers })
  assert.equal(replayed.location, `http://${gb}/webview/login?callbackUrl=%2Fwebview%2Forders`)
  const other = String((await one.post('/api/v1/exchange-to-pro', {})).json['token'])
  await again.ask('/api/auth/webview', { headers: { 'x-exchange-token': other } })
  const own = String((await one.post('/api/v1/exchange-to-b2c', {})).json['token'])
  const linked = await again.ask(`/api/auth/webview?callbackUrl=/orders&token=${own}&x-exchange-token=${own}`)
  assert.equal(linked.location, `http://${gb}/webview/orders`)
  assert.deepEqual(await again.session(), {})
})

test('R-261: the webview opens pages of this shop alone', async () => {
  for (const callbackUrl of ['//evil.example', 'https://evil.example/x', '/api/v1/logout', '/\\evil.example', ''])
    assert.equal(
      (await testBrowser(gateway).ask(`/api/auth/webview?callbackUrl=${encodeURIComponent(callbackUrl)}`)).location,
      `http://${gb}/webview/`,
      callbackUrl,
    )
})
