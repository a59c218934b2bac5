import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reachOf, actions as table, isAnonymous, type Action } from '@purlin/contract/actions.ts'
import { findSession, sessionIdOf } from '#accounts'
import { addToCart, loadPricedCart, readCart } from '#cart'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import { settings } from '#platform'
import { testDatabase } from '#platform/testing'
import type { CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, companiesIn, fillShop, must, newBuyer, type Colleague } from '../checkout/testing.ts'
import { writeQuotedPrices } from '../../goods/conditions/quoted-prices.ts'
import { testCredit } from '../credit/testing.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { readOrderReference } from '../purchasing/reference-store.ts'
import { priceAndUnit, unitPriceOf } from './basket.ts'
import { hookUrlOf } from './credential.ts'
import { createCredential, dropCredential } from './manage-credentials.ts'
import { cxmlCaller, cxmlDocument as document, cxmlItem as item, cxmlOrder, cxmlSetup as setup, orderIdIn as idIn } from './testing.ts'
import { parseXml } from './xml.ts'

/** A purchasing system that knows OCI and cXML alone, against the gateway. */

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)
let credit: CreditProviderServer

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '8001', price: 120_00, proPrice: 120_00, stock: 1000 })
  await addOffer(database, { id: '8002', price: 12_00, proPrice: 12_00, stock: 5 })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  credit = await testCredit(gateway.url)
})
after(() => credit.close())

const credentialOf = async (admin: Colleague, protocol: 'oci' | 'cxml', member = admin) =>
  must(await admin.does((scope) => createCredential(scope, { name: 'SAP', protocol, memberId: member.principal.id })))

interface Sent {
  host?: string
  headers?: Record<string, string>
}
async function send(path: string, body: string, { host = 'pro.gb.localhost', headers = {} }: Sent = {}) {
  const response = await gateway.app.inject({ method: 'POST', url: path, headers: { host: `${host}:3000`, ...headers }, payload: body })
  return { status: response.statusCode, headers: response.headers, body: response.body }
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const xml = { host: 'pro.gb.localhost:3000', 'content-type': 'text/xml' }
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const hook = 'https://srm.buyer.example/sap/bc/return?session=7&x=<">'

const callOci = (fields: Record<string, string>, sent: Sent = {}) =>
  send('/api/v1/punch-out/oci', form({ HOOK_URL: hook, '~OkCode': 'ADDI', '~TARGET': '_top', ...fields }), {
    ...sent,
    headers: { ...urlencoded, origin: 'https://srm.buyer.example', 'sec-fetch-site': 'cross-site', ...sent.headers },
  })
const tokenIn = (url: unknown) => /\/punch-out\/start\/([\w-]{43})$/.exec(String(url))?.[1] ?? ''
const own = { ...urlencoded, origin: 'http://pro.gb.localhost:3000', 'sec-fetch-site': 'same-origin' }
const start = (token: string, sent: Sent = {}) =>
  send('/api/v1/punch-out/start', form({ token }), { ...sent, headers: { ...own, ...sent.headers } })

async function enterBy(token: string): Promise<string> {
  const entered = await start(token)
  assert.deepEqual([entered.status, entered.headers.location], [303, '/'])
  return String(entered.headers['set-cookie']).split(';')[0] ?? ''
}
type Query = Record<string, never>
async function ask(cookie: string, query: string, host = 'pro.gb.localhost'): Promise<{ data: Query | null; errors?: unknown[] }> {
  const answer = await gateway.execute({ query, headers: { host: `${host}:3000`, cookie } })
  return structuredClone(JSON.parse(JSON.stringify(answer))) as { data: Query | null; errors?: unknown[] }
}

const callCxml = cxmlCaller(gateway)
const order = (number: string, items: string, city?: string) => cxmlOrder(number, items, { ...(city !== undefined && { city }) })
test('OCI: a buyer comes in by a form, fills a basket with the company’s prices, and takes it back as NEW_ITEM fields', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'oci')
  const called = await callOci({ USERNAME: identity, PASSWORD: secret })
  assert.equal(called.status, 303, called.body)
  const token = tokenIn(called.headers.location)
  const shown = await ask('', `{ punchOutStart(token: "${token}") { companyName returnsTo } }`)
  assert.deepEqual(shown.data, { punchOutStart: { companyName: 'Lee Building Ltd', returnsTo: 'srm.buyer.example' } })
  const cookie = await enterBy(token)
  assert.deepEqual((await ask(cookie, '{ punchOutForm { url } }')).data, { punchOutForm: null }, 'nothing in it yet')
  const session = await findSession(db, sessionIdOf(cookie.split('=')[1] ?? '') ?? '', 'b2b')
  const shopper = newBuyer(database, { principal: session!.principal, session: { id: session!.id }, market: 'gb', mode: 'b2b' })
  must(await shopper.does((scope) => addToCart(scope, { offerId: '8001', quantity: 3 })))
  const { data } = await ask(cookie, '{ punchOutReturn { returnsTo } punchOutForm { url fields { name value } } }')
  const { url, fields } = (data as unknown as { punchOutForm: { url: string; fields: { name: string; value: string }[] } }).punchOutForm
  assert.equal(url, new URL(hook).href)
  const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  assert.deepEqual(
    [sent['~OkCode'], sent['~Target'], sent['NEW_ITEM-VENDORMAT[1]'], sent['NEW_ITEM-QUANTITY[1]'], sent['NEW_ITEM-CURRENCY[1]']],
    ['ADDI', '_top', '8001', '3.000', 'GBP'],
  )
  assert.deepEqual([sent['NEW_ITEM-PRICE[1]'], sent['NEW_ITEM-PRICEUNIT[1]'], sent['NEW_ITEM-UNIT[1]']], ['100.000', '1', 'EA'])
  assert.equal((await readCart(db, `c:${admin.principal.id}:pro`, 'gb')).lines.length, 0, 'the member’s own basket is another')
})

