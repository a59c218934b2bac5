import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { limitsOf } from '../../foundation/platform/quota-limits.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { maxLists } from '../../goods/conditions/give-price-list.ts'
import { readOffersWithRules } from '../../goods/conditions/store.ts'
import { addKey, caller } from './testing.ts'

/** Price lists that sellers give to companies, through their API, as members of those companies then meet them. */

const database = await testDatabase()
const { db } = database
await fillShop(database)
const gateway = await testGateway(database.pool)
const seller = caller(gateway.url, (await addKey(db, 1)).key)
const another = caller(gateway.url, (await addKey(db, 2)).key)
const pro = 'pro.gb.localhost'

async function member() {
  const company = await addCompany(db)
  const { id } = await addCustomer(db)
  await addMembership(db, id, company.id, 'buyer')
  const { token } = await signIn(db, { customerId: id, companyId: company.id, family: 'b2b' })
  return { company, host: pro, cookie: `__Host-purlin=${token}`, customerId: id }
}
type Someone = { host: string; cookie?: string }
const ask = async (who: Someone, query: string, variables: object = {}) => {
  const { body, cookie } = await gateway.post(query, variables, who)
  const { data, errors } = body as { data: Record<string, unknown>; errors?: object }
  assert.equal(errors, undefined, JSON.stringify(errors))
  return { data, cookie }
}
const yours = async (who: Someone, ...offerIds: string[]) =>
  (
    (await ask(who, 'query ($ids: [ID!]!) { yourPrices(offerIds: $ids) { offerId price } }', { ids: offerIds })).data['yourPrices'] as {
      offerId: string
      price: string
    }[]
  ).map(({ offerId, price }) => [offerId, price])
const hasYours = async (who: Someone) => (await ask(who, '{ site { hasYourPrices } }')).data['site']
const cartOf = async (who: Someone, offerId: string, quantity: number) => {
  const added = await ask(who, 'mutation ($id: ID!, $n: Int!) { addToCart(offerId: $id, quantity: $n) { refusal { reason } } }', {
    id: offerId,
    n: quantity,
  })
  const buyer = { ...who, cookie: [who.cookie, added.cookie].filter(Boolean).join('; ') }
  const { data } = await ask(buyer, '{ cart { sellers { lines { offerId state isYourPrice totalWithVat { amount } } } } }')
  const { sellers } = data['cart'] as {
    sellers: { lines: { offerId: string; state: string; isYourPrice: boolean; totalWithVat: { amount: number } }[] }[]
  }
  const line = sellers.flatMap(({ lines }) => lines).find((each) => each.offerId === offerId)
  return [line?.state, line?.isYourPrice, line?.totalWithVat.amount]
}
const list = (more: object) => ({ market: 'gb', name: 'Frame contract', ...more })

await addOffer(database, { id: '4101', price: 1200, proPrice: 1100 })
await addOffer(database, { id: '4102', price: 2000 })
await addOffer(database, { id: '4103', price: 2000, sellerId: 2 })

test('a price of a list applies to the company’s members: by the page’s query and in the cart; nobody else has it', async () => {
  const roofer = await member()
  const rival = await member()
  assert.deepEqual(await hasYours(roofer), { hasYourPrices: false })
  const given = await seller(
    'POST',
    '/price-lists',
    list({ companies: [{ companyId: roofer.company.id }], rules: [{ productId: '4101', price: 900 }] }),
  )
  assert.equal(given.status, 201)
  assert.deepEqual(await hasYours(roofer), { hasYourPrices: true })
  assert.deepEqual(await yours(roofer, '4101', '4102', '4103'), [['4101', '£9.00']])
  assert.deepEqual(await cartOf(roofer, '4101', 2), ['OK', true, 1800])
  for (const other of [rival, { host: pro }, { host: 'localhost' }]) {
    assert.deepEqual(await hasYours(other), { hasYourPrices: false })
    if ('cookie' in other) assert.deepEqual(await yours(other, '4101'), [])
    assert.deepEqual((await cartOf(other, '4101', 2))[1], false)
  }
  // The same member as a consumer.
  const { token } = await signIn(db, { customerId: roofer.customerId, family: 'b2c' })
  const consumer = { host: 'localhost', cookie: `__Host-purlin=${token}` }
  assert.deepEqual(await cartOf(consumer, '4101', 2), ['OK', false, 2400])
})

