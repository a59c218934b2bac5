import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { checkFlagValue, flagNames, flagOverrides, flags } from '@purlin/contract/flags.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { whileTablesFail } from '../platform/failures-for-tests.ts'
import { addValued } from '../../selling/segments/testing.ts'
import { flagValue } from './flag-value.ts'
import { forgetSwitches } from './switches.ts'

/** Flags and platform config as an operator changes them and pages read them. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const key = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }

async function operator(method: string, path: string, body?: unknown, headers: Record<string, string> = key) {
  const answer = await fetch(`${gateway.url}/api/v1/operator/${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : null }
}
const seen = async (fields: string, host = 'gb.localhost') => {
  const { data, errors } = await gateway.execute({ query: `{ ${fields} }`, headers: { host } })
  assert.equal(errors, undefined)
  return structuredClone(data)
}

test('R-026 R-404 R-697 every flag of the specification is listed with its type and what it switches', async () => {
  const { body } = await operator('GET', 'flags')
  const listed = body?.['flags'] as { name: string; switches: string; type: string }[]
  const names =
    'appB2bTouchpoint suspectedProModalRevamp pepeAutocompleteAddress pepeUnifyAuth enableMfRebranding pepePdpB2bBnpl batchEnabled csideEnabled enableCustomDataNewFormat eventsWithPurposesEnabled'
  assert.deepEqual(listed.map(({ name }) => name).join(' '), names)
  assert.ok(listed.every(({ switches, type }) => switches.length > 10 && type === 'boolean'))
})

test('R-404 R-468 a value set for one storefront reaches that one alone, and the most specific one counts', async () => {
  const flagsOf = async (host: string) => (await seen('flags { name value }', host))?.['flags']
  assert.deepEqual(await flagsOf('pro.de.localhost'), [])
  assert.equal((await operator('PUT', 'flags/de/*/appB2bTouchpoint', { value: true })).status, 204)
  assert.deepEqual(await flagsOf('pro.de.localhost'), [{ name: 'appB2bTouchpoint', value: 'true' }])
  assert.deepEqual(await flagsOf('pro.fr.localhost'), [])
  await operator('PUT', 'flags/de/b2b/appB2bTouchpoint', { value: false })
  assert.deepEqual(await flagsOf('pro.de.localhost'), [])
  assert.deepEqual(await flagsOf('de.localhost'), [{ name: 'appB2bTouchpoint', value: 'true' }])
  assert.equal((await operator('DELETE', 'flags/de/b2b/appB2bTouchpoint')).status, 204)
  assert.equal((await operator('DELETE', 'flags/de/b2b/appB2bTouchpoint')).status, 404)
  assert.deepEqual(await flagsOf('pro.de.localhost'), [{ name: 'appB2bTouchpoint', value: 'true' }])
})

test('R-488 a value of the wrong type is refused with the sentence of the specification', async () => {
  for (const [value, shown] of [
    ['yes', 'yes'],
    [1, '1'],
    [null, 'null'],
    [{}, '{}'],
  ] as const)
    assert.deepEqual(await operator('PUT', 'flags/*/*/enableMfRebranding', { value }), {
      status: 400,
      body: { error: `Invalid value found for flag enableMfRebranding: ${shown} should be of type boolean.` },
    })
  assert.throws(() => checkFlagValue('pepeUnifyAuth', 'on'), {
    message: 'Invalid value found for flag pepeUnifyAuth: on should be of type boolean.',
  })
})

test('R-488 a stored value of the wrong type is logged with that sentence, and the default is used', async () => {
  await database.pool.query(`insert into flags.value (name, market, mode, value) values ('pepeAutocompleteAddress', 'it', '*', '"on"')`)
  forgetSwitches()
  const said: string[] = []
  const log = { error: (_fields: object, message: string) => void said.push(message) }
  assert.equal(await flagValue({ market: 'it', mode: 'b2c', db: database.db, log }, 'pepeAutocompleteAddress'), true)
  assert.deepEqual(said, ['Invalid value found for flag pepeAutocompleteAddress: on should be of type boolean.'])
})

test('R-599 flags that cannot be read are logged and the empty set is used; the config has the state failed', async () => {
  const said: string[] = []
  const log = { error: (_fields: object, message: string) => void said.push(message), info: () => {}, warn: () => {} }
  await database.pool.query('alter table flags.value rename to hidden')
  await database.pool.query('alter table flags.config rename to hidden_config')
  forgetSwitches()
  try {
    const scope = database.scope({ log })
    for (const name of flagNames) assert.equal(await flagValue(scope, name), flags[name].fallback, name)
    assert.deepEqual(said, ['Flags are unavailable; the empty set is used', 'The platform config could not be read'])
    assert.deepEqual(await seen('platformConfig { state version coupon { code } }'), {
      platformConfig: { state: 'failed', version: 0, coupon: null },
    })
  } finally {
    await database.pool.query('alter table flags.hidden rename to value')
    await database.pool.query('alter table flags.hidden_config rename to config')
    forgetSwitches()
  }
})