test('a visit can do nothing but shop: no order, no account, no other storefront, and nothing after the credential is revoked', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'oci')
  const cookie = await enterBy(tokenIn((await callOci({ USERNAME: identity, PASSWORD: secret })).headers.location))
  const id = sessionIdOf(cookie.split('=')[1] ?? '') ?? ''
  const principal = (await findSession(db, id, 'b2b'))!.principal
  assert.equal(principal.kind === 'member' && principal.punchOut, id)
  const allowed = (Object.keys(table) as Action[]).filter(
    (action) => !isAnonymous(action) && reachOf(principal, action as never, 'gb') !== null,
  )
  assert.deepEqual(allowed.toSorted(), [
    'cart.change',
    'cart.see',
    'checkout.see',
    'history.see',
    'pro.see',
    'punch-out.return',
    'quick-order.use',
    'wishlist.change',
    'wishlist.see',
    'your-price.see',
  ])
  for (const query of ['{ myOrders { total } }', '{ myCompany { name } }', '{ myAddresses { id } }', '{ punchOutCredentials { origin } }'])
    assert.ok((await ask(cookie, query)).errors, query)
  assert.equal(await findSession(db, id, 'b2c'), null, 'unknown to the consumers’ shop')
  const exchanged = await gateway.app.inject({ url: '/api/v1/exchange-to-b2c', headers: { host: 'pro.gb.localhost:3000', cookie } })
  assert.ok(!String(exchanged.headers['set-cookie'] ?? '').includes('__Host-purlin='), 'no session of the member')
  assert.equal((await ask(cookie, '{ punchOutReturn { returnsTo } }', 'pro.fr.localhost')).data?.['punchOutReturn'], null)

  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [admin.principal.id])
  assert.equal((await findSession(db, id, 'b2b'))?.principal.kind, 'guest', 'never the member without the company')
  await pool.query('update accounts.membership set ended_at = null where customer_id = $1', [admin.principal.id])
  const { rows } = await pool.query('select id from punchout.credential where identity = $1', [identity])
  assert.equal((await admin.does((scope) => dropCredential(scope, String(rows[0].id)))).ok, true)
  assert.equal(await findSession(db, id, 'b2b'), null)
  assert.equal((await callOci({ USERNAME: identity, PASSWORD: secret })).status, 401)
})

