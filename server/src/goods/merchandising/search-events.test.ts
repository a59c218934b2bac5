import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { productsIndex } from '#listing'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { flushQueries, flushSearches, noteSearch } from './watch-searches.ts'

/** Events of search clients: what is stored of them, and that nobody learns it from the response. */

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())
const index = productsIndex('gb')

/** Events of the search API from an address of its own; all of them have the same answer. */
async function sendEvents(events: readonly object[], remoteAddress: string): Promise<string> {
  const { statusCode, body } = await gateway.app.inject({
    method: 'POST',
    url: '/search-engine/1/events',
    remoteAddress,
    headers: { 'x-algolia-api-key': 'purlin-search', cookie: 'mm_consent=v1:userPreferences' },
    payload: { events },
  })
  return `${statusCode} ${body}`
}
const about = (queryID: string, objectIDs: readonly string[], userToken = 'v') => ({
  eventType: 'click',
  eventName: 'card',
  index,
  userToken,
  objectIDs,
  queryID,
})
const storedEvents = async () =>
  (await database.pool.query<{ n: number }>('select count(*)::int as n from merchandising.search_event')).rows[0]?.n ?? 0

test('V-10 R-520 beyond its quota of rows a sender gets the same response, and nothing is stored', async () => {
  const queryID = 'e'.repeat(32)
  noteSearch({ market: 'gb', query: 'sander', results: 3, queryId: queryID, shown: ['3'] })
  await flushSearches(database.db)
  const before = await storedEvents()
  // Ten events of twenty products are two hundred rows.
  const of = (sent: number) =>
    Array.from({ length: 10 }, (_, n) =>
      about(
        queryID,
        Array.from({ length: 20 }, (_, at) => String(sent * 200 + n * 20 + at)),
      ),
    )
  const answers = new Set<string>()
  for (let sent = 0; sent < 12; sent++) answers.add(await sendEvents(of(sent), '203.0.113.70'))
  assert.deepEqual([...answers], [await sendEvents([about(queryID, ['9999'])], '203.0.113.99')])
  assert.equal((await storedEvents()) - before, 2001)
})

test('V-10 events that name a search which the shop has not answered get the same response, and are not stored', async () => {
  const [issued, fresh, invented] = ['1'.repeat(32), '2'.repeat(32), '3'.repeat(32)]
  noteSearch({ market: 'gb', query: 'plane', results: 3, queryId: issued, shown: ['3'] })
  await flushQueries(database.db)
  noteSearch({ market: 'gb', query: 'plane', results: 3, queryId: fresh, shown: ['3'] })
  const before = await storedEvents()
  const answer = await sendEvents([about(invented, ['3', '4'])], '203.0.113.71')
  assert.equal(await storedEvents(), before)
  // A search of this very moment is known here before it is stored.
  assert.equal(await sendEvents([about(invented, ['3']), about(issued, ['3']), about(fresh, ['4'])], '203.0.113.71'), answer)
  assert.equal((await storedEvents()) - before, 2)
  await flushSearches(database.db)
})
