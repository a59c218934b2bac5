import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SearchEngine } from '@purlin/search/types.ts'
import { openSearchEngine } from '@purlin/search/index.ts'
import { connectSearch, productsIndex } from '#listing'
import { testDatabase, type TestDatabase } from '#platform/testing'
import * as v from 'valibot'
import { runWork } from '../../edges/worker/testing.ts'
import { forgetOldSearches, maxQueriesOfDay, popularQueries, queriesWithoutResults } from './analytics-store.ts'
import { applyLevers } from './apply-levers.ts'
import { putRule, putSynonym, removeSynonym, setStopWords, setWeights } from './change-levers.ts'
import { jobs, schedules } from './jobs.ts'
import { engineRule, ruleInput, synonymInput } from './levers.ts'
import { addGeneralSynonyms, readSynonyms, readTuning } from './store.ts'
import { choicesOf, takeChoices } from './take-events.ts'
import { flushSearches, noteSearch } from './watch-searches.ts'

const levers = schedules.find(({ name }) => name === 'merchandising.levers')!
let database: TestDatabase
let engine: SearchEngine
let directory: string
const index = productsIndex('gb')

before(async () => {
  database = await testDatabase({ upTo: 'merchandising' })
  directory = await mkdtemp(join(tmpdir(), 'levers-'))
  engine = await openSearchEngine({ directory })
  await engine.replaceAll(
    index,
    [
      { objectID: '1', title: 'Cordless screwdriver', brandName: 'Tarvok', popularity: 1 },
      { objectID: '2', title: 'Screwdriver set', brandName: 'Brexiro', popularity: 9 },
      { objectID: '3', title: 'Paint brush', brandName: 'Colvanta', popularity: 5 },
    ],
    { language: 'en', searchableAttributes: ['title'], attributesForFaceting: ['brandName'] },
  )
})
after(async () => {
  await engine.close()
  await rm(directory, { recursive: true, force: true })
})

const found = async (query: string): Promise<string[]> => (await engine.search(index, { query })).hits.map(({ objectID }) => objectID)
const apply = () => applyLevers({ db: database.db, engine }, 'gb')
const change = <Value>(operation: Parameters<typeof database.command<Value>>[1]) => database.command({}, operation)

test('an operator’s synonym changes the results through the worker, and can be removed', async () => {
  await change((scope) => putSynonym(scope, 'gb', 'turnscrew', { type: 'synonym', synonyms: ['turnscrew', 'screwdriver'] }))
  assert.deepEqual((await database.events()).at(-1), { type: 'search-levers.changed', payload: { leversOf: 'gb' } })
  await apply()
  assert.deepEqual((await found('turnscrew')).toSorted(), ['1', '2'])
  assert.equal(await change((scope) => removeSynonym(scope, 'gb', 'turnscrew')), true)
  await apply()
  assert.deepEqual(await found('turnscrew'), [])
})

test('built-in synonyms never override an operator’s', async () => {
  await change((scope) => putSynonym(scope, 'gb', 'own', { type: 'synonym', synonyms: ['brush', 'paintbrush'] }))
  await addGeneralSynonyms(database.db, 'gb', [
    { objectID: 'own', type: 'synonym', synonyms: ['x', 'y'] },
    { objectID: 'fresh', type: 'oneWaySynonym', input: 'driver', synonyms: ['screwdriver'] },
  ])
  const rows = await readSynonyms(database.db, 'gb')
  assert.deepEqual(
    rows.map(({ id, source, words }) => [id, source, words]),
    [
      ['fresh', 'general', ['screwdriver']],
      ['own', 'operator', ['brush', 'paintbrush']],
    ],
  )
})

test('a rule promotes, hides and redirects', async () => {
  await change((scope) =>
    putRule(
      scope,
      'gb',
      'decorating',
      v.parse(ruleInput, {
        conditions: [{ pattern: 'screwdriver', anchoring: 'is' }],
        promote: [{ productId: '3', position: 0 }],
        hide: ['2'],
        redirect: '/tools-1',
      }),
    ),
  )
  await apply()
  const answer = await engine.search(index, { query: 'screwdriver' })
  assert.deepEqual(
    answer.hits.map(({ objectID }) => objectID),
    ['3', '1'],
  )
  assert.deepEqual(answer.userData, [{ redirect: '/tools-1' }])
})

test('a boost may name a negative number', () => {
  const boost = [{ attribute: 'attr.temperature', value: '-5', score: 20 }]
  const { consequence } = engineRule('cold', v.parse(ruleInput, { boost }))
  assert.deepEqual(consequence.params, { optionalFilters: ['attr.temperature:\\-5<score=20>'] })
})