test('start links work once, for ten minutes, on their own storefront and from our own page', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'oci')
  const token = async () => tokenIn((await callOci({ USERNAME: identity, PASSWORD: secret })).headers.location)
  const one = await token()
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await start(one, { headers: foreign })).status, 403, 'nobody is signed in from elsewhere')
  const neighbours = { origin: 'http://gb.localhost:3000', 'sec-fetch-site': 'same-site' }
  assert.equal((await start(one, { headers: neighbours })).status, 403, 'nor from a neighbouring host')
  assert.equal((await start(one, { headers: { 'sec-fetch-site': 'none' } })).status, 403)
  const bare = await send('/api/v1/punch-out/start', form({ token: one }), { headers: urlencoded })
  assert.equal(bare.status, 403, 'nor by a request that names no page')
  assert.equal((await start(one, { host: 'gb.localhost' })).status, 404, 'not in the consumers’ shop')
  const over = '/punch-out/start/over'
  assert.equal((await start(one, { host: 'pro.fr.localhost', headers: { origin: 'http://pro.fr.localhost:3000' } })).headers.location, over)
  await Promise.all([start(one), start(one)]).then((both) => {
    assert.deepEqual(both.map(({ headers }) => headers.location).toSorted(), ['/', over], 'replayed at the same moment')
  })
  assert.equal((await start(one)).headers.location, over)
  const late = await token()
  await pool.query(`update punchout.visit set token_expires_at = now() - interval '1 second' where session_id is null`)
  assert.equal((await start(late)).headers.location, over)
  const demoted = await token()
  await pool.query(`update accounts.membership set role = 'viewer' where customer_id = $1`, [admin.principal.id])
  assert.equal((await start(demoted)).headers.location, over, 'nor by who may not order any more')
  await pool.query(`update accounts.membership set role = 'admin' where customer_id = $1`, [admin.principal.id])
  assert.equal((await start(demoted)).headers.location, '/', 'until they may again')
  assert.deepEqual((await ask('', `{ punchOutStart(token: "${late}") { returnsTo } }`)).data, { punchOutStart: null })
})

test('wrong credentials, other protocols, roles that cannot order, and addresses that are none are refused', async () => {
  const company = await newCompany()
  const [admin, viewer] = [await join(company, 'admin'), await join(company, 'viewer')]
  const stranger = await join(await newCompany(), 'buyer')
  const asked = (memberId: string, name = 'SAP') => admin.does((scope) => createCredential(scope, { name, protocol: 'oci', memberId }))
  for (const who of [viewer, stranger]) assert.equal(((await asked(who.principal.id)) as { reason?: string }).reason, 'member-cannot-order')
  assert.equal(((await asked(admin.principal.id, ' ')) as { reason?: string }).reason, 'name-invalid')
  const { identity, secret } = await credentialOf(admin, 'oci')
  const stored = await pool.query('select * from punchout.credential where identity = $1', [identity])
  assert.ok(!JSON.stringify(stored.rows[0]).includes(secret))
  assert.equal((await callOci({ USERNAME: identity, PASSWORD: `${secret}x` })).status, 401)
  assert.equal((await callOci({ USERNAME: identity, PASSWORD: secret }, { host: 'gb.localhost' })).status, 404)
  assert.equal((await callOci({ USERNAME: identity, PASSWORD: secret }, { host: 'pro.fr.localhost' })).status, 401, 'of another market')
  assert.equal((await callCxml(document(identity, secret, setup()))).code, 401, 'a credential is for one protocol')
  const ours = ['http://gb.localhost:3000/', 'http://pro.de.localhost:3000/', settings().identity.url]
  for (const url of ['javascript:alert(1)', ...ours])
    assert.equal((await callOci({ USERNAME: identity, PASSWORD: secret, HOOK_URL: url })).status, 400, url)
  await pool.query(`update accounts.membership set role = 'viewer' where customer_id = $1`, [admin.principal.id])
  assert.equal((await callOci({ USERNAME: identity, PASSWORD: secret })).status, 401, 'its member no longer orders')
})

test('a field of a form that no database can store is refused, and a cut one stays whole', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'oci')
  const fields = { USERNAME: identity, PASSWORD: secret }
  for (const name of ['USERNAME', 'PASSWORD', 'HOOK_URL', '~OkCode', '~Target', 'returntarget', 'anything']) {
    const { status, body } = await callOci({ ...fields, [name]: 'a\0' })
    assert.equal(status, 400, `${name}: ${body}`)
  }
  assert.equal((await start('a\0')).status, 400)
  assert.equal((await callOci({ ...fields, '~OkCode': `${'a'.repeat(199)}🔩` })).status, 303)
})

test('calls of one network are counted before their documents are read', async () => {
  const call = async () =>
    (await gateway.app.inject({ method: 'POST', url: '/api/v1/punch-out/cxml', remoteAddress: '203.0.113.7', headers: xml, payload: '<a' }))
      .body
  for (let calls = 0; calls < 300; calls++) assert.match(await call(), /<Status code="400"/)
  assert.match(await call(), /<Status code="560"/)
})

