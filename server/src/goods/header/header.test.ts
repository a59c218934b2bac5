import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { schedules } from './jobs.ts'
import { forgetHeader } from './show-header.ts'

/** The header as operators fill it and pages request it. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const gateway = await testGateway(database.pool)

async function operator(method: string, path: string, body?: unknown, key = 'an-operator-key-of-thirty-two-bytes') {
  const answer = await fetch(`${gateway.url}/api/v1/operator/header${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : null }
}
const item = (more: object = {}) => ({
  kind: 'quick-link',
  from: '2026-01-01T00:00:00Z',
  path: '/great-deals',
  texts: Object.fromEntries(['en', 'fr', 'de', 'es', 'it'].map((language) => [language, { title: `Heating ${language}` }])),
  ...more,
})
const ask = async (query: string, host = 'gb.localhost') => {
  const { data, errors } = (await gateway.post(query, {}, { host })).body as { data: Record<string, unknown>; errors?: object[] }
  assert.equal(errors, undefined)
  return data
}
interface Part {
  state: string
  items: { id: string; title: string; audience: string; isForEverybody: boolean }[]
}
const header = async (host?: string) =>
  (
    await ask(
      '{ header { state menu { state items { id } } quickLinks { state items { id title audience } } banners { state items { id } } preHeader { state items { id title } } } }',
      host,
    )
  )['header'] as Record<'menu' | 'quickLinks' | 'banners' | 'preHeader', Part> & { state: string }

test('R-421 R-460 quick links appear on their storefronts, in the words of the market, in order', async () => {
  assert.equal((await operator('PUT', '/heating', item({ position: 2, modes: ['b2c'] }))).status, 204)
  assert.equal((await operator('PUT', '/gifts', item({ position: 1, markets: ['gb', 'de'], audience: 'customers' }))).status, 204)
  const links = async (host: string) => (await header(host)).quickLinks.items.map(({ id, title, audience }) => `${id} ${title} ${audience}`)
  assert.deepEqual(await links('de.localhost'), ['gifts Heating de customers', 'heating Heating de everybody'])
  assert.deepEqual(await links('fr.localhost'), ['heating Heating fr everybody'])
  assert.deepEqual(await links('pro.fr.localhost'), [])
})

test('R-423 R-458 the pre-header is the first one live; the header reports its state', async () => {
  assert.deepEqual((await header()).preHeader, { state: 'success', items: [] })
  await operator('PUT', '/line', item({ kind: 'pre-header' }))
  await operator('PUT', '/later-line', item({ kind: 'pre-header', from: '2099-01-01T00:00:00Z' }))
  await operator('PUT', '/past-line', item({ kind: 'pre-header', until: '2026-02-01T00:00:00Z' }))
  const { state, preHeader } = await header()
  assert.equal(state, 'success')
  assert.deepEqual(
    preHeader.items.map(({ id }) => id),
    ['line'],
  )
})

test('R-427 R-459 campaigns are requested by category and family, those of the category first', async () => {
  await operator('PUT', '/family', item({ kind: 'campaign', familyIds: [7] }))
  await operator('PUT', '/category', item({ kind: 'campaign', categoryIds: [71], position: 9 }))
  const campaigns = async (categoryId: number, familyId: number) =>
    ((await ask(`{ menuCampaigns(categoryId: ${categoryId}, familyId: ${familyId}) { id } }`))['menuCampaigns'] as { id: string }[])
      .map(({ id }) => id)
      .join()
  assert.deepEqual(
    [await campaigns(71, 7), await campaigns(70, 7), await campaigns(71, 8), await campaigns(1, 2)],
    ['category,family', 'family', 'category', ''],
  )
})

test('R-427 R-459 the menu of a department also announces campaigns of the categories in it, each with its categories', async () => {
  await database.pool.query(
    `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
      select id, parent, level, 0, path, 'heating', '{"en": "Category"}', '{"en": "category"}'
      from (values (40, null::int, 0, '{40}'::int[]), (41, 40, 1, '{40,41}'), (42, 41, 2, '{40,41,42}')) as c (id, parent, level, path)`,
  )
  await operator('PUT', '/stoves', item({ kind: 'campaign', categoryIds: [41] }))
  await operator('PUT', '/pellets', item({ kind: 'campaign', categoryIds: [42], position: 1 }))
  await operator('PUT', '/heat', item({ kind: 'campaign', familyIds: [40], position: 2 }))
  const campaigns = async (categoryId: number) =>
    (
      (await ask(`{ menuCampaigns(categoryId: ${categoryId}, familyId: 40) { id categoryIds } }`))['menuCampaigns'] as {
        id: string
        categoryIds: number[]
      }[]
    ).map(({ id, categoryIds }) => `${id} ${categoryIds}`.trim())
  assert.deepEqual(
    [await campaigns(40), await campaigns(41), await campaigns(42)],
    [
      ['heat', 'stoves 41', 'pellets 42'],
      ['stoves 41', 'heat', 'pellets 42'],
      ['pellets 42', 'heat'],
    ],
  )
})

test('R-421 R-423 R-460 guests and customers each have their first items: those of the one take no place of the others', async () => {
  const host = 'pro.it.localhost'
  const here = (audience: string, position: number, kind = 'quick-link') =>
    item({ kind, audience, position, markets: ['it'], modes: ['b2b'] })
  for (let at = 1; at <= 4; at++) await operator('PUT', `/guest-${at}`, here('guests', at))
  await operator('PUT', '/for-all', here('everybody', 5))
  for (let at = 6; at <= 9; at++) await operator('PUT', `/customer-${at}`, here('customers', at))
  await operator('PUT', '/line', item({ kind: 'pre-header', markets: ['it'], audience: 'customers' }))
  await operator('PUT', '/second-line', here('everybody', 1, 'pre-header'))
  await operator('PUT', '/third-line', here('everybody', 2, 'pre-header'))
  const data = await ask(
    '{ header { quickLinks { items { id audience isForEverybody } } preHeader { items { id audience isForEverybody } } } }',
    host,
  )
  const { quickLinks, preHeader } = data['header'] as Record<'quickLinks' | 'preHeader', Part>
  const shown = ({ items }: Part) =>
    items.map(({ id, audience, isForEverybody }) => `${id} ${audience}${isForEverybody ? ' at first everybody' : ''}`)
  assert.deepEqual(shown(quickLinks), [
    ...[1, 2, 3, 4].map((at) => `guest-${at} guests`),
    'for-all customers at first everybody',
    ...[6, 7, 8].map((at) => `customer-${at} customers`),
  ])
  assert.deepEqual(shown(preHeader), ['line customers', 'second-line guests at first everybody'])
  for (const id of [
    'for-all',
    'second-line',
    'third-line',
    ...[1, 2, 3, 4].map((at) => `guest-${at}`),
    ...[6, 7, 8, 9].map((at) => `customer-${at}`),
  ])
    assert.equal((await operator('DELETE', `/${id}`)).status, 204)
  await operator('PUT', '/line', item({ kind: 'pre-header' }))
})

test('R-420 R-422 R-461 R-462 a part that cannot be loaded is empty and says so, and the others are shown', async () => {
  await database.pool.query('alter table header.item rename to hidden')
  forgetHeader()
  try {
    const { state, menu, quickLinks, banners, preHeader } = await header()
    assert.deepEqual(
      [state, menu.state, quickLinks.state, banners.state, preHeader.state, quickLinks.items],
      ['failure', 'success', 'failure', 'success', 'failure', []],
    )
  } finally {
    await database.pool.query('alter table header.hidden rename to item')
    forgetHeader()
  }
  assert.equal((await header()).quickLinks.items.length, 2)
})

test('an item leads nowhere but to this shop, has words for its markets, and belongs to the operator alone', async () => {
  for (const [more, reason] of [
    [{ path: '//evil.example' }, /path/],
    [{ path: 'https://evil.example' }, /path/],
    [{ path: '/\\evil.example' }, /path/],
    [{ texts: { en: { title: 'Heating' } } }, /Words are missing/],
    [{ kind: 'campaign' }, /categories or families/],
    [{ from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }, /ends before/],
    [{ html: '<b>' }, /html/],
  ] as const) {
    const { status, body } = await operator('PUT', '/bad', item(more))
    assert.equal(status, 400)
    assert.match(String(body?.['error']), reason)
  }
  assert.equal((await operator('PUT', '/Bad_Id', item())).status, 404)
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', '/heating'],
    ['DELETE', '/heating'],
  ] as const)
    assert.equal((await operator(method, path, method === 'PUT' ? item() : undefined, 'no-key')).status, 401)
})

for (const path of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/\t/evil.example',
])
  test(`A55 an item that leads to ${path} is refused`, async () => {
    const { status, body } = await operator('PUT', '/bad', item({ path }))
    assert.equal(status, 400)
    assert.match(String(body?.['error']), /path/)
  })

test('removed items disappear, and the pages that showed them are purged; so are those of an item that begins', async () => {
  const purges = async () => (await database.pool.query<{ tags: string[] }>('select tags from platform.purge_log order by id')).rows
  assert.equal((await operator('DELETE', '/heating')).status, 204)
  assert.equal((await operator('DELETE', '/heating')).status, 404)
  assert.deepEqual((await purges()).at(-1), { tags: ['header', ...marketCodes.map((market) => `shell:${market}:b2c`)] })
  const [turn] = schedules
  assert.ok(turn)
  const count = (await purges()).length
  await database.command({ now: new Date('2098-12-31T23:59:30Z') }, turn.run)
  assert.equal((await purges()).length, count)
  await database.command({ now: new Date('2099-01-01T00:00:30Z') }, turn.run)
  assert.equal((await purges()).length, count + 1)
})