test('a percentage covers a category with its descendants, in the seller’s own offers alone, and takes the group along', async () => {
  const { company, ...buyer } = await member()
  const group = await seller('POST', '/company-groups', { name: 'Roofers', companies: [] })
  const groupId = String(group.body['id'])
  assert.equal((await seller('POST', '/price-lists', list({ groups: [groupId], rules: [{ categoryId: 1, percentBp: 1000 }] }))).status, 201)
  assert.deepEqual(await yours(buyer, '4102'), [])
  assert.equal((await seller('PUT', `/company-groups/${groupId}/companies`, { companies: [{ companyId: company.id }] })).status, 200)
  assert.deepEqual(await yours(buyer, '4101', '4102', '4103'), [
    ['4101', '£9.90'],
    ['4102', '£18.00'],
  ])
  await seller('PUT', `/company-groups/${groupId}/companies`, { companies: [] })
  assert.deepEqual(await yours(buyer, '4102'), [])
})

test('V-01 V-11 a page reads the rules for its goods alone, however many lists a company has and however long they are', async () => {
  const buyer = await member()
  const companies = [{ companyId: buyer.company.id }]
  const ids = Array.from({ length: maxLists.ofCompany }, (_, n) => String(4700 + n))
  const unsold = Array.from({ length: 299 }, (_, n) => ({ productId: String(990_000 + n), price: 1 }))
  for (const id of ids) {
    await addOffer(database, { id, price: 1000 })
    const rules = [{ productId: id, price: 700 }, ...unsold, { categoryId: 999_999, percentBp: 9000 }]
    assert.equal((await seller('POST', '/price-lists', list({ companies, rules }))).status, 201)
  }
  // Sellers, categories and VAT rules are cached from here on.
  await yours(await member(), '4101')
  const { body, statements } = await gateway.post('query ($ids: [ID!]!) { yourPrices(offerIds: $ids) { price } }', { ids }, buyer)
  const { data } = body as { data: { yourPrices: { price: string }[] } }
  assert.deepEqual([data.yourPrices.map(({ price }) => price), statements], [ids.map(() => '£7.00'), 1])
  const { rules } = await readOffersWithRules(database.scope({ market: 'gb' }), buyer.company.id, ids.slice(0, 3))
  assert.deepEqual(
    rules.map(({ productId }) => productId),
    ids.slice(0, 3),
  )
})

const rules = [{ productId: '4101', price: 900 }]
const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()

test('V-11 a company has twenty price lists of a seller in a market at most, by itself and by its groups; other companies, sellers and ended lists do not count', async () => {
  const { company } = await member()
  const companies = [{ companyId: company.id }]
  const group = String((await seller('POST', '/company-groups', { name: 'Twenty', companies })).body['id'])
  const give = (more: object, by = seller) => by('POST', '/price-lists', list({ rules, ...more }))
  const first = await give({ companies })
  assert.equal((await give({ companies, validFrom: days(300) })).status, 201)
  for (let n = 2; n < 20; n++) assert.equal((await give(n % 2 ? { companies } : { groups: [group] })).status, 201)
  const code = async (more: object) => (await give(more)).body['code']
  for (const more of [{ companies }, { groups: [group] }, { companies, validFrom: days(200) }])
    assert.equal(await code(more), 'too-many-lists-of-company')
  assert.equal((await give({ companies: [{ companyId: (await member()).company.id }] })).status, 201)
  assert.equal((await give({ companies }, another)).status, 201)
  assert.equal((await give({ companies, market: 'fr' })).status, 201)
  await seller('POST', `/price-lists/${String(first.body['id'])}/end`)
  assert.equal((await give({ companies })).status, 201)
  // Nor does a group bring more.
  const { id } = (await seller('POST', '/company-groups', { name: 'One more', companies: [] })).body
  assert.equal((await give({ groups: [id] })).status, 201)
  const joined = await seller('PUT', `/company-groups/${String(id)}/companies`, { companies })
  assert.deepEqual([joined.status, joined.body['code']], [409, 'too-many-lists-of-company'])
  assert.equal((await seller('PUT', `/company-groups/${group}/companies`, { companies })).status, 200)
})

test('V-11 a company is in twenty groups of a seller at most', async () => {
  const companies = [{ companyId: (await member()).company.id }]
  const add = (n: number, by = seller) => by('POST', '/company-groups', { name: `Group ${n}`, companies })
  for (let n = 0; n < 20; n++) assert.equal((await add(n)).status, 201)
  assert.deepEqual((await add(20)).body['code'], 'too-many-groups-of-company')
  assert.equal((await add(20, another)).status, 201)
  const { id } = (await seller('POST', '/company-groups', { name: 'Empty', companies: [] })).body
  const joined = await seller('PUT', `/company-groups/${String(id)}/companies`, { companies })
  assert.deepEqual([joined.status, joined.body['code']], [409, 'too-many-groups-of-company'])
})

