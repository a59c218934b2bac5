import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSearchEngine } from '../index.ts'
import type { SearchParams } from '../types.ts'

const directory = mkdtempSync(join(tmpdir(), 'scored-filters-'))
const engine = await openSearchEngine({ directory, mode: 'writer', threads: 0 })
after(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})
await engine.replaceAll(
  'goods',
  ['Tarvok', 'Brexiro', 'Tarvok', 'Tolvika'].map((brand, at) => ({
    objectID: String(at + 1),
    title: 'Drill',
    brand,
    sold: at % 2 ? 'b2c' : 'b2b',
  })),
  { language: 'en', searchableAttributes: ['title'], attributesForFaceting: ['brand', 'sold'] },
)
const ids = async (params: SearchParams) => (await engine.search('goods', params)).hits.map(({ objectID }) => objectID)

test('alternatives of a filter rank by their scores, the others as before', async () => {
  assert.deepEqual(await ids({ filters: 'objectID:1<score=1> OR objectID:4<score=3> OR objectID:2<score=2>' }), ['4', '2', '1'])
  assert.deepEqual(await ids({ filters: 'objectID:"4"<score=1> OR objectID:"1"<score=2> OR objectID:"404"<score=3>' }), ['1', '4'])
  assert.deepEqual(await ids({ filters: 'brand:Tolvika<score=2> OR brand:Tarvok' }), ['4', '1', '3'])
  assert.deepEqual(await ids({ filters: '(brand:Tolvika<score=2> OR brand:Brexiro) AND sold:b2c' }), ['4', '2'])
  assert.deepEqual(await ids({ filters: 'objectID:4 OR objectID:2' }), ['2', '4'], 'without scores nothing is ranked by them')
  assert.deepEqual(
    await ids({ filters: 'objectID:1<score=2> OR objectID:4<score=1>', optionalFilters: ['objectID:4<score=5>'] }),
    ['4', '1'],
    'scores of filters and of optional filters add up',
  )
})

test('a response has the fields that were asked for, written or as objects', async () => {
  const params = { query: 'drill', facets: ['brand'], hitsPerPage: 1, getRankingInfo: true }
  for (const [responseFields, expected] of [
    [['hits'], ['hits']],
    [
      ['nbHits', 'facets'],
      ['facets', 'nbHits'],
    ],
    [['unknown'], []],
  ] as const) {
    const asked = { ...params, responseFields: [...responseFields] }
    assert.deepEqual(Object.keys(await engine.search('goods', asked)).toSorted(), expected)
    const written = await engine.searchWritten?.('goods', asked)
    const text = new TextDecoder().decode(written?.json)
    assert.deepEqual(Object.keys(JSON.parse(text) as object).toSorted(), expected)
    assert.equal(written?.summary.nbHits, 4, 'analytics know them all the same')
  }
  for (const responseFields of [undefined, ['*'], ['hits', '*']])
    assert.ok(Object.keys(await engine.search('goods', { ...params, ...(responseFields && { responseFields }) })).length > 9)
  await assert.rejects(engine.search('goods', { query: '', responseFields: 7 as unknown as string[] }), /responseFields/)
})
