import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { openSearchEngine, type SearchParams, type SearchResponse, type WrittenAnswer } from './index.ts'
import { products } from './testing/arbitraries.ts'
import { withFolder } from './testing/folders.ts'
import { applyToEngine, applyToModel, changeAt, limits } from './testing/history.ts'
import { ordered, settings, type Product } from './testing/model.ts'

const queries: SearchParams[] = [
  { query: 'drill', facets: ['brand', 'tags'], hitsPerPage: 50 },
  { query: 'dril pum', facets: '*', removeWordsIfNoResults: 'allOptional' },
  { query: '', filters: 'price > 2 AND NOT tags:red', distinct: true },
  { query: 'saw', optionalFilters: ['brand:Tarvok<score=5>'], getRankingInfo: true },
]

const withoutTime = ({ processingTimeMS: _, ...rest }: SearchResponse) => rest

const read = ({ json }: WrittenAnswer) => JSON.parse(Buffer.from(json).toString('utf8')) as SearchResponse

test('threads give the same results as the calling thread while documents change', async () => {
  await withFolder(async (one) =>
    withFolder(async (two) => {
      const alone = await openSearchEngine({ directory: one, limits })
      const threaded = await openSearchEngine({ directory: two, limits, threads: 2 })
      for (const engine of [alone, threaded]) await engine.setSettings('p', settings)
      const model = new Map<string, Product>()
      for (let at = 0; at < 60; at++) {
        const change = changeAt(5, at)
        applyToModel(model, change)
        for (const engine of [alone, threaded]) await applyToEngine(engine, change)
        const { hits, nbHits } = await threaded.search('p', { query: '', hitsPerPage: 1000, attributesToHighlight: [] })
        assert.equal(nbHits, model.size)
        assert.deepEqual(ordered(hits, []), ordered([...model.values()], []), `after change ${at}`)
      }
      // Merged at different times, both must agree once everything is one segment.
      const documents = fc.sample(products, { numRuns: 80, seed: 3 })
      for (const engine of [alone, threaded]) await engine.replaceAll('p', documents, settings)
      for (const params of queries) {
        assert.equal((await threaded.search('p', params)).nbHits, (await alone.search('p', params)).nbHits)
      }
      assert.deepEqual(await threaded.facetValues('p', 'brand', 'ta', {}), await alone.facetValues('p', 'brand', 'ta', {}))
      await assert.rejects(threaded.search('p', { query: '', filters: 'price >' }), { status: 400 })
      await alone.close()
      await threaded.close()
    }),
  )
})

test('the same folder read with and without threads gives the same results', async () => {
  await withFolder(async (directory) => {
    const writer = await openSearchEngine({ directory })
    await writer.replaceAll('p', fc.sample(products, { numRuns: 200, seed: 11 }), settings)
    const alone = await openSearchEngine({ directory, mode: 'reader' })
    const threaded = await openSearchEngine({ directory, mode: 'reader', threads: 2 })
    for (const params of queries) {
      const expected = withoutTime(await alone.search('p', params))
      assert.deepEqual(withoutTime(await threaded.search('p', params)), expected)
      for (const engine of [alone, threaded]) assert.deepEqual(withoutTime(read(await engine.searchWritten!('p', params))), expected)
    }
    for (const engine of [writer, alone, threaded]) await engine.close()
  })
})

test('a serialised response equals the object response, with the same summary', async () => {
  await withFolder(async (directory) => {
    const engine = await openSearchEngine({ directory })
    const document = { objectID: '1', title: 'Drill "é" \u2028', _highlightResult: 'its own', nested: { a: [1, null] } }
    await engine.replaceAll('p', [document, { objectID: '2', title: 'Drilling' }], {
      attributesForFaceting: ['title'],
      searchableAttributes: ['title'],
      unretrievableAttributes: ['nested'],
    })
    for (const params of [
      { query: 'drill', facets: ['title'], getRankingInfo: true },
      { query: 'dril', attributesToRetrieve: ['title', '_highlightResult'], highlightPreTag: '"<' },
      { query: 'drill', attributesToRetrieve: [], attributesToHighlight: [] },
    ]) {
      // Twice, because the serialised parts are cached.
      for (let time = 0; time < 2; time++) {
        const written = await engine.searchWritten!('p', params)
        const { query, nbHits, page, index, ...rest } = read(written)
        assert.deepEqual(withoutTime({ query, nbHits, page, index, ...rest }), withoutTime(await engine.search('p', params)))
        assert.deepEqual(written.summary, { query, nbHits, page, index, queryID: undefined, objectIDs: [] })
      }
    }
    const counted = await engine.searchWritten!('p', { query: '', clickAnalytics: true })
    assert.match(counted.summary.queryID ?? '', /^[0-9a-f]{32}$/)
    assert.equal(counted.summary.queryID, read(counted).queryID)
    // An event counts for what its query showed.
    assert.deepEqual(counted.summary.objectIDs.toSorted(), ['1', '2'])
    await engine.close()
  })
})