test('a basket goes to https addresses alone, and to this machine where the shop itself is served so', () => {
  const live = 'https://pro.purlin.example'
  const ownOrigins = [
    live,
    'https://www.purlin.example',
    'https://pro.purlin-shop.fr',
    'https://id.purlin.example',
    'http://localhost:3000',
  ]
  const cases: [string, string, boolean][] = [
    ['https://www.purlin.example/cart', live, false],
    ['https://pro.purlin-shop.fr/', live, false],
    ['https://id.purlin.example/realms/purlin', live, false],
    ['https://PRO.Purlin.Example./cart', live, false],
    ['https://pro.purlin.example:8443/', live, false],
    ['https://srm.purlin.example/', live, true],
    ['http://localhost:3000/', 'http://pro.gb.localhost:3000', false],
    ['https://srm.example/a?b=1', live, true],
    ['http://srm.example/', live, false],
    ['http://localhost:8000/', live, false],
    ['http://localhost:8000/', 'http://pro.gb.localhost:3000', true],
    ['http://127.0.0.1:8000/', 'http://pro.gb.localhost:3000', true],
    ['http://localhost.evil.example/', 'http://pro.gb.localhost:3000', false],
    ['https://user:pass@srm.example/', live, false],
    ['https://pro.purlin.example/cart', live, false],
    ['javascript:alert(1)', live, false],
    ['data:text/html,x', live, false],
    ['//srm.example/', live, false],
    ["https://srm.example;script-src 'unsafe-inline'/", live, false],
    [`https://srm.example/${'x'.repeat(2000)}`, live, false],
  ]
  for (const [given, origin, isTaken] of cases) assert.equal(hookUrlOf(given, { origin, ownOrigins }) !== null, isTaken, given)
})

test('documents with entities of their own, without end or without bound are no documents', () => {
  assert.equal(parseXml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'), null)
  assert.equal(parseXml('<a>&x;</a>'), null)
  assert.equal(parseXml('<a><b></a>'), null)
  assert.equal(parseXml('<a>'.repeat(40) + '</a>'.repeat(40)), null)
  assert.equal(parseXml(`<a>${'<b/>'.repeat(20_001)}</a>`), null)
  assert.equal(parseXml('<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/cXML.dtd"><cXML>a &amp; b</cXML>')?.text, 'a & b')
})

test('cXML: profile, set-up, an edited basket, and the message that takes it back', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'cxml')
  const profile = await callCxml(document(identity, secret, '<ProfileRequest/>'))
  assert.match(profile.body, /requestName="OrderRequest"/)
  const answer = await callCxml(document(identity, secret, setup('edit', item('8001', 2) + item('404', 1))))
  assert.equal(answer.code, 200, answer.body)
  const token = tokenIn(/<StartPage><URL>([^<]+)</.exec(answer.body)?.[1])
  const cookie = await enterBy(token)
  const { data } = await ask(cookie, '{ punchOutForm { url fields { name value } } }')
  const { url, fields } = (data as unknown as { punchOutForm: { url: string; fields: { name: string; value: string }[] } }).punchOutForm
  assert.deepEqual([url, fields[0]?.name], ['https://buyer.example/cxml?a=1&b=2', 'cxml-base64'])
  const message = Buffer.from(fields[0]?.value ?? '', 'base64').toString('utf8')
  assert.ok(parseXml(message))
  assert.match(message, /<BuyerCookie>cookie-1<\/BuyerCookie>/)
  assert.match(message, /<ItemIn quantity="2"><ItemID><SupplierPartID>8001<\/SupplierPartID>/)
  assert.match(message, /<UnitPrice><Money currency="GBP">100\.000<\/Money>/)
  assert.equal((await callCxml(document(identity, secret, setup('inspect')))).code, 450)
  assert.equal((await callCxml(document(identity, secret, setup('create', '', 'http://buyer.example/')))).code, 400)
  assert.equal((await callCxml(document(identity, secret, '<StatusUpdateRequest/>'))).code, 450)
  assert.equal((await callCxml('no document')).code, 400)
  assert.equal((await callCxml(document(identity, `${secret}x`, setup()))).code, 401)
})