test('stop words and weights are stored per market', async () => {
  await change((scope) => setStopWords(scope, 'gb', ['please']))
  await change((scope) => setWeights(scope, 'gb', { title: 9 }))
  assert.deepEqual(await readTuning(database.db, 'gb'), { stopWords: ['please'], weights: { title: 9 } })
  await apply()
  assert.equal((await engine.settings(index)).attributeWeights?.['title'], 9)
  assert.deepEqual(await readTuning(database.db, 'de'), { stopWords: null, weights: {} })
})

test('an up-to-date index keeps its version, and a rebuilt one gets its settings back', async () => {
  assert.equal(await apply(), false)
  const version = engine.version(index)
  assert.equal(await apply(), false)
  assert.equal(engine.version(index), version)
  await engine.setRules(index, [], { clearExisting: true })
  assert.equal(await apply(), true)
  assert.equal((await engine.rules(index)).length, 1)
})

test('the hourly check purges pages only where it restored something', async () => {
  connectSearch(engine)
  const purged = { name: 'test.purged', text: 'select count(*)::int as count from platform.purge_log' }
  const look = async () => {
    await database.command({}, (scope) => levers.run(scope))
    await runWork(database, [], jobs)
    return (await database.db.row<{ count: number }>(purged))?.count
  }
  // The other markets have no index here yet: they get one, and are restored once.
  const before = await look()
  assert.equal(await look(), before)
  await engine.setSynonyms(index, [], { replaceExisting: true })
  assert.equal(await look(), (before ?? 0) + 1)
})

test('invalid settings are refused: empty synonyms, external redirects, unknown fields', () => {
  assert.equal(v.safeParse(synonymInput, { type: 'synonym', synonyms: ['one'] }).success, false)
  for (const redirect of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere', 'tools']) {
    assert.equal(v.safeParse(ruleInput, { redirect }).success, false, redirect)
  }
  assert.equal(v.safeParse(ruleInput, { promoted: [] }).success, false)
})

test('searches are counted by day and query, those without results separately', async () => {
  const now = new Date('2026-11-20T12:00:00Z')
  for (const results of [3, 3, 0]) noteSearch({ market: 'gb', query: ' Mitre  Saw', results, queryId: null }, now)
  noteSearch({ market: 'gb', query: 'flux capacitor', results: 0 }, now)
  await flushSearches(database.db)
  noteSearch({ market: 'gb', query: 'mitre saw', results: 3, queryId: 'a'.repeat(32) }, now)
  await flushSearches(database.db)
  assert.deepEqual(await popularQueries(database.db, 'gb', '2026-11-20', '2026-11-20', 10), [
    { query: 'mitre saw', searches: 4, withoutResults: 1, clicks: 0, conversions: 0 },
    { query: 'flux capacitor', searches: 1, withoutResults: 1, clicks: 0, conversions: 0 },
  ])
  assert.deepEqual(
    (await queriesWithoutResults(database.db, 'gb', '2026-11-20', '2026-11-20', 10)).map(({ query }) => query),
    ['flux capacitor', 'mitre saw'],
  )
})

test('counts the database could not store are added to the next batch, and a flood of distinct queries is capped', async () => {
  const now = new Date('2026-11-18T12:00:00Z')
  const day = '2026-11-18'
  const dead = { ...database.db, run: () => Promise.reject(new Error('gone')) }
  const count = async (query: string) =>
    (await popularQueries(database.db, 'gb', day, day, 10_000)).find((one) => one.query === query)?.searches
  noteSearch({ market: 'gb', query: 'jigsaw', results: 3 }, now)
  await assert.rejects(flushSearches(dead), /gone/)
  noteSearch({ market: 'gb', query: 'jigsaw', results: 0, queryId: 'b'.repeat(32) }, now)
  await assert.rejects(flushSearches(dead), /gone/)
  await flushSearches(database.db)
  await flushSearches(database.db)
  assert.equal(await count('jigsaw'), 2)
  for (let number = 0; number < 5_100; number += 1) noteSearch({ market: 'gb', query: `flood ${number}`, results: 1 }, now)
  noteSearch({ market: 'gb', query: 'flood 7', results: 1 }, now)
  await flushSearches(database.db)
  assert.deepEqual([await count('flood 7'), await count('flood 4999'), await count('flood 5000')], [2, 1, undefined])
})

