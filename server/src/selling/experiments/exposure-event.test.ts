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

test('a visitor who takes part is one exposure event, however often the page reports it; none of an experiment of others, nor without consent', async () => {
  const operator = { authorization: `Bearer ${operatorKey}` }
  assert.equal((await send('PUT', '/api/v1/operator/experiments/1', experiment('home-order', [0, 1000]), operator)).status, 204)
  const agreed = await send('POST', '/api/v1/consent', { choice: 'some', purposes: ['statistics'] }, {})
  const id = /mm_visitor_id=([^;]+)/.exec(agreed.headers.getSetCookie().join('\n'))?.[1] ?? ''
  const sees = (names: string[], purposes: string) =>
    send('POST', '/api/v1/experiment-exposures', names, { cookie: `mm_consent=v1:${purposes}; mm_visitor_id=${id}` })
  assert.equal((await sees(['home-order', 'goods-first'], 'statistics')).status, 204)
  for (let again = 0; again < 2; again++) assert.equal((await sees(['home-order'], 'statistics')).status, 204)
  assert.equal((await sees(['home-order'], 'userPreferences')).status, 204)
  assert.equal((await sees([], 'statistics')).status, 204)
  const { rows } = await database.pool.query('select name, visitor_id, market, device, purposes, data from insights.event')
  const data = { experiment: 'home-order', variation: 'other', campaignId: 1, variationId: 2 }
  assert.deepEqual(rows, [{ name: 'experiment_exposure', visitor_id: id, market: 'gb', device: 'desktop', purposes: ['statistics'], data }])
})
