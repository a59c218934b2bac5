import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { newVisitorId } from '../../people/consent/issued-visitor.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs, schedules } from './jobs.ts'

/** The account's product history over HTTP, by a client written from the specification. */

const database = await testDatabase()
const gateway = await testGateway(database.pool)
const consent = 'mm_consent=v1:userPreferences'
const signedOut = (visitorId: string) => `mm_visitor_id=${visitorId}; ${consent}`

/** In a browser of their own, with consent to preferences. */
async function customer() {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const visitorId = newVisitorId()
  const inBrowserOf = (visitor: string) => `__Host-purlin=${token}; ${signedOut(visitor)}`
  return { id, visitorId, inBrowserOf, cookie: inBrowserOf(visitorId) }
}
async function merge(cookie: string, content: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${gateway.url}/api/v2/product-history/merge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie, ...headers },
    body: JSON.stringify({ content }),
  })
  const body = (await answer.json()) as { content: { product_id: string; viewed_at: string }[] }
  return { status: answer.status, body, ids: body.content?.map(({ product_id }) => product_id) }
}
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const seen = (id: number | string, days = 0) => ({ product_id: String(id), viewed_at: ago(days) })
const historyOf = async (cookie: string) => {
  const { body } = await gateway.post('query ProductHistory { productHistory { productId viewedAt } }', {}, { cookie })
  return (body as { data: { productHistory: { productId: string; viewedAt: string }[] } }).data.productHistory
}

test('R-576 R-577 R-402 R-473 merging returns the account’s list, the last viewed first, newest time per product', async () => {
  const { cookie } = await customer()
  assert.deepEqual((await merge(cookie, [seen(1, 3), seen(2, 1)])).ids, ['2', '1'])
  const again = await merge(cookie, [seen(1, 0.5), seen(2, 9), seen(3, 2), seen(3, 1.5)])
  assert.deepEqual([again.status, again.ids], [200, ['1', '2', '3']])
  assert.match(again.body.content[0]?.viewed_at ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
})

test('R-575 R-401 GraphQL ProductHistory returns productId and viewedAt; guests have none on the server', async () => {
  const { cookie } = await customer()
  await merge(cookie, [seen(5, 1), seen(6, 2)])
  const entries = await historyOf(cookie)
  assert.deepEqual(
    entries.map(({ productId }) => productId),
    ['5', '6'],
  )
  assert.ok(entries.every(({ viewedAt }) => Number.isFinite(Date.parse(viewedAt))))
  assert.deepEqual(await historyOf(''), [])
})

test('at most 20 products of three months are kept, and nothing from the future', async () => {
  const { id, cookie } = await customer()
  await merge(cookie, [...Array.from({ length: 15 }, (_, at) => seen(at + 1, at + 1)), seen(99, 95)])
  const { ids, body } = await merge(cookie, [...Array.from({ length: 15 }, (_, at) => seen(at + 101, at + 0.5)), seen(50, -3)])
  assert.equal(ids?.length, 20)
  assert.equal(ids?.[0], '50')
  assert.ok(Date.parse(body.content[0]?.viewed_at ?? '') <= Date.now())
  assert.ok(!ids?.includes('99') && !ids?.includes('15'))
  const views = async () => (await database.pool.query('select 1 from history.view where customer_id = $1', [id])).rowCount
  assert.equal(await views(), 20)
  for (const table of ['entry', 'view'])
    await database.pool.query(`update history.${table} set viewed_at = now() - interval '4 months' where product_id = 50`)
  assert.equal((await historyOf(cookie))[0]?.productId, '101')
  const [tidy] = schedules
  assert.ok(tidy)
  await database.command({}, tidy.run)
  assert.equal((await database.pool.query('select 1 from history.entry where product_id = 50')).rows.length, 0)
  assert.equal(await views(), 19)
})

test('R-474 users classed as b2b skip the merge', async () => {
  const company = await addCompany(database.db)
  const { id } = await addCustomer(database.db)
  await addMembership(database.db, id, company.id, 'buyer')
  const { token } = await signIn(database.db, { customerId: id, companyId: company.id })
  const { status, ids } = await merge(`__Host-purlin=${token}; ${signedOut(newVisitorId())}`, [seen(1)])
  assert.deepEqual([status, ids], [200, []])
})

test('merges of parallel sign-ins lose nothing', async () => {
  const { cookie } = await customer()
  const lists = Array.from({ length: 8 }, (_, at) => [seen(at + 1, 1), seen(20 - at, 2), seen(at + 2, 3)])
  assert.deepEqual(new Set((await Promise.all(lists.map((list) => merge(cookie, list)))).map(({ status }) => status)), new Set([200]))
  const expected = new Set(lists.flat().map(({ product_id }) => product_id))
  assert.deepEqual(new Set((await historyOf(cookie)).map(({ productId }) => productId)), expected)
})

const refuse = (cookie: string) =>
  fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify({ choice: 'none' }),
  })

