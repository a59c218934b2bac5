import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'

/** The event of an exposure is the server's: only it knows who takes part. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

const send = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
  fetch(gateway.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 Chrome/140 Safari/537.36',
      ...headers,
    },
    body: JSON.stringify(body),
  })
const experiment = (name: string, slots: [number, number]) => ({
  name,
  state: 'running',
  type: 'ab',
  layer: 'pages',
  slots,
  markets: ['gb'],
  modes: ['b2c'],
  variations: [
    { id: 1, name: 'control', weight: 0 },
    { id: 2, name: 'other', weight: 1 },
  ],
})

test('R-515 a visitor who takes part is one exposure event, however often the page reports it; none of an experiment of others, without consent, or of a crawler', async () => {
  const operator = { authorization: `Bearer ${operatorKey}` }
  assert.equal((await send('PUT', '/api/v1/operator/experiments/1', experiment('home-order', [0, 1000]), operator)).status, 204)
  const issued = async () => {
    const agreed = await send('POST', '/api/v1/consent', { choice: 'some', purposes: ['statistics'] }, {})
    return /mm_visitor_id=([^;]+)/.exec(agreed.headers.getSetCookie().join('\n'))?.[1] ?? ''
  }
  const id = await issued()
  const sees = (names: string[], purposes: string) =>
    send('POST', '/api/v1/experiment-exposures', names, { cookie: `mm_consent=v1:${purposes}; mm_visitor_id=${id}` })
  assert.equal((await sees(['home-order', 'goods-first'], 'statistics')).status, 204)
  for (let again = 0; again < 2; again++) assert.equal((await sees(['home-order'], 'statistics')).status, 204)
  assert.equal((await sees(['home-order'], 'userPreferences')).status, 204)
  assert.equal((await sees([], 'statistics')).status, 204)
  const stored = async () =>
    (await database.pool.query('select visitor_id from experiments.exposure union all select visitor_id from insights.event')).rows.length
  assert.equal(await stored(), 2)
  // A crawler that took a consent and an id along leaves no trace; the browser inside an app is a person's.
  const other = await issued()
  const looks = (agent: string) =>
    send('POST', '/api/v1/experiment-exposures', ['home-order'], {
      cookie: `mm_consent=v1:statistics; mm_visitor_id=${other}`,
      'user-agent': agent,
    })
  for (const agent of [
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    'TelegramBot (like TwitterBot)',
    '',
  ])
    assert.equal((await looks(agent)).status, 204)
  assert.equal(await stored(), 2)
  assert.equal((await looks('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148 [Pinterest/iOS]')).status, 204)
  assert.equal(await stored(), 4)
  const { rows } = await database.pool.query(
    'select name, visitor_id, market, device, purposes, data from insights.event where visitor_id = $1',
    [id],
  )
  const data = { experiment: 'home-order', variation: 'other', campaignId: 1, variationId: 2 }
  assert.deepEqual(rows, [{ name: 'experiment_exposure', visitor_id: id, market: 'gb', device: 'desktop', purposes: ['statistics'], data }])
})