test('V-11 a seller with a list for each of a thousand companies can schedule next year’s; ten thousand in a market are the most', async () => {
  const { key } = await addKey(db, 77)
  const many = caller(gateway.url, key)
  const buyer = await member()
  const give = () => many('POST', '/price-lists', list({ companies: [{ companyId: buyer.company.id }], rules, validFrom: days(30) }))
  const add = (count: number) =>
    database.pool.query(
      `insert into conditions.price_list (id, seller_id, market, name, valid_from)
        select gen_random_uuid(), 77, 'gb', 'List', now() from generate_series(1, $1::int)`,
      [count],
    )
  await add(1999)
  assert.equal((await give()).status, 201)
  await add(maxLists.ofSeller - 2001)
  const last = await give()
  assert.equal(last.status, 201)
  const refused = await give()
  assert.deepEqual([refused.status, refused.body['code']], [409, 'too-many-lists'])
  await many('POST', `/price-lists/${String(last.body['id'])}/end`)
  assert.equal((await give()).status, 201)
})

test('V-11 rules of price lists have a quota by the day, taken before they are written; refused lists use none of it', async () => {
  const greedy = caller(gateway.url, (await addKey(db, 78)).key)
  const companies = [{ companyId: (await member()).company.id }]
  const long = Array.from({ length: 1000 }, (_, n) => ({ productId: String(990_000 + n), price: 1 }))
  const { limit } = limitsOf('price-list')[0] ?? assert.fail()
  // Five hundred lists of five hundred rules fit in a day.
  assert.ok(limit.units >= 500 * 600)
  await takeQuota('price-list', { key: '78' }, limit.units - 1099)
  // Before the work: what would be refused as well is not looked at.
  assert.equal((await greedy('POST', '/price-lists', list({ rules: long }))).status, 429)
  assert.equal((await greedy('POST', '/price-lists', list({ companies, rules: long }))).status, 429)
  await takeQuota('price-list', { key: '79' }, limit.units - 1100)
  const modest = caller(gateway.url, (await addKey(db, 79)).key)
  for (let n = 0; n < 3; n++) assert.equal((await modest('POST', '/price-lists', list({ rules: long }))).body['code'], 'list-for-nobody')
  assert.equal((await modest('POST', '/price-lists', list({ companies, rules: long }))).status, 201)
  assert.equal((await modest('POST', '/price-lists', list({ companies, rules }))).status, 429)
})

test('V-11 a list or a group refused because a company has too many uses up the quota; one refused earlier does not', async () => {
  const busy = caller(gateway.url, (await addKey(db, 80)).key)
  const companies = [{ companyId: (await member()).company.id }]
  const codes = async (count: number, call: () => ReturnType<typeof busy>) => {
    const results: unknown[] = []
    for (let n = 0; n < count; n++) results.push(await call().then(({ status, body }) => body['code'] ?? status))
    return results
  }
  const left = (name: 'price-list' | 'company-group', units: number) =>
    takeQuota(name, { key: '80' }, (limitsOf(name)[0] ?? assert.fail()).limit.units - units)
  const give = () => busy('POST', '/price-lists', list({ companies, rules }))
  const group = (members: object[]) => busy('POST', '/company-groups', { name: randomUUID(), companies: members })
  await codes(20, give)
  await codes(20, () => group(companies))
  await left('price-list', 23 * 101)
  assert.deepEqual(await codes(3, () => busy('POST', '/price-lists', list({ rules }))), Array(3).fill('list-for-nobody'))
  assert.deepEqual(await codes(4, give), [...Array<string>(3).fill('too-many-lists-of-company'), 'too-many-requests'])
  await left('company-group', 22 * 101 + 200)
  assert.deepEqual(await codes(3, () => group([{ companyId: randomUUID() }])), Array(3).fill('unknown-company'))
  assert.deepEqual(await codes(2, () => group(companies)), Array(2).fill('too-many-groups-of-company'))
  const { id } = (await group([])).body
  const replace = () => busy('PUT', `/company-groups/${String(id)}/companies`, { companies: [] })
  assert.deepEqual(await codes(2, replace), [200, 'too-many-requests'])
})

