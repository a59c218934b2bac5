import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { jobs, nextNight, schedules } from './jobs.ts'
import { fieldOf, segmentFields, segmentNames, segmentsOf, sources, sourcesOf } from './segments.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '9001', stock: 5000 })
const gateway = await testGateway(pool)

const document = Object.entries(knownDocuments).find(([, text]) => text.startsWith('query GetCustomerSegments'))
assert.ok(document)
const [documentHash] = document

async function cookieOf(who: Parameters<typeof signIn>[1]): Promise<string> {
  return `__Host-purlin=${(await signIn(db, who)).token}`
}

async function customer() {
  const person = await addCustomer(db)
  return { ...person, cookie: await cookieOf({ customerId: person.id }) }
}

/** A request like our own client's: by GET, with only the hash of a document. */
async function segments(cookie: string): Promise<Record<string, unknown> | null> {
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: documentHash } })
  const answer = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ extensions })}`, { headers: { cookie } })
  const { data, errors } = (await answer.json()) as {
    data: { customerSegments: Record<string, unknown> | null } | null
    errors?: { extensions: { code: string } }[]
  }
  if (errors) return { error: errors[0]?.extensions.code }
  return data?.customerSegments ?? null
}

async function patch(cookie: string, body: unknown, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) {
  const answer = await fetch(`${gateway.url}/api/v2/customer-segment/customers`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

async function put(id: string, body: unknown, key = operatorKey) {
  const answer = await fetch(`${gateway.url}/api/v1/operator/customers/${id}/segments`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

async function night(): Promise<void> {
  for (const { run } of schedules) await database.command({}, run)
  await pool.query(`update platform.job set run_at = now() where name = 'segments.compute'`)
  await runWork(database, [], jobs)
}

const defaults = {
  b2b_intention: 'UNKNOWN',
  b2b_welcome: false,
  b2b_vat_modal: false,
  b2b_suspected_pro: 'NOT_SUSPECTED_PRO',
  suspected_pro_type: 'UNKNOWN',
  profile: null,
  cluster: null,
  buy_number_cluster: 'PROSPECTS',
  audience_group: null,
  loyalty_level: 'UNDEFINED',
  loyalty_hvc_level: null,
  app_cluster: null,
  last_chance_churn: false,
  anti_churn: false,
  b2b_subscription: null,
  customer_value: 'LOW',
}

test('R-306…R-312 R-579 GetCustomerSegments by GET answers every field, with its default before anything is known', async () => {
  const ann = await customer()
  assert.deepEqual({ ...(await segments(ann.cookie)) }, defaults)
  assert.deepEqual(segmentNames.toSorted(), Object.keys(defaults).toSorted())
})

test('R-579 guests and staff have no segments', async () => {
  assert.deepEqual(await segments(''), { error: 'UNAUTHENTICATED' })
  // Staff are nobody in the shop, also where their session stands in for a customer's.
  const staff = await cookieOf({ staffId: (await addStaff(db, {})).id })
  assert.deepEqual(await segments(staff), { error: 'UNAUTHENTICATED' })
})

test('R-312 every field has an owner and sources; only the customer sets the read marks', () => {
  for (const name of segmentNames) {
    assert.ok(fieldOf(name).owner, name)
    assert.ok(sourcesOf(name).length > 0 && sourcesOf(name).every((source) => sources.includes(source)), name)
  }
  assert.deepEqual(
    segmentNames.filter((name) => sourcesOf(name).includes('declared')),
    ['b2b_welcome', 'b2b_vat_modal', 'b2b_suspected_pro'],
  )
})

const enumerations: Record<string, [type: string, values: string]> = {
  'R-314': ['Trade', 'ELECTRICIAN PLUMBER ELECTRICIAN_PLUMBER GENERALIST CARPENTER PAINTER'],
  'R-315 R-316 R-317 R-318': [
    'BuyNumberCluster',
    'PROSPECTS OCC_B_NUMB_1 OCC_B_NUMB_2 OCC_B_NUMB_3 OCC_B_NUMB_4 RECURRING FREQUENT LOYAL WAVERING',
  ],
  'R-319': ['B2bIntention', 'CONVERTED LEAD UNKNOWN'],
  'R-321': ['SuspectedProLevel', 'VERY_HIGH_SUSPECTED_PRO HIGH_SUSPECTED_PRO MEDIUM_SUSPECTED_PRO NOT_SUSPECTED_PRO'],
  'R-322': ['ProType', 'CORPORATE CONSTRUCTION UNKNOWN'],
  'R-323': ['LoyaltyTier', 'GOLD SILVER BRONZE UNDEFINED'],
  'R-324': ['Membership', 'MEMBER TOP_MEMBER OPT_OUT'],
  'R-325 R-326': [
    'PurchaseBand',
    ['ONE', 'MEDIUM', 'HIGH']
      .flatMap((size) => ['', '_ALL', '_ACTIVE', '_INACTIVE'].map((suffix) => `${size}_PURCHASE${suffix}`))
      .join(' '),
  ],
  'R-327': ['SubscriptionPeriod', 'YEARLY MONTHLY'],
  'R-328': ['CustomerValue', 'VERY_HIGH HIGH MEDIUM LOW'],
  'R-329': ['Intent', 'WEB_TO_APP_PROSPECT'],
}
for (const [ids, [type, values]] of Object.entries(enumerations))
  test(`${ids} ${type} has the members of the specification, in the API and in the table of fields`, async () => {
    const { body } = await gateway.post(`{ __type(name: "${type}") { enumValues { name } } }`)
    const { data } = body as { data: { __type: { enumValues: { name: string }[] } } }
    const names = data.__type.enumValues.map(({ name }) => name)
    assert.deepEqual(names.toSorted(), values.split(' ').toSorted())
    const ann = await customer()
    const field = segmentNames.find((name) => fieldOf(name).values?.toSorted().join() === names.map(ourName).toSorted().join())
    assert.ok(field, 'a field of this type')
    // Each value goes through as written: stored as computed or imported, read through the gateway.
    for (const value of names) {
      const source = sourcesOf(field).includes('imported') ? 'imported' : 'computed'
      await pool.query(
        `insert into segments.customer as c (customer_id, ${source}) values ($1, $2) on conflict (customer_id) do update set ${source} = excluded.${source}`,
        [ann.id, JSON.stringify({ [field]: ourName(value) })],
      )
      assert.equal((await segments(ann.cookie))?.[field], value)
    }
  })

const ourName = (name: string) => name.toLowerCase().replaceAll('_', '-')

test('R-580 R-581 the PATCH takes exactly its three fields; missing fields stay unchanged', async () => {
  const ann = await customer()
  assert.deepEqual(await patch(ann.cookie, { b2b_welcome: true }), { status: 200, body: true })
  assert.deepEqual(await patch(ann.cookie, { b2b_suspected_pro: 'HIGH_SUSPECTED_PRO', b2b_vat_modal: true }), { status: 200, body: true })
  assert.deepEqual(
    { ...(await segments(ann.cookie)) },
    { ...defaults, b2b_welcome: true, b2b_vat_modal: true, b2b_suspected_pro: 'HIGH_SUSPECTED_PRO' },
  )
  await patch(ann.cookie, { b2b_welcome: false })
  assert.equal((await segments(ann.cookie))?.['b2b_vat_modal'], true)
  assert.equal((await segments(ann.cookie))?.['b2b_welcome'], false)
})

test('R-582 a PATCH with any other field, value or shape changes nothing', async () => {
  const ann = await customer()
  for (const body of [
    {},
    [],
    'null',
    { b2b_welcome: 'yes' },
    { b2b_welcome: null },
    { b2b_suspected_pro: 'high-suspected-pro' },
    { b2b_suspected_pro: 'CEO' },
    { customer_value: 'VERY_HIGH' },
    { b2b_welcome: true, customerId: 'another' },
    { b2b_welcome: true, loyalty_level: 'GOLD' },
  ])
    assert.equal((await patch(ann.cookie, body)).status, 422, JSON.stringify(body))
  assert.equal((await patch(ann.cookie, `{"b2b_welcome":true,"x":"${'x'.repeat(3000)}"}`)).status, 413)
  assert.deepEqual({ ...(await segments(ann.cookie)) }, defaults)
})

test('R-582 A34 guests, and other sites in a customer’s name, change no segments', async () => {
  const ann = await customer()
  assert.equal((await patch('', { b2b_welcome: true })).status, 401)
  const foreign: Record<string, string>[] = [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]
  for (const headers of foreign) assert.equal((await patch(ann.cookie, { b2b_welcome: true }, headers)).status, 403)
  assert.equal((await segments(ann.cookie))?.['b2b_welcome'], false)
})

test('R-315…R-328 segments are computed nightly from orders, and customers’ own statements take precedence', async () => {
  const ann = await customer()
  const eve = await customer()
  const overrides = { principal: { kind: 'customer' as const, id: ann.id, email: ann.email, name: ann.name, market: ann.market } }
  const buyer = newBuyer(database, { ...overrides, session: { id: 's' } })
  for (let order = 0; order < 3; order++) {
    const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 20 }])
    must(await place(buyer, id))
    await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [id])
  }
  const { rows } = await pool.query<{ sum: string }>('select sum(total) from orders.customer_order where owner = $1', [`c:${ann.id}`])
  const spent = Number(rows[0]?.sum)
  await night()
  const computed = await segments(ann.cookie)
  assert.deepEqual(
    { ...computed },
    {
      ...defaults,
      cluster: 'MEDIUM_PURCHASE_ACTIVE',
      audience_group: 'MEDIUM_PURCHASE_ALL',
      buy_number_cluster: 'OCC_B_NUMB_3',
      loyalty_level: 'BRONZE',
      b2b_suspected_pro: 'MEDIUM_SUSPECTED_PRO',
      suspected_pro_type: 'CONSTRUCTION',
      customer_value: spent >= 200_000 ? 'VERY_HIGH' : spent >= 75_000 ? 'HIGH' : spent >= 15_000 ? 'MEDIUM' : 'LOW',
      loyalty_hvc_level: spent >= 200_000 ? 'TOP_MEMBER' : spent >= 75_000 ? 'MEMBER' : null,
    },
  )
  assert.deepEqual({ ...(await segments(eve.cookie)) }, defaults)

  await patch(ann.cookie, { b2b_suspected_pro: 'NOT_SUSPECTED_PRO' })
  await night()
  assert.equal((await segments(ann.cookie))?.['b2b_suspected_pro'], 'NOT_SUSPECTED_PRO')

  const passes = async (days: number) => {
    await pool.query('update orders.customer_order set placed_at = placed_at - $2 * interval $$1 day$$ where owner = $1', [
      `c:${ann.id}`,
      days,
    ])
    await pool.query(`update accounts.session set seen_at = now() - interval '40 days' where customer_id = $1`, [ann.id])
    await pool.query('update segments.customer set last_visit_at = null where customer_id = $1', [ann.id])
    await night()
  }
  await passes(200)
  assert.equal((await segments(ann.cookie))?.['anti_churn'], true)
  await night()
  assert.equal((await segments(ann.cookie))?.['anti_churn'], false, 'the question before was a visit')
  await passes(200)
  const { anti_churn: anti, last_chance_churn: last, cluster } = (await segments(ann.cookie)) ?? {}
  assert.deepEqual([anti, last, cluster], [false, true, 'MEDIUM_PURCHASE_INACTIVE'])
})

test('R-310 the last visit outlives the session it is known from', async () => {
  const ann = await customer()
  await pool.query(`update accounts.session set seen_at = '2026-01-02' where customer_id = $1`, [ann.id])
  await night()
  await pool.query('delete from accounts.session where customer_id = $1', [ann.id])
  await night()
  const { rows } = await pool.query('select last_visit_at::date::text as day from segments.customer where customer_id = $1', [ann.id])
  assert.deepEqual(rows, [{ day: '2026-01-02' }])
})

test('unpaid, refunded and other people’s orders do not count', async () => {
  const ann = await customer()
  const principal = { kind: 'customer' as const, id: ann.id, email: ann.email, name: ann.name, market: ann.market }
  const buyer = newBuyer(database, { principal, session: { id: 's' } })
  for (const state of ['awaiting-payment', 'cancelled', 'refunded']) {
    const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
    must(await place(buyer, id))
    await pool.query('update orders.customer_order set state = $2 where id = $1', [id, state])
    if (state === 'awaiting-payment') await pool.query(`update orders.customer_order set cart_id = gen_random_uuid() where id = $1`, [id])
  }
  await night()
  assert.deepEqual({ ...(await segments(ann.cookie)) }, defaults)
})

test('R-321 a VAT number in the tax information makes a customer suspected, unless its register rejects it', async () => {
  const [ann, eve] = [await customer(), await customer()]
  await pool.query(
    `insert into tax.record (owner, country, vat_number, vat_state) values ('customer:' || $1, 'GB', 'GB123456789', 'pending'),
      ('customer:' || $2, 'GB', 'GB123456788', 'not-valid')`,
    [ann.id, eve.id],
  )
  await night()
  const suspicion = async ({ cookie }: { cookie: string }) => {
    const { b2b_suspected_pro: level, suspected_pro_type: type, b2b_intention: intention } = (await segments(cookie)) ?? {}
    return [level, type, intention]
  }
  assert.deepEqual(await suspicion(ann), ['HIGH_SUSPECTED_PRO', 'CORPORATE', 'LEAD'])
  assert.deepEqual(await suspicion(eve), ['NOT_SUSPECTED_PRO', 'UNKNOWN', 'UNKNOWN'])
})

test('R-319 a request for a professional account makes a lead until it is decided; a refused one is none, whatever they buy', async () => {
  const [asks, refused] = [await customer(), await customer()]
  for (const [{ id }, state] of [
    [asks, 'lead'],
    [refused, 'refused'],
  ] as const)
    await pool.query(
      `insert into companies.conversion (id, customer_id, state, company_name, country, register_number, market, mode, origin, decided_at)
       values (gen_random_uuid(), $1, $2, 'Lee Ltd', 'GB', '12345678', 'gb', 'b2c', 'http://gb.localhost:3000', case when $2 <> 'lead' then now() end)`,
      [id, state],
    )
  await pool.query(
    `insert into tax.record (owner, country, vat_number, vat_state) values ('customer:' || $1::text, 'GB', 'GB123456789', 'pending')`,
    [refused.id],
  )
  await night()
  const intention = async ({ cookie }: { cookie: string }) => (await segments(cookie))?.['b2b_intention']
  assert.deepEqual([await intention(asks), await intention(refused)], ['LEAD', 'UNKNOWN'])
})

test('R-319 a member of a company is converted and not suspected, at once', async () => {
  const ann = await addCustomer(db)
  const company = await addCompany(db)
  await addMembership(db, ann.id, company.id, 'buyer')
  await pool.query(`insert into segments.customer (customer_id, imported) values ($1, '{"b2b_suspected_pro":"HIGH_SUSPECTED_PRO"}')`, [
    ann.id,
  ])
  const cookie = await cookieOf({ customerId: ann.id, companyId: company.id })
  const { b2b_intention: intention, b2b_suspected_pro: suspected } = (await segments(cookie)) ?? {}
  assert.deepEqual([intention, suspected], ['CONVERTED', 'NOT_SUSPECTED_PRO'])
  await night()
  assert.equal((await segments(await cookieOf({ customerId: ann.id })))?.['b2b_intention'], 'CONVERTED')
})

test('R-333 an unknown imported value is stored and reported, and counts as the neutral one', async () => {
  const ann = await customer()
  const body = { profile: 'ASTRONAUT', loyalty_level: 'PLATINUM', customer_value: 'HIGH', app_cluster: 'WEB_TO_APP_PROSPECT' }
  assert.deepEqual(await put(ann.id, body), { status: 200, body: { unknown: ['profile', 'loyalty_level'] } })
  assert.deepEqual({ ...(await segments(ann.cookie)) }, { ...defaults, customer_value: 'HIGH', app_cluster: 'WEB_TO_APP_PROSPECT' })
  const { rows } = await pool.query('select imported from segments.customer where customer_id = $1', [ann.id])
  assert.deepEqual(rows, [{ imported: body }])
  assert.deepEqual(await put(ann.id, { customer_value: null }), { status: 200, body: { unknown: [] } })
  assert.equal((await segments(ann.cookie))?.['customer_value'], 'LOW')
})

test('R-333 imports need the operators’ key, a customer, and fields that are imported', async () => {
  const ann = await customer()
  assert.equal((await put(ann.id, { customer_value: 'HIGH' }, 'wrong')).status, 401)
  assert.equal((await put('00000000-0000-7000-8000-000000000000', { customer_value: 'HIGH' })).status, 404)
  assert.equal((await put('nobody', { customer_value: 'HIGH' })).status, 404)
  for (const body of [{ b2b_welcome: true }, { b2b_intention: 'LEAD' }, { email: 'x' }, { customer_value: 1 }, { profile: '<b>' }])
    assert.equal((await put(ann.id, body)).status, 400, JSON.stringify(body))
  assert.deepEqual({ ...(await segments(ann.cookie)) }, defaults)
})

test('R-333 whatever is stored, segments can be read', () => {
  const odd = Object.fromEntries(Object.keys(segmentFields).map((name) => [name, { nested: [1] }]))
  const read = segmentsOf({ declared: odd, imported: odd, computed: odd })
  assert.deepEqual(read, segmentsOf({ declared: {}, imported: {}, computed: {} }))
})

test('the next night is today’s before two o’clock, and tomorrow’s from then on', () => {
  assert.equal(nextNight(new Date('2026-11-22T01:59:59Z')).toISOString(), '2026-11-22T02:00:00.000Z')
  assert.equal(nextNight(new Date('2026-11-22T02:00:00Z')).toISOString(), '2026-11-23T02:00:00.000Z')
  assert.equal(nextNight(new Date('2026-12-31T23:00:00Z')).toISOString(), '2027-01-01T02:00:00.000Z')
})
