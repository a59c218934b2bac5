import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addValued } from '../../selling/segments/testing.ts'
import { forgetSwitches } from './switches.ts'

/** Codes that the platform config announces, and the coupons behind them. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const valued = await addValued(database.db)
const authorization = 'Bearer an-operator-key-of-thirty-two-bytes'

async function operator(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${gateway.url}/api/v1/operator/${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : null }
}
const from = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const make = (code: string, more: object = {}, market = 'de') =>
  operator('PUT', `coupons/${market}/${code}`, { kind: 'percent', value: 10, startsOn: from(-9), endsOn: from(30), ...more })
const announce = (key: string, code: string, { percent = 10, place = 'de/b2c', replaces = 0 } = {}) =>
  operator('PUT', `platform-config/${place}/${key}`, { value: { code, percent }, replaces })
const off = (key: string, place: string, replaces: number) => operator('PUT', `platform-config/${place}/${key}`, { value: null, replaces })

async function shown(host = 'de.localhost') {
  const query = '{ platformConfig { coupon { code } welcomeOffer { code } } myWelcomeOffer { code } }'
  const cookie = valued.cookies[host.startsWith('pro.') ? 'b2b' : 'b2c']
  const { data, errors } = await gateway.execute({ query, headers: { host, cookie } })
  assert.equal(errors, undefined)
  type Shown = { code: string } | null
  const { platformConfig, myWelcomeOffer } = data as { platformConfig: Record<string, Shown>; myWelcomeOffer: Shown }
  return [platformConfig['coupon'], platformConfig['welcomeOffer'], myWelcomeOffer].map((offer) => offer?.code ?? null)
}

test('R-412 R-413 R-414 a code without the coupon it promises is not announced: the refusal names code, market and what is wrong', async () => {
  await make('OVER10')
  await operator('POST', 'coupons/de/OVER10/end')
  await make('HERE10')
  await make('TOOLS10', { categoryId: 1 })
  await database.pool.query(
    `insert into cart.coupon (code, market, kind, value, starts_on, ends_on, category_id) values ('SOME10', 'de', 'percent', 10, '2020-01-01', '2099-12-31', 7)`,
  )
  await database.pool.query(
    `insert into cart.coupon (code, market, kind, value, starts_on, ends_on, customer_id) values ('ANNS10', 'de', 'percent', 10, '2020-01-01', '2099-12-31', gen_random_uuid())`,
  )
  await make('HIGH10', { audience: 'high-value' })
  await make('POST10', { kind: 'free-delivery', value: 0 })
  for (const [key, code, options, error, validIn] of [
    ['coupon', 'NOSUCH10', {}, 'coupon-missing', null],
    ['coupon', 'ANNS10', {}, 'coupon-missing', null],
    ['welcome-offer', 'NOSUCH10', {}, 'coupon-missing', null],
    ['welcome-offer-hvc', 'NOSUCH10', {}, 'coupon-missing', null],
    ['coupon', 'OVER10', {}, 'coupon-over', 'de'],
    ['coupon', 'HERE10', { percent: 11 }, 'coupon-other-percent', 'de'],
    ['coupon', 'POST10', { percent: 1 }, 'coupon-other-percent', 'de'],
    ['coupon', 'SOME10', {}, 'coupon-for-some-goods', 'de'],
    ['welcome-offer', 'HERE10', {}, 'coupon-not-for-first-order', 'de'],
    ['welcome-offer-hvc', 'HERE10', {}, 'coupon-not-for-high-value', 'de'],
    ['coupon', 'HIGH10', {}, 'coupon-for-some-customers', 'de'],
    ['welcome-offer', 'HIGH10', {}, 'coupon-for-some-customers', 'de'],
    ['coupon', 'HERE10', { place: 'at/b2c' }, 'There is no such storefront', undefined],
    ['coupon', 'HERE10', { place: 'fr/b2c' }, 'coupon-other-market', 'de'],
    ['coupon', 'HERE10', { place: '*/*' }, 'coupon-other-market', 'de'],
  ] as const) {
    const { status, body } = await announce(key, code, options)
    assert.equal(status, error.startsWith('coupon-') ? 409 : 404, `${key} ${code}`)
    const market = ('place' in options ? options.place : 'de/b2c').split('/')[0]
    assert.deepEqual(body, error.startsWith('coupon-') ? { error, code, market, validIn } : { error }, `${key} ${code}`)
  }
  assert.deepEqual(await shown(), [null, null, null])
  assert.deepEqual((await operator('GET', 'platform-config')).body, { config: [] })
})

test('R-412 a code is announced from the coupon’s first day until it is over, used up or ended, in its market alone', async () => {
  await make('RUNS10')
  const set = (change: string) => database.pool.query(`update cart.coupon set ${change} where code = 'RUNS10'`)
  const after = async (change: string) => {
    await set(change)
    forgetSwitches()
    return (await shown())[0]
  }
  await set(`starts_on = current_date + 5`)
  assert.equal((await announce('coupon', 'RUNS10', { place: 'de/*' })).status, 200)
  assert.equal((await shown())[0], null, 'announced beforehand, shown from its first day')
  assert.equal(await after(`starts_on = '2020-01-01'`), 'RUNS10')
  assert.equal((await shown('pro.de.localhost'))[0], 'RUNS10')
  assert.equal((await shown('fr.localhost'))[0], null)
  assert.equal(await after(`ends_on = current_date - 2`), null)
  assert.equal(await after(`ends_on = '2099-12-31'`), 'RUNS10')
  assert.equal(await after(`total_limit = 1, used = 1`), null)
  assert.equal(await after(`total_limit = null`), 'RUNS10')
  assert.equal(await after('value = 5'), null, 'changed below ten percent')
  assert.equal(await after('value = 10'), 'RUNS10')
  await operator('POST', 'coupons/de/RUNS10/end')
  const purged = (await database.pool.query<{ tags: string[] }>('select tags from platform.purge_log order by id desc limit 1')).rows[0]
  assert.deepEqual(purged?.tags, ['switches', 'shell:de:b2c', 'shell:de:b2b'], 'pages that announce it are made anew')
  forgetSwitches()
  assert.equal((await shown())[0], null)
  assert.equal((await off('coupon', 'de/*', 1)).status, 200)
})

test('R-413 R-414 the welcome offer needs a coupon for first orders, that for customers of high value one for them alone', async () => {
  await make('FIRST10', { firstOrderOnly: true })
  await make('NEXT10', { audience: 'high-value' })
  assert.equal((await announce('welcome-offer', 'FIRST10')).status, 200)
  assert.equal((await announce('welcome-offer-hvc', 'NEXT10')).status, 200)
  assert.deepEqual(await shown(), [null, 'FIRST10', 'NEXT10'])
  await database.pool.query(`update cart.coupon set first_order_only = false where code = 'FIRST10'`)
  forgetSwitches()
  assert.deepEqual(await shown(), [null, null, 'NEXT10'])
  await database.pool.query(`update cart.coupon set audience = null where code = 'NEXT10'`)
  forgetSwitches()
  assert.deepEqual(await shown(), [null, null, null])
})