test('an order by cXML is paid by invoice in the member’s name, once, and leaves the member’s own basket alone', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'cxml')
  must(await admin.does((scope) => addToCart(scope, { offerId: '8002', quantity: 1 })))
  const sent = () => callCxml(document(identity, secret, order('4500001', item('8001', 2))))
  const [one, two] = await Promise.all([sent(), sent()])
  assert.deepEqual([one.code, two.code], [201, 201], one.body + two.body)
  assert.match(one.body, /waits until its invoice is accepted/)
  const id = idIn(one.body)
  assert.equal(idIn(two.body), id, 'the same order')
  assert.equal(idIn((await sent()).body), id)
  const placed = await readOrder(db, id)
  assert.deepEqual([placed?.owner, placed?.state, placed?.total], [`c:${admin.principal.id}`, 'awaiting-payment', 240_00])
  assert.equal((await readOrderReference(db, id))?.purchaseOrder, '4500001')
  const { lines } = await readCart(db, `c:${admin.principal.id}:pro`, 'gb')
  assert.deepEqual(
    lines.map(({ offerId }) => offerId),
    ['8002'],
  )
  assert.equal((await callCxml(document(identity, secret, order('4500001', item('8001', 3))))).code, 409)
})

test('an order beyond a budget waits for an approval; one at another price, quantity or address is refused and leaves nothing', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 150 })))
  const { identity, secret } = await credentialOf(admin, 'cxml', buyer)
  const sent = (number: string, items: string, address?: string) => callCxml(document(identity, secret, order(number, items, address)))
  const waiting = await sent('1', item('8001', 2))
  assert.equal(waiting.code, 201, waiting.body)
  const { rows } = await pool.query('select state, note from purchasing.approval where company_id = $1', [company.id])
  assert.deepEqual(rows, [{ state: 'pending', note: '1' }])
  assert.equal(idIn((await sent('1', item('8001', 2))).body), idIn(waiting.body))
  assert.equal((await sent('2', item('8001', 1, '99.98'))).code, 417, 'cheaper than it is')
  assert.equal((await sent('2', item('8001', 1, '100.02'))).code, 417, 'dearer than it is, as the price fell')
  assert.equal((await sent('3', item('8002', 6, '10.00'))).code, 417, 'more than there is')
  assert.equal((await sent('4', item('8001', 1), '')).code, 417, 'no town')
  assert.equal((await sent('5', item('8001', 1, '100.00', 'EUR'))).code, 417)
  assert.equal((await sent('6', item('8001', 1.5))).code, 400)
  const taken = await pool.query('select order_number from punchout.order_request where company_id = $1', [company.id])
  assert.deepEqual(taken.rows, [{ order_number: '1' }], 'a refused number may be sent again')
  assert.match((await sent('2', item('8001', 1))).body, /code="201"[^]*waits until its invoice is accepted/)
})

test('an order of exactly the quantity of the member’s own accepted quote is placed at the company’s price, and leaves the quote', async () => {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const { identity, secret } = await credentialOf(admin, 'cxml')
  await writeQuotedPrices(db, {
    quoteId: '0198c0de-0000-7000-8000-0000000000aa',
    sellerId: 5,
    customerId: admin.principal.id,
    companyId: company.id,
    market: 'gb',
    delivery: 0,
    validUntil: new Date('2027-12-31T00:00:00Z'),
    lines: [{ offerId: '8001', quantity: 2, price: 96_00 }],
  })
  must(await admin.does((scope) => addToCart(scope, { offerId: '8001', quantity: 2 })))
  const quoted = await loadPricedCart(admin.scope())
  assert.equal(quoted.sellers[0]?.lines[0]?.total, 192_00, 'in the shop the quote counts')
  const placed = await callCxml(document(identity, secret, order('4600001', item('8001', 2))))
  assert.equal(placed.code, 201, placed.body)
  assert.equal((await readOrder(db, idIn(placed.body)))?.total, 240_00)
  const { rows } = await pool.query(`select order_id from conditions.quoted_price where customer_id = $1`, [admin.principal.id])
  assert.deepEqual(rows, [{ order_id: null }])
})

test('a price of many pieces is as exact as their line: by more decimals in cXML, by the price of all of them in OCI', () => {
  for (const [net, quantity, cxml, oci] of [
    [1000, 3, '3.333', { price: '3.333', unit: 1 }],
    [542_221, 24, '225.9254', { price: '5422.210', unit: 24 }],
    [100_000_01, 9999, '10.001001', { price: '100000.010', unit: 9999 }],
  ] as const) {
    assert.equal(unitPriceOf({ net, quantity }), cxml)
    assert.deepEqual(priceAndUnit({ net, quantity }), oci)
  }
})

test('calls of one credential are counted', async () => {
  const admin = await join(await newCompany(), 'admin')
  const { identity, secret } = await credentialOf(admin, 'cxml')
  let code = 200
  for (let call = 0; call < 130 && code === 200; call++) code = (await callCxml(document(identity, secret, '<ProfileRequest/>'))).code
  assert.equal(code, 560)
})