test('V-11 beyond ten thousand distinct queries of a day those already known go on counting, the most frequent of a batch come first, and rare ones are deleted after a month', async () => {
  const now = new Date('2026-11-17T12:00:00Z')
  const day = '2026-11-17'
  const figures = async () => popularQueries(database.db, 'gb', day, day, 20_000)
  const flood = async (name: string, queries: number) => {
    for (let number = 0; number < queries; number += 1) noteSearch({ market: 'gb', query: `${name} ${number}`, results: 1 }, now)
    await flushSearches(database.db)
  }
  await flood('one', 5_000)
  await flood('two', 4_990)
  for (let at = 0; at < 3; at++) noteSearch({ market: 'gb', query: 'ladder', results: 9 }, now)
  noteSearch({ market: 'gb', query: 'one 7', results: 1 }, now)
  await flood('three', 100)
  await flood('four', 100)
  noteSearch({ market: 'gb', query: 'ladder', results: 9 }, now)
  noteSearch({ market: 'de', query: 'leiter', results: 9 }, now)
  await flushSearches(database.db)
  const counted = await figures()
  assert.equal(counted.length, maxQueriesOfDay)
  assert.deepEqual(
    counted.slice(0, 2).map(({ query, searches }) => [query, searches]),
    [
      ['ladder', 4],
      ['one 7', 2],
    ],
  )
  assert.equal((await popularQueries(database.db, 'de', day, day, 5)).length, 1)

  await database.pool.query(`update merchandising.query_day set day = current_date - 31 where day = $1`, [day])
  await forgetOldSearches(database.db)
  const left = await database.pool.query('select query from merchandising.query_day where day = current_date - 31')
  assert.deepEqual(left.rows, [{ query: 'ladder' }])
})

test('V-11 of the products that a search showed those are stored that are learned from, however many it asked for', async () => {
  const shown = Array.from({ length: 1000 }, (_, at) => String(at + 1))
  noteSearch({ market: 'gb', query: 'everything', results: 1000, queryId: 'f'.repeat(32), shown }, new Date('2026-11-20T12:00:00Z'))
  await flushSearches(database.db)
  const { rows } = await database.pool.query<{ shown: string[] }>('select shown from merchandising.asked where query_id = $1', [
    'f'.repeat(32),
  ])
  assert.deepEqual(rows[0]?.shown, shown.slice(0, 24))
})

test('a search counts on its market’s current day', async () => {
  const late = new Date('2026-11-16T23:30:00Z')
  for (const market of ['gb', 'de'] as const) noteSearch({ market, query: 'midnight', results: 1 }, late)
  await flushSearches(database.db)
  const on = async (market: 'gb' | 'de', day: string) => (await popularQueries(database.db, market, day, day, 5)).length
  assert.deepEqual([await on('gb', '2026-11-16'), await on('gb', '2026-11-17')], [1, 0])
  assert.deepEqual([await on('de', '2026-11-16'), await on('de', '2026-11-17')], [0, 1])
})

test('a refinement does not count as a search, and a click in it counts for the query', async () => {
  const now = new Date('2026-11-14T12:00:00Z')
  const queryId = 'c'.repeat(32)
  noteSearch({ market: 'gb', query: 'chisel', results: 3 }, now)
  noteSearch({ market: 'gb', query: 'chisel', results: 0, queryId, isRefined: true }, now)
  await flushSearches(database.db)
  const click = { eventType: 'click' as const, eventName: 'card', index, userToken: 'v', objectIDs: [], queryID: queryId }
  await change((scope) => takeChoices(scope, choicesOf([click])))
  assert.deepEqual(await popularQueries(database.db, 'gb', '2026-11-14', '2026-11-14', 5), [
    { query: 'chisel', searches: 1, withoutResults: 0, clicks: 1, conversions: 0 },
  ])
})

test('V-10 a click and a conversion count for their query, once for a network and product', async () => {
  const now = new Date('2026-11-20T12:00:00Z')
  noteSearch({ market: 'gb', query: 'mitre saw', results: 2, queryId: 'd'.repeat(32), shown: ['2', '3'] }, now)
  await flushSearches(database.db)
  const event = {
    eventType: 'click' as const,
    eventName: 'card',
    index,
    userToken: 'v',
    objectIDs: ['2', 'drop table'],
    queryID: 'd'.repeat(32),
  }
  const bought = { ...event, eventType: 'conversion' as const }
  await change((scope) => takeChoices(scope, choicesOf([event, { ...event, index: 'elsewhere' }, bought]), 'one network'))
  const counted = async () => {
    const [mitre] = await popularQueries(database.db, 'gb', '2026-11-20', '2026-11-20', 1)
    return [mitre?.clicks, mitre?.conversions]
  }
  assert.deepEqual(await counted(), [1, 1])
  await change((scope) => takeChoices(scope, choicesOf([event, event, bought]), 'one network'))
  assert.deepEqual(await counted(), [1, 1], 'a network counts once for a product of a list')
  await change((scope) => takeChoices(scope, choicesOf([{ ...event, objectIDs: ['3'] }, event]), 'another network'))
  assert.deepEqual(await counted(), [3, 1])
})
