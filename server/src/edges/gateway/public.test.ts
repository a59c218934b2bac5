import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { productionSettings, testDatabase, useSettings } from '#platform/testing'
import { createGateway } from './index.ts'

const database = await testDatabase()
const hosts = createSiteHosts({ port: 3000, realHosts: productionSettings.SITE_HOSTS })
const token = 'a-token-of-the-tests-that-has-32-bytes-at-least'

async function gatewayWith(env: Record<string, string>) {
  useSettings(env)
  const gateway = await createGateway({ pool: database.pool, hosts })
  after(() => gateway.close())
  return gateway.app
}
const ask = { method: 'POST', url: '/graphql', headers: { host: 'www.purlin.fr', origin: 'https://www.purlin.fr' } } as const
const introspection = { query: '{ __schema { queryType { name } } }' }

const open = await gatewayWith({})
const closed = await gatewayWith(productionSettings)
test('V-05 on real domains the schema is not told, and at home it is', async () => {
  assert.match((await closed.inject({ ...ask, payload: introspection })).body, /introspection/)
  assert.match((await open.inject({ ...ask, payload: introspection })).body, /"queryType"/)
})

test('V-05 on real domains there is nothing below /dev', async () => {
  assert.equal((await closed.inject('/dev/mailbox')).statusCode, 404)
})

test('V-14 on real domains nobody is told how many statements a request took', async () => {
  useSettings(productionSettings)
  const sent = (await closed.inject({ ...ask, payload: { query: '{ site { market } }' } })).headers
  assert.equal(sent['x-sql-statements'], undefined)
  useSettings({})
  assert.notEqual((await open.inject({ ...ask, payload: { query: '{ site { market } }' } })).headers['x-sql-statements'], undefined)
})

test('V-14 figures are closed on real domains, even to this machine, and open to the bearer of METRICS_TOKEN alone', async () => {
  assert.equal((await open.inject('/metrics')).statusCode, 200)
  assert.equal((await closed.inject('/metrics')).statusCode, 404)
  const guarded = await gatewayWith({ ...productionSettings, METRICS_TOKEN: token })
  const status = async (authorization: string) =>
    (await guarded.inject({ url: '/metrics', headers: { authorization, 'x-forwarded-for': '203.0.113.9' } })).statusCode
  assert.equal(await status(`Bearer ${token}`), 200)
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, token, `Basic ${token}`]) assert.equal(await status(wrong), 404)
})