test('sellers’ lists for the same product apply to their own offers alone', async () => {
  await addOffer(database, { id: '4105', price: 1000 })
  await addOffer(database, { id: '4106', price: 1000, sellerId: 2 })
  await db.run({ name: 'test.same-product', text: 'update catalogue.offer set product_id = 4105 where id = 4106' })
  const buyer = await member()
  const companies = [{ companyId: buyer.company.id }]
  await seller('POST', '/price-lists', list({ companies, rules: [{ productId: '4105', price: 700 }] }))
  await another('POST', '/price-lists', list({ companies, rules: [{ productId: '4105', percentBp: 1000 }] }))
  assert.deepEqual(await yours(buyer, '4105', '4106'), [
    ['4105', '£7.00'],
    ['4106', '£9.00'],
  ])
  assert.deepEqual(await cartOf(buyer, '4106', 2), ['OK', true, 1800])
})

test('the prices for a page are read by the statement that finds the session', async () => {
  const { company, ...buyer } = await member()
  const rules = [{ productId: '4101', price: 900 }]
  assert.equal((await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
  // Sellers, categories and VAT rules are cached from here on.
  assert.deepEqual(await yours(buyer, '4101', '4102', '4103', 'none', '4101'), [['4101', '£9.00']])
  const { body, statements } = await gateway.post('{ yourPrices(offerIds: ["4101", "4102"]) { price } }', {}, buyer)
  assert.deepEqual([JSON.stringify(body), statements], ['{"data":{"yourPrices":[{"price":"£9.00"}]}}', 1])
})

test('prices are read with delivery unless a page says that it shows none', async () => {
  const { company, ...buyer } = await member()
  assert.equal((await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
  const deliveryOf = async (more = '') =>
    (await ask(buyer, `{ yourPrices(offerIds: ["4101"]${more}) { landedPrice { amount } delivery { kind } } }`)).data['yourPrices']
  assert.deepEqual(await deliveryOf(), [{ landedPrice: { amount: 1390 }, delivery: [{ kind: 'standard' }, { kind: 'express' }] }])
  assert.deepEqual(await deliveryOf(', withDelivery: false'), [{ landedPrice: null, delivery: null }])
})

test('a price of a list says whether it falls below its seller’s threshold for free delivery, which the public price reaches', async () => {
  // Of £50.00.
  for (const [id, price] of [
    ['4111', 6000],
    ['4112', 5000],
    ['4113', 4999],
  ] as const)
    await addOffer(database, { id, price })
  const losesAt = async (agreed: number) => {
    const { company, ...buyer } = await member()
    const rules = ['4111', '4112', '4113'].map((productId) => ({ productId, price: agreed }))
    assert.equal((await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
    const own = (await ask(buyer, '{ yourPrices(offerIds: ["4111", "4112", "4113"], withDelivery: false) { offerId losesFreeDelivery } }'))
      .data
    return (own['yourPrices'] as { offerId: string; losesFreeDelivery: boolean }[]).flatMap((each) =>
      each.losesFreeDelivery ? [each.offerId] : [],
    )
  }
  assert.deepEqual(await losesAt(4990), ['4111', '4112'])
  assert.deepEqual(await losesAt(5000), [])
  await addOffer(database, { id: '4114', price: 9000, sellerId: 2 })
  const { company, ...buyer } = await member()
  const rules = [{ productId: '4114', price: 900 }]
  assert.equal((await another('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
  const { data } = await ask(buyer, '{ yourPrices(offerIds: ["4114"]) { losesFreeDelivery } }')
  assert.deepEqual(data['yourPrices'], [{ losesFreeDelivery: false }], 'a seller without such a threshold')
})

test('a subscription whose benefits apply keeps the free delivery of a price below the threshold, and takes the fees off parcels', async () => {
  await addOffer(database, { id: '4115', price: 6000 })
  const { company, customerId, ...buyer } = await member()
  const rules = [{ productId: '4115', price: 4000 }]
  assert.equal((await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
  const seen = async () => {
    const query = '{ yourPrices(offerIds: ["4115"]) { losesFreeDelivery landedPrice { amount } delivery { text } } }'
    const [own] = (await ask(buyer, query)).data['yourPrices'] as {
      losesFreeDelivery: boolean
      landedPrice: { amount: number }
      delivery: { text: string }[]
    }[]
    return [own?.losesFreeDelivery, own?.landedPrice.amount, ...(own?.delivery ?? []).map(({ text }) => text)]
  }
  const [loses, landed, parcel, express] = await seen()
  assert.deepEqual([loses, Number(landed) > 4000], [true, true])
  assert.match(String(parcel), /£/)
  const subscribe = (paidUntil: string) =>
    database.pool.query(
      `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, due_at, created_at)
        values ($1, $2, $3, 'gb', 'http://pro.gb.localhost', 'active', 'monthly', false, now() + $4::interval, now(), now())
        on conflict (company_id) where state <> 'ended' do update set paid_until = excluded.paid_until`,
      [randomUUID(), company.id, customerId, paidUntil],
    )
  await subscribe('-9 days')
  assert.deepEqual(await seen(), [loses, landed, parcel, express], 'unpaid')
  await subscribe('9 days')
  const [isLost, free, freeParcel, paidExpress] = await seen()
  assert.deepEqual([isLost, free, paidExpress], [false, 4000, express])
  assert.match(String(freeParcel), /free/i)
})

test('15.5 a list with agreed prices costs one statement: the session with the prices and the number at the cart', async () => {
  const { company, ...buyer } = await member()
  const rules = [
    { productId: '4101', price: 900 },
    { categoryId: 1, percentBp: 500 },
  ]
  assert.equal((await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules }))).status, 201)
  const document = Object.values(knownDocuments).find((text) => /^query CartCountAndPrices\W/.test(text)) ?? ''
  const offerIds = ['4101', '4102', '4103']
  await gateway.post(document, { offerIds }, buyer)
  const { body, statements } = await gateway.post(document, { offerIds }, buyer)
  const { data } = body as { data: { yourPrices: { price: string }[]; site: { cartCount: number } } }
  assert.deepEqual(
    data.yourPrices.map(({ price }) => price),
    ['£9.00', '£19.00'],
  )
  assert.deepEqual([data.site.cartCount, statements], [0, 1])
})

test('15.5 rules of a list count no longer once it is replaced, and those of a long list count as well', async () => {
  const buyer = await member()
  const companies = [{ companyId: buyer.company.id }]
  const give = async (rules: object[]) => String((await seller('POST', '/price-lists', list({ companies, rules }))).body['id'])
  const end = (id: string) => seller('POST', `/price-lists/${id}/end`)
  const first = await give([{ productId: '4101', price: 900 }])
  for (let round = 0; round < 2; round++) assert.deepEqual(await yours(buyer, '4101', '4102'), [['4101', '£9.00']])
  await end(first)
  const second = await give([{ productId: '4101', price: 800 }])
  assert.deepEqual(await yours(buyer, '4101', '4102'), [['4101', '£8.00']])
  await end(second)
  assert.deepEqual(await yours(buyer, '4101', '4102'), [])
  const others = Array.from({ length: 298 }, (_, at) => ({ productId: String(700_000 + at), price: 500 }))
  for (const more of [[], [{ productId: '700999', price: 500 }]]) {
    const long = await give([...others, ...more, { categoryId: 1, percentBp: 1000 }, { productId: '4102', price: 1500 }])
    const short = await give([{ productId: '4102', percentBp: 3000 }])
    for (let round = 0; round < 2; round++)
      assert.deepEqual(await yours(buyer, '4101', '4102', '4103'), [
        ['4101', '£9.90'],
        ['4102', '£14.00'],
      ])
    assert.deepEqual(await cartOf(buyer, '4102', 1).then(([, isYours]) => isYours), true)
    await end(short)
    assert.deepEqual(await yours(buyer, '4102'), [['4102', '£15.00']])
    await end(long)
    assert.deepEqual(await yours(buyer, '4102'), [])
  }
})

test('prices do not add up: the lowest of public price, quantity break and rules applies', async () => {
  await addOffer(database, { id: '4104', price: 1000 })
  await seller('PUT', '/offers/gb/4104/quantity-breaks', { breaks: [{ group: 'b2b', from: 10, price: 700 }] })
  const buyer = await member()
  const companies = [{ companyId: buyer.company.id }]
  await seller('POST', '/price-lists', list({ companies, rules: [{ productId: '4104', percentBp: 2000 }] }))
  await seller('POST', '/price-lists', list({ companies, rules: [{ productId: '4104', price: 850 }] }))
  assert.deepEqual(await cartOf(buyer, '4104', 1), ['OK', true, 800])
  assert.deepEqual(await cartOf(buyer, '4104', 9), ['OK', false, 7000])
})

test('a list applies within its validity and until it is ended', async () => {
  const buyer = await member()
  const companies = [{ companyId: buyer.company.id }]
  const day = 86_400_000
  const at = (days: number) => new Date(Date.now() + days * day).toISOString()
  const rules = [{ productId: '4102', price: 1500 }]
  await seller('POST', '/price-lists', list({ companies, rules, validFrom: at(1), validTo: at(2) }))
  assert.deepEqual(await yours(buyer, '4102'), [])
  const over = await seller('POST', '/price-lists', list({ companies, rules, validFrom: at(-2), validTo: at(-1) }))
  assert.equal(over.body['code'], 'validity-invalid')
  const { body } = await seller('POST', '/price-lists', list({ companies, rules, validTo: at(1) }))
  assert.deepEqual(await yours(buyer, '4102'), [['4102', '£15.00']])
  assert.equal((await another('POST', `/price-lists/${String(body['id'])}/end`)).status, 404)
  assert.deepEqual(await yours(buyer, '4102'), [['4102', '£15.00']])
  assert.equal((await seller('POST', `/price-lists/${String(body['id'])}/end`)).status, 200)
  assert.deepEqual(await yours(buyer, '4102'), [])
})

test('the same idempotency key gives one list; strangers, unknown companies and other sellers’ groups are refused', async () => {
  const { company } = await member()
  const body = list({ companies: [{ companyId: company.id }], rules: [{ productId: '4101', price: 900 }] })
  const key = { 'idempotency-key': randomUUID() }
  const [one, two] = [await seller('POST', '/price-lists', body, key), await seller('POST', '/price-lists', body, key)]
  assert.equal(one.body['id'], two.body['id'])
  const { id: foreign } = (await another('POST', '/company-groups', { name: 'Ours', companies: [] })).body
  for (const [more, code] of [
    [{ companies: [{ companyId: randomUUID() }] }, 'unknown-company'],
    [{ companies: [{ vatNumber: 'GB000000000' }] }, 'unknown-company'],
    [{ groups: [foreign] }, 'unknown-group'],
    [{}, 'list-for-nobody'],
  ] as const)
    assert.equal((await seller('POST', '/price-lists', list({ rules: [{ productId: '4101', price: 900 }], ...more }))).body['code'], code)
  assert.equal(
    (await seller('POST', '/price-lists', list({ companies: [{ companyId: company.id }], rules: [{ categoryId: 1, price: 5 }] }))).status,
    400,
  )
  const lists = JSON.stringify((await another('GET', '/price-lists')).body)
  assert.ok(!lists.includes(String(one.body['id'])))
})

test('a member of a company from another country sees prices in the cart’s tax mode on pages as well, with its label; a better one is still named', async () => {
  await addOffer(database, { id: '4201', market: 'fr', price: 1200, sellerId: 3 })
  const company = await addCompany(db, { country: 'DE' })
  const at = async (host: string) => {
    const { id } = await addCustomer(db)
    await addMembership(db, id, company.id, 'buyer')
    const { token } = await signIn(db, { customerId: id, companyId: company.id, family: 'b2b' })
    return { host, cookie: `__Host-purlin=${token}`, customerId: id }
  }
  const abroad = await at('pro.fr.localhost')
  const shown = async (who: Someone) =>
    (await ask(who, '{ yourPrices(offerIds: ["4201"]) { price tax lines } }')).data['yourPrices'] as {
      price: string
      tax: string | null
      lines: string[]
    }[]
  assert.deepEqual(await hasYours(abroad), { hasYourPrices: true })
  const [own] = await shown(abroad)
  assert.deepEqual([own?.price.replace(/\s/g, ' '), own?.tax, own?.lines], ['12,00 €', 'TTC', []])
  const home = await addCompany(db, { country: 'FR' })
  const { id } = await addCustomer(db)
  await addMembership(db, id, home.id, 'buyer')
  const { token } = await signIn(db, { customerId: id, companyId: home.id, family: 'b2b' })
  const local = { host: 'pro.fr.localhost', cookie: `__Host-purlin=${token}` }
  assert.deepEqual([await hasYours(local), await shown(local)], [{ hasYourPrices: false }, []])
  // British professionals see prices with VAT wherever they come from.
  assert.deepEqual(await hasYours(await at(pro)), { hasYourPrices: false })
  const french = caller(gateway.url, (await addKey(db, 3)).key)
  await french('POST', '/price-lists', {
    market: 'fr',
    name: 'Frame',
    companies: [{ companyId: company.id }],
    rules: [{ productId: '4201', price: 900 }],
  })
  const [better] = await shown(abroad)
  assert.deepEqual([better?.price.replace(/\s/g, ' '), better?.tax, better?.lines.length], ['9,00 €', 'TTC', 1])
})