test('R-519 withdrawing consent to preferences deletes the history of the customer who is signed in, and of nobody else', async () => {
  const [mine, other] = [await customer(), await customer()]
  for (const { cookie } of [mine, other]) await merge(cookie, [seen(1)])
  assert.equal((await refuse(mine.cookie)).status, 204)
  await runWork(database, handlers, jobs)
  const { rows } = await database.pool.query<{ customer_id: string }>('select customer_id from history.entry where customer_id = any($1)', [
    [mine.id, other.id],
  ])
  assert.deepEqual(rows, [{ customer_id: other.id }])
})

test('R-519 a customer who refuses signed out withdraws what this browser’s consent stored in the account, and nothing of other browsers', async () => {
  const { cookie, visitorId, inBrowserOf } = await customer()
  const elsewhere = inBrowserOf(newVisitorId())
  await merge(cookie, [seen(1, 2), seen(2, 3)])
  const { body } = await merge(elsewhere, [seen(3, 1), seen(2, 0.5)])
  // A browser that has fetched the account's list, and merges it at its next sign-in.
  await merge(cookie, body.content)
  assert.equal((await refuse(signedOut(visitorId))).status, 204)
  await runWork(database, handlers, jobs)
  assert.deepEqual(
    (await historyOf(elsewhere)).map(({ productId }) => productId),
    ['2', '3'],
  )
})

test('R-519 a product seen in several browsers leaves the account with the last that refuses; having been shown the account’s list is no view', async () => {
  const { id, cookie, visitorId, inBrowserOf } = await customer()
  const [second, third] = [newVisitorId(), newVisitorId()]
  const refused = async (visitor: string) => {
    assert.equal((await refuse(signedOut(visitor))).status, 204)
    await runWork(database, handlers, jobs)
    return (await historyOf(cookie)).map(({ productId, viewedAt }) => [productId, viewedAt])
  }
  const [early, late, other] = [seen(1, 2), seen(1, 1), seen(2, 3)]
  await merge(inBrowserOf(second), [early])
  await merge(cookie, [late, other])
  const { body } = await merge(inBrowserOf(third), [])
  await merge(inBrowserOf(third), body.content)
  assert.deepEqual(await refused(visitorId), [['1', early.viewed_at]])
  assert.deepEqual(await refused(second), [])

  // The other way round: what came later was seen earlier. The entry was stored by a release without views.
  await merge(cookie, [late])
  await database.pool.query('delete from history.view where customer_id = $1', [id])
  await merge(inBrowserOf(second), [early])
  assert.deepEqual(await refused(visitorId), [['1', early.viewed_at]])
  await merge(cookie, [late])
  assert.deepEqual(await refused(second), [['1', late.viewed_at]])
  assert.deepEqual(await refused(visitorId), [])
  assert.equal((await database.pool.query('select 1 from history.view where customer_id = $1', [id])).rowCount, 0)
})

test('without consent, or without the id of the visitor who gave it, nothing is stored; guests, other sites and hostile bodies are refused', async () => {
  const { cookie, id } = await customer()
  for (const missing of [consent, /mm_visitor_id=[^;]*/]) assert.deepEqual((await merge(cookie.replace(missing, ''), [seen(1)])).ids, [])
  assert.equal((await database.pool.query('select 1 from history.entry where customer_id = $1', [id])).rows.length, 0)
  assert.equal((await merge(consent, [seen(1)])).status, 401)
  assert.equal((await merge(cookie, [seen(1)], { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status, 403)
  for (const content of [
    [{ product_id: 'x', viewed_at: ago(1) }],
    [{ product_id: '1', viewed_at: 'yesterday' }],
    [{ ...seen(1), more: 1 }],
    'all',
    Array.from({ length: 101 }, (_, at) => seen(at + 1)),
  ])
    assert.equal((await merge(cookie, content)).status, 400, JSON.stringify(content).slice(0, 80))
})