test('R-599 flags and config that were read stay as they are for minutes while they cannot be read again, then the empty set is used, and the ones after that are taken up', async () => {
  const site = database.scope({ market: 'es' })
  await operator('PUT', 'flags/es/*/enableMfRebranding', { value: true })
  forgetSwitches()
  assert.equal(await flagValue(site, 'enableMfRebranding'), true)
  const before = await seen('platformConfig { state version }', 'es.localhost')
  // Past the minute for which they are kept.
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  try {
    await whileTablesFail(database, ['flags'], async () => {
      assert.equal(await flagValue(site, 'enableMfRebranding'), true)
      assert.deepEqual(await seen('platformConfig { state version }', 'es.localhost'), before)
      mock.timers.setTime(Date.now() + 300_000)
      assert.equal(await flagValue(site, 'enableMfRebranding'), false)
    })
    await database.pool.query(`insert into flags.value (name, market, mode, value) values ('batchEnabled', 'es', '*', 'true')`)
    mock.timers.setTime(Date.now() + 2_000)
    assert.deepEqual([await flagValue(site, 'enableMfRebranding'), await flagValue(site, 'batchEnabled')], [true, true])
  } finally {
    mock.timers.reset()
    forgetSwitches()
  }
})

test('R-470 while the config is being read its state is loading and no key is on; pages go on, and have it once it is there', async () => {
  const state = async () => {
    const config = (await seen('platformConfig { state coupon { code } }'))?.['platformConfig'] as { state: string } | undefined
    return config?.state
  }
  const keeper = await database.pool.connect()
  await keeper.query('begin; lock table flags.config in access exclusive mode')
  forgetSwitches()
  try {
    assert.deepEqual(await Promise.all([state(), state()]), ['loading', 'loading'])
    assert.equal(await state(), 'loading', 'the others do not wait')
  } finally {
    await keeper.query('rollback')
    keeper.release()
  }
  let seenState = await state()
  for (const until = Date.now() + 10_000; seenState !== 'set' && Date.now() < until; seenState = await state())
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(seenState, 'set')
})

test('R-692 a tester’s cookie sets open flags for one browser, of the right type, and never the sign-in', () => {
  const cookie = (value: unknown) => `a=b; mm_flag_overrides=${encodeURIComponent(JSON.stringify(value))}; c=d`
  assert.deepEqual(flagOverrides(cookie({ enableMfRebranding: true, pepeUnifyAuth: true, unknown: 1 })), { enableMfRebranding: true })
  assert.throws(() => flagOverrides(cookie({ enableMfRebranding: 'x' })), /Invalid value found for flag enableMfRebranding: x should be/)
  for (const header of [undefined, '', 'mm_flag_overrides=', 'mm_flag_overrides=%', 'mm_flag_overrides=[1]', 'mm_flag_overrides=null'])
    assert.deepEqual(flagOverrides(header), {}, String(header))
})

test('R-692 R-699 a tester switches address completion off for their own browser', async () => {
  const at = (cookie: string) => fetch(`${gateway.url}/api/v1/address-suggestions?country=FR&text=75011`, { headers: { cookie } })
  assert.equal((await at('')).status, 200)
  assert.equal((await at(`mm_flag_overrides=${encodeURIComponent('{"pepeAutocompleteAddress":false}')}`)).status, 404)
  assert.equal((await at(`mm_flag_overrides=${encodeURIComponent('{"pepeAutocompleteAddress":"no"}')}`)).status, 200)
})

const examples = {
  'sales-period': [{ from: '2026-11-20', until: '2026-11-30' }, 'salesPeriod { from until }', 'R-407'],
  b2b: [{ isLinked: false }, 'b2b { isLinked }', 'R-408'],
  'loyalty-program': [{ isAnnounced: true }, 'loyaltyProgram { isAnnounced }', 'R-409'],
  'main-price': [{ withSecondary: false }, 'mainPrice { withSecondary }', 'R-410'],
  'free-returns-b2b': [{ days: 30 }, 'freeReturnsB2b { days }', 'R-411'],
  coupon: [{ code: 'NOVEMBER5', percent: 5 }, 'coupon { code percent }', 'R-412'],
  'welcome-offer': [{ code: 'HELLO10', percent: 10 }, 'welcomeOffer { code percent }', 'R-413'],
} as const

