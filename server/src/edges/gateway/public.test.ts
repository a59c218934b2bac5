import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { productionSettings, testDatabase, useSettings } from '#platform/testing'
import { createApiKey } from '../../after-sale/integrations/api-keys.ts'
import { createGateway } from './index.ts'
import { loadMails } from './mail-previews.ts'

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
test('V-05 introspection is closed on real domains and open locally', async () => {
  const published = await gatewayWith({ ...productionSettings, PUBLIC_API: 'on' })
  assert.match((await published.inject({ ...ask, payload: introspection })).body, /API_KEY_MISSING/)
  const made = await createApiKey({ db: database.db, now: new Date() }, { name: 'A partner', costPerMinute: 50_000, days: 1 })
  const headers = { ...ask.headers, 'x-api-key': made?.secret ?? '' }
  assert.match((await published.inject({ ...ask, headers, payload: introspection })).body, /introspection/)
  useSettings(productionSettings)
  assert.match((await closed.inject({ ...ask, payload: introspection })).body, /by their hash/)
  useSettings({})
  assert.match((await open.inject({ ...ask, payload: introspection })).body, /"queryType"/)
})

test('V-05 on real domains there is nothing below /dev', async () => {
  for (const address of ['/dev/mailbox', '/dev/mails', '/dev/mails/order-confirmation/gb', '/dev/mails/order-confirmation/gb/html'])
    assert.equal((await closed.inject(address)).statusCode, 404, address)
})

test('V-14 on real domains the number of SQL statements is not exposed', async () => {
  useSettings(productionSettings)
  const sent = (await closed.inject({ ...ask, payload: { query: '{ site { market } }' } })).headers
  assert.equal(sent['x-sql-statements'], undefined)
  useSettings({})
  assert.notEqual((await open.inject({ ...ask, payload: { query: '{ site { market } }' } })).headers['x-sql-statements'], undefined)
})

test('V-14 metrics are closed on real domains, even to this machine, and open to the bearer of METRICS_TOKEN alone', async () => {
  assert.equal((await open.inject('/metrics')).statusCode, 200)
  assert.equal((await closed.inject('/metrics')).statusCode, 404)
  const guarded = await gatewayWith({ ...productionSettings, METRICS_TOKEN: token })
  const status = async (authorization: string) =>
    (await guarded.inject({ url: '/metrics', headers: { authorization, 'x-forwarded-for': '203.0.113.9' } })).statusCode
  assert.equal(await status(`Bearer ${token}`), 200)
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, token, `Basic ${token}`]) assert.equal(await status(wrong), 404)
})

test('V-57 every mail of every module can be previewed in five languages, as HTML and as text', async () => {
  useSettings({})
  const list = (await open.inject('/dev/mails')).body
  const links = [...list.matchAll(/href="(\/dev\/mails\/[a-z-]+\/[a-z]{2})"/g)].map(([, link = '']) => link)
  assert.equal(links.length, (await loadMails()).length * 5)
  assert.ok(links.includes('/dev/mails/order-confirmation/fr'))
  for (const link of links) {
    const page = await open.inject(link)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.match((await open.inject(`${link}/html`)).body, /<html lang="(en|fr|de|es|it)">/)
    assert.equal((await open.inject(`${link}/text`)).headers['content-type'], 'text/plain; charset=utf-8')
  }
  for (const none of ['/dev/mails/none/gb', '/dev/mails/order-confirmation/xx', '/dev/mails/order-confirmation/gb/pdf'])
    assert.equal((await open.inject(none)).statusCode, 404, none)
})
