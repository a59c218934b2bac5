/** Ports and schemes that a request claims, keys of the prototype, floods of parameters, and names that read in another order than they are stored. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { handlers, jobs } from '@purlin/server/after-sale/notify/jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { useMailSettings } from '@purlin/server/foundation/mail/index.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema, getNullableType, isInputObjectType } from 'graphql'
import { callOf } from '../support/operations.ts'
import type { AskOptions } from './serve-shop.ts'
import { shopWithVisitors, type VisitorName } from './visitors.ts'

// The shop believes this proxy about addresses: what else its headers claim has to be as worthless as without one.
const shop = await shopWithVisitors({ trustProxy: '127.0.0.1' })
after(() => shop.close())
const schema = buildSchema(loadSdl())
useSettings({ ORDER_LINK_SECRET: 'a-link-secret-of-the-tests-long-enough' })
useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp: null })

const claims: Record<string, AskOptions> = {
  'another port in Host': { host: 'gb.localhost:666' },
  'another port': { headers: { 'x-forwarded-port': '666' } },
  'another scheme': { headers: { 'x-forwarded-proto': 'gopher' } },
  'another host': { headers: { 'x-forwarded-host': 'gb.localhost:666', forwarded: 'host=gb.localhost:666;proto=gopher' } },
}
const shared = ['/drills-11', '/p/cordless-drill-41', '/search/drill', '/', '/sitemap.xml', '/sitemaps/categories.xml', '/robots.txt']

for (const [claim, options] of Object.entries(claims))
  test(`A46 a first request with ${claim} leaves the same bytes for the next visitor as none, in pages and sitemaps`, async () => {
    for (const path of shared) {
      shop.forgetPages()
      const honest = await shop.ask('anonymous', 'b2c', path)
      assert.equal(honest.status, 200, path)
      shop.forgetPages()
      // The second request of an address is the one whose page is stored.
      for (let time = 0; time < 3; time++) {
        const poisoned = await shop.ask('anonymous', 'b2c', path, options)
        assert.doesNotMatch(poisoned.body, /:666|gopher:/, path)
      }
      const next = await shop.ask('anonymous', 'b2c', path)
      assert.equal(next.body, honest.body, path)
      assert.deepEqual([next.headers.etag, next.headers.link], [honest.headers.etag, honest.headers.link], path)
    }
  })

test('A46 canonical, alternates and redirects name the site’s own origin, whatever a request claims', async () => {
  for (const options of Object.values(claims)) {
    const { body } = await shop.ask('anonymous', 'b2c', '/drills-11', options)
    const links = [...body.matchAll(/<link rel="(?:canonical|alternate)"[^>]*href="([^"]+)"/g)].map(([, href = '']) => href)
    assert.ok(links.length > 1, body.slice(0, 400))
    for (const href of links) assert.match(href, /^http:\/\/(?:pro\.)?\w\w\.localhost:3000\//)
    const moved = await shop.ask('anonymous', 'b2c', '/wrong-name-11', options)
    assert.equal(moved.headers.location, '/drills-11')
  }
})

test('A46 the mail with the link to an order names the site’s own origin, whatever its request claims', async () => {
  const { pool } = shop.database
  const { paid } = shop.belongings.customer
  const { rows } = await pool.query<{ email: string }>('select email from orders.customer_order where id = $1', [paid])
  const query = 'mutation ($orderId: String!, $email: String!) { requestOrderLink(orderId: $orderId, email: $email) }'
  for (const options of Object.values(claims)) {
    await pool.query('delete from mail.mail')
    const json = { query, variables: { orderId: paid, email: rows[0]?.email } }
    const { body } = await shop.ask('anonymous', 'b2c', '/graphql', { ...options, json })
    assert.deepEqual(JSON.parse(body), { data: { requestOrderLink: true } })
    await runWork(shop.database, handlers, jobs)
    const mails = await pool.query<{ text: string; html: string }>('select body_text as text, body_html as html from mail.mail')
    assert.equal(mails.rows.length, 1)
    for (const { text, html } of mails.rows) {
      assert.match(text, /http:\/\/gb\.localhost:3000\/\S*access=/)
      assert.doesNotMatch(text + html, /:666|gopher:/)
    }
  }
})

const isClean = (what: string) => {
  const empty: Record<string, unknown> = {}
  assert.deepEqual([empty['poison'], empty['isAdmin']], [undefined, undefined], what)
}
const poisons = ['{"__proto__":{"poison":1}}', '{"constructor":{"prototype":{"poison":1}}}', '{"a":{"__proto__":{"poison":1}}}']

test('A59 a prototype in the variables of an operation reaches no object, in any mutation with an input', async () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ args }) =>
    args.some(({ type }) => isInputObjectType(getNullableType(type))),
  )
  assert.ok(mutations.length > 10, `${mutations.length}`)
  for (const field of mutations) {
    const { query, variables } = callOf('mutation', field, 'x')
    for (const poison of poisons)
      for (const { name } of field.args) {
        const others = JSON.stringify({ ...variables, [name]: 'POISON' }).replace('"POISON"', poison)
        const { status, body } = await shop.ask('customer', 'b2c', '/graphql', {
          text: `{"query":${JSON.stringify(query)},"variables":${others}}`,
        })
        assert.equal(status, 400, `${field.name} ${others}: ${body}`)
        isClean(field.name)
      }
  }
})

test('A59 nor does one in the body of any route, a field of any form, or a parameter of any page', async () => {
  for (const { method, url } of shop.gateway.routes)
    for (const verb of [method].flat().filter((each) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(each)))
      for (const text of poisons) {
        const path = url.replaceAll(/:(\w+)/g, '1').replace('*', 'x')
        const { status } = await shop.ask('customer', 'b2c', path, { method: verb, text })
        assert.ok(status < 500, `${verb} ${url}: ${status}`)
        isClean(`${verb} ${url}`)
      }
  const names = ['__proto__[poison]', '__proto__.poison', 'constructor[prototype][poison]', 'lines.__proto__.poison']
  const pages = ['/cart', '/contact', '/settings', '/p/cordless-drill-41/questions', '/my-account/wishlists', '/my-tax-information']
  for (const path of pages)
    for (const name of names) {
      const { status } = await shop.ask('customer', 'b2c', path, { form: { do: 'add', [name]: '1' } })
      assert.ok(status < 500, `${path} ${name}: ${status}`)
      isClean(`${path} ${name}`)
      assert.equal((await shop.ask('customer', 'b2c', `/search/drill?${name}=1&f[__proto__][poison]=1&f[a][constructor]=1`)).status, 200)
      isClean(`parameter ${name}`)
    }
})

test('V-06 V-18 a JSON body with null, a number or a list where a text is expected makes no route of either storefront fail', async () => {
  const failed: string[] = []
  for (const { method, url } of shop.gateway.routes)
    for (const verb of [method].flat().filter((each) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(each)))
      for (const [visitor, mode] of [
        ['customer', 'b2c'],
        ['member', 'b2b'],
      ] as const)
        for (const text of ['{"a":null}', '{"a":1}', '{"a":[1]}']) {
          const path = url.replaceAll(/:(\w+)/g, '1').replace('*', 'x')
          const { status } = await shop.ask(visitor, mode, path, { method: verb, text })
          if (status >= 500) failed.push(`${mode} ${verb} ${url} ${text}: ${status}`)
        }
  assert.deepEqual(failed, [])
  for (const way of ['oci', 'cxml', 'start'])
    assert.equal((await shop.ask('anonymous', 'b2b', `/api/v1/punch-out/${way}`, { text: '{"a":1}' })).status, 415, way)
})

const floods: Record<string, string> = {
  '1,500 parameters': Array.from({ length: 1500 }, (_, at) => `p${at}=${at}`).join('&'),
  '3,000 values of a list': Array.from({ length: 3000 }, () => 'a[]=').join('&'),
  'nothing but 8 kB of commas': ','.repeat(8000),
  'a depth of 60': `x${'[a]'.repeat(60)}=1`,
  '1,500 values of a filter': Array.from({ length: 1500 }, () => 'f[x][]=').join('&'),
  'a filter of 8 kB of commas': `f[brand]=${','.repeat(8000)}`,
  'a filter of a depth of 60': `f${'[a]'.repeat(60)}=1`,
}
for (const [flood, query] of Object.entries(floods))
  test(`A66 an address with ${flood} takes little time, and at most one page of the cache`, async () => {
    const path = '/search/drill'
    for (let time = 0; time < 3; time++) assert.equal((await shop.ask('anonymous', 'b2c', path)).status, 200)
    const before = shop.cachedPages()
    const started = process.cpuUsage()
    const times = 12
    for (let time = 0; time < times; time++) {
      // Each spelling three times, since a page is stored at its second request.
      const { status } = await shop.ask('anonymous', 'b2c', `${path}?${query}&x=${time % 4}`)
      assert.ok(status === 200 || (status === 400 && query.startsWith('f')), `${status}`)
    }
    const { user, system } = process.cpuUsage(started)
    const after = shop.cachedPages()
    assert.ok((user + system) / times < 40_000, `${Math.round((user + system) / times)} µs each`)
    const added = { entries: after.entries - before.entries, bytes: after.bytes - before.bytes }
    assert.ok(added.entries <= (query.startsWith('f') ? 1 : 0) && added.bytes < 100_000, JSON.stringify(added))
  })

const turned = 'Kat\u202enoinu'
test('A63 a name that reads in another order than it is stored is refused: of a list, a company, a site, a person, a review and a question', async () => {
  const address = { line1: '1 Mill Lane', postcode: 'SW1A 1AA', city: 'London' }
  const person = { firstName: 'Robin', lastName: 'Field', phone: '07700 900123' }
  const review = { key: 'x', stars: 5, title: 'A good drill', body: 'It drills every hole that I need.', author: 'Robin' }
  const about = { productId: '41', text: 'Does it come with a battery?', author: 'Robin' }
  const calls: readonly (readonly [VisitorName, string, string, Record<string, unknown>])[] = [
    ['customer', 'createWishlist(name: $name)', '$name: String!', { name: turned }],
    ['customer', 'changeProfile(input: $input)', '$input: ProfileInput!', { input: { ...person, firstName: turned } }],
    ['customer', 'writeReview(input: $input)', '$input: ReviewInput!', { input: { ...review, title: turned } }],
    ['customer', 'writeReview(input: $input)', '$input: ReviewInput!', { input: { ...review, author: turned } }],
    ['customer', 'askQuestion(input: $input)', '$input: QuestionInput!', { input: { ...about, author: turned } }],
    [
      'customer',
      'requestProConversion(input: $input)',
      '$input: ProConversionInput!',
      { input: { ...address, companyName: turned, country: 'GB', registerNumber: '01234567' } },
    ],
    ['other member', 'saveSite(input: $input)', '$input: BuildingSiteInput!', { input: { ...person, ...address, name: turned } }],
  ]
  for (const [visitor, call, declared, variables] of calls) {
    const ask = async (values: object) => {
      const query = `mutation (${declared}) { done: ${call} { refusal { reason } } }`
      const { body, data } = await shop.graphql(visitor, 'b2b', query, values)
      assert.ok(data?.['done'], body)
      return (data['done'] as { refusal: { reason: string } | null }).refusal?.reason
    }
    const plain = JSON.parse(JSON.stringify(variables).replace(turned, 'Katkatkat')) as object
    const refusal = await ask(variables)
    assert.ok(refusal, call)
    assert.notEqual(await ask(plain), refusal, `${call}: for the order of its letters alone`)
  }
})