test('R-412 R-413 R-414 the coupons behind the codes of these tests are made first', async () => {
  const days = { startsOn: '2026-11-01', endsOn: '2029-10-31' }
  for (const [code, percent, firstOrderOnly] of [
    ['NOVEMBER5', 5, false],
    ['HELLO10', 10, true],
  ] as const)
    assert.equal((await operator('PUT', `coupons/fr/${code}`, { kind: 'percent', value: percent, ...days, firstOrderOnly })).status, 201)
  const hello15 = { kind: 'percent', value: 15, ...days, audience: 'high-value' }
  assert.equal((await operator('PUT', 'coupons/fr/HELLO15', hello15)).status, 201)
})

for (const [name, [value, field, id]] of Object.entries(examples))
  test(`${id} R-470 the platform config key ${name} is set per market and mode, in versions`, async () => {
    const path = `platform-config/fr/b2b/${name}`
    assert.equal((await operator('PUT', path, { value: { ...value, more: 1 }, replaces: 0 })).status, 400)
    assert.deepEqual(await operator('PUT', path, { value, replaces: 0 }), { status: 200, body: { version: 1 } })
    assert.equal((await operator('PUT', path, { value, replaces: 0 })).status, 409)
    const config = async (host: string) => (await seen(`platformConfig { state ${field} }`, host))?.['platformConfig']
    const property = field.split(' ')[0] ?? ''
    assert.deepEqual(await config('pro.fr.localhost'), { state: 'set', [property]: value })
    assert.deepEqual(await config('fr.localhost'), { state: 'set', [property]: null })
    assert.deepEqual(await config('pro.es.localhost'), { state: 'set', [property]: null })
    assert.equal((await operator('PUT', path, { value: null, replaces: 1 })).status, 200)
    assert.deepEqual(await config('pro.fr.localhost'), { state: 'set', [property]: null })
    const { versions } = (await operator('GET', path)).body as { versions: { version: number }[] }
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 1],
    )
  })

test('R-414 R-470 the platform config key welcome-offer-hvc is set per market and mode, in versions, for its customers alone', async () => {
  const { cookies } = await addValued(database.db)
  const offer = async (host: string, cookie: string) => {
    const { data, errors } = await gateway.execute({ query: '{ myWelcomeOffer { code percent } }', headers: { host, cookie } })
    assert.equal(errors, undefined)
    return structuredClone(data)?.['myWelcomeOffer']
  }
  const path = 'platform-config/fr/b2b/welcome-offer-hvc'
  const value = { code: 'HELLO15', percent: 15 }
  assert.equal((await operator('PUT', path, { value: { ...value, more: 1 }, replaces: 0 })).status, 400)
  assert.deepEqual(await operator('PUT', path, { value, replaces: 0 }), { status: 200, body: { version: 1 } })
  assert.equal((await operator('PUT', path, { value, replaces: 0 })).status, 409)
  assert.deepEqual(await offer('pro.fr.localhost', cookies.b2b), value)
  assert.equal(await offer('fr.localhost', cookies.b2c), null)
  assert.equal(await offer('pro.es.localhost', cookies.b2b), null)
  assert.equal((await operator('PUT', path, { value: null, replaces: 1 })).status, 200)
  assert.equal(await offer('pro.fr.localhost', cookies.b2b), null)
})

test('flags and platform config are changed with the operator’s key alone, on known storefronts', async () => {
  for (const [method, path, body] of [
    ['GET', 'flags', undefined],
    ['PUT', 'flags/*/*/enableMfRebranding', { value: true }],
    ['DELETE', 'flags/*/*/enableMfRebranding', undefined],
    ['GET', 'platform-config', undefined],
    ['PUT', 'platform-config/fr/b2b/coupon', { value: null, replaces: 0 }],
  ] as const)
    assert.equal((await operator(method, path, body, {})).status, 401, `${method} ${path}`)
  assert.equal((await operator('PUT', 'flags/us/*/enableMfRebranding', { value: true })).status, 404)
  assert.equal((await operator('PUT', 'flags/*/*/constructor', { value: true })).status, 404)
  assert.equal((await operator('PUT', 'platform-config/fr/b2b/toString', { value: null, replaces: 0 })).status, 404)
})

test('a change purges the pages that show it', async () => {
  const purged = async () =>
    (await database.pool.query<{ tags: string[] }>('select tags from platform.purge_log order by id desc limit 1')).rows[0]?.tags
  await operator('PUT', 'flags/fr/b2b/enableMfRebranding', { value: true })
  assert.deepEqual(await purged(), ['switches', 'shell:fr:b2b'], 'pages of other storefronts stay cached')
  await operator('PUT', 'flags/fr/*/enableMfRebranding', { value: true })
  assert.deepEqual(await purged(), ['switches', 'shell:fr:b2c', 'shell:fr:b2b'])
  await operator('PUT', 'flags/*/*/enableMfRebranding', { value: true })
  assert.equal((await purged())?.length, 11)
})