test('a document is written as it is stored, unless it has an attribute of hits of its own', async () => {
  await withFolder(async (directory) => {
    const engine = await openSearchEngine({ directory })
    await engine.replaceAll(
      'p',
      [
        { objectID: '1', title: 'Drill', nested: { a: [1, null], text: '} é \u2028' } },
        { title: 'Drill stand', objectID: '2', _highlightResult: 'its own' },
        { title: 'Drill box', objectID: '3', _rankingInfo: { own: true } },
      ],
      { searchableAttributes: ['title'] },
    )
    const params = { query: 'drill', getRankingInfo: true }
    const written = await engine.searchWritten!('p', params)
    assert.deepEqual(withoutTime(read(written)), withoutTime(await engine.search('p', params)))
    const names = Buffer.from(written.json)
      .toString('utf8')
      .match(/"_(?:highlightResult|rankingInfo)":/g)
    assert.equal(names?.length, 6, 'each hit has both once')
    await engine.close()
  })
})

test('V-13 indexes that nobody uses are not open: the next use opens them, with what was written meanwhile', async () => {
  await withFolder(async (directory) => {
    const writer = await openSearchEngine({ directory, limits })
    const documents = fc.sample(products, { numRuns: 20, seed: 4 })
    for (const name of ['p', 'q']) await writer.replaceAll(name, documents, settings)
    const reader = await openSearchEngine({ directory, mode: 'reader', limits: { ...limits, documentMemory: 0 }, pollMs: 20, idleMs: 150 })
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((each) => {
        try {
          return /index-[pq]\/.*\.documents$/.test(readlinkSync(`/proc/self/fd/${each}`))
        } catch {
          return false
        }
      }).length
    const inWriter = openFiles()
    assert.equal((await reader.search('p', { query: '' })).nbHits, (await writer.search('p', { query: '' })).nbHits)
    const isLinux = process.platform === 'linux'
    if (isLinux) assert.equal(openFiles() - inWriter, 1, 'only what was asked for is open')
    await wait(400)
    if (isLinux) assert.equal(openFiles() - inWriter, 0)
    await writer.remove('p', [documents[0]!.objectID])
    assert.deepEqual(
      (await reader.listIndexes()).map(({ name }) => name),
      ['p', 'q'],
    )
    assert.equal((await reader.search('p', { query: '' })).nbHits, (await writer.search('p', { query: '' })).nbHits)
    await writer.deleteIndex('q')
    await wait(100)
    await assert.rejects(reader.search('q', { query: '' }), { status: 404 })
    await reader.close()
    await writer.close()
  })
})

test('a reader without an index answers 404, finds it when it appears, and sees a change within a second', async () => {
  await withFolder(async (directory) => {
    const reader = await openSearchEngine({ directory, mode: 'reader', pollMs: 50 })
    await assert.rejects(reader.search('p', { query: '' }), { status: 404 })
    await assert.rejects(reader.upsert('p', []), { status: 403 })
    const writer = await openSearchEngine({ directory, limits })
    await writer.setSettings('p', settings)
    const model = new Map<string, Product>()
    for (let at = 0; at < 40; at++) {
      const change = changeAt(9, at)
      applyToModel(model, change)
      await applyToEngine(writer, change)
      if (at % 8 !== 7) continue
      const expected = ordered([...model.values()], [])
      const until = Date.now() + 5_000
      for (;;) {
        const found = await reader.browse('p', { hitsPerPage: 1000 }).catch(() => ({ hits: [] }))
        if (JSON.stringify(found.hits) === JSON.stringify(expected)) break
        assert.ok(Date.now() < until, `change ${at} was not seen`)
        await wait(20)
      }
    }
    assert.equal(reader.version('p'), writer.version('p'))
    await writer.deleteIndex('p')
    await wait(200)
    await assert.rejects(reader.search('p', { query: '' }), { status: 404 })
    await reader.close()
    await writer.close()
  })
})

test('a second writer is refused while the first is open', async () => {
  await withFolder(async (directory) => {
    const writer = await openSearchEngine({ directory })
    await assert.rejects(openSearchEngine({ directory }), /writes to/)
    await writer.close()
    await (await openSearchEngine({ directory })).close()
  })
})
