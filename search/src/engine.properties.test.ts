import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSearchEngine, type SearchEngine, type SearchParams } from './index.ts'
import { filters, objectIDs, products, queries } from './testing/arbitraries.ts'
import { withFolder } from './testing/folders.ts'
import {
  byBrand,
  byPrice,
  byRanking,
  facetCounts,
  firstOfGroups,
  groupCounts,
  hasWords,
  ordered,
  passes,
  print,
  settings,
  type Product,
} from './testing/model.ts'
import type { Filter } from './query/filter-parser.ts'

const plain: SearchParams = { queryType: 'prefixNone', typoTolerance: false, attributesToHighlight: [] }
const limits = { flushDocuments: 12, segmentDocuments: 9 }
const facets = ['brand', 'tags', 'isNew', 'rating', 'categories.lvl0', 'categories.lvl1']

type Step =
  | { do: 'upsert'; documents: Product[] }
  | { do: 'remove'; ids: string[] }
  | { do: 'replaceAll'; documents: Product[] }
  | { do: 'reopen' }
  | {
      do: 'ask'
      words: string[]
      filter: Filter | null
      order: 'ranking' | 'price' | 'brand'
      distinct: boolean
      grouped: boolean
      page: number
      size: number
    }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.array(products, { minLength: 1, maxLength: 6 }).map((documents): Step => ({ do: 'upsert', documents })) },
  { weight: 2, arbitrary: fc.array(objectIDs, { minLength: 1, maxLength: 4 }).map((ids): Step => ({ do: 'remove', ids })) },
  { weight: 1, arbitrary: fc.array(products, { maxLength: 30 }).map((documents): Step => ({ do: 'replaceAll', documents })) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reopen' }) },
  {
    weight: 8,
    arbitrary: fc
      .record({
        words: queries,
        filter: fc.option(filters, { nil: null }),
        order: fc.constantFrom('ranking' as const, 'price' as const, 'brand' as const),
        distinct: fc.boolean(),
        grouped: fc.boolean(),
        page: fc.integer({ min: 0, max: 3 }),
        size: fc.integer({ min: 1, max: 12 }),
      })
      .map((of): Step => ({ do: 'ask', ...of })),
  },
)

async function check(engine: SearchEngine, model: Map<string, Product>, step: Extract<Step, { do: 'ask' }>): Promise<void> {
  const name = { ranking: 'p', price: 'p_price_asc', brand: 'p_brand_desc' }[step.order]
  const params: SearchParams = {
    ...plain,
    query: step.words.join(' '),
    facets: [...facets, 'price'],
    distinct: step.distinct,
    facetingAfterDistinct: step.grouped,
    page: step.page,
    hitsPerPage: step.size,
  }
  if (step.filter) params.filters = print(step.filter)
  const answer = await engine.search(name, params)

  const matching = [...model.values()].filter(
    (document) => hasWords(document, step.words) && (!step.filter || passes(step.filter, document)),
  )
  const isGrouped = step.distinct && step.grouped
  const counted = isGrouped ? groupCounts : facetCounts
  for (const facet of facets) assert.deepEqual(answer.facets?.[facet] ?? {}, counted(matching, facet), facet)
  const ratings = matching.flatMap((document) => (document.rating === undefined ? [] : [document.rating]))
  if (ratings.length > 0) {
    const sum = ratings.reduce((total, rating) => total + rating, 0)
    const { min, max, ...means } = answer.facets_stats!.rating!
    assert.deepEqual([min, max], [Math.min(...ratings), Math.max(...ratings)])
    if (!isGrouped) assert.deepEqual(means, { avg: sum / ratings.length, sum })
  } else assert.equal(answer.facets_stats?.rating, undefined)

  const keys = { ranking: byRanking, price: byPrice, brand: byBrand }[step.order]
  const sorted = ordered(matching, keys)
  const kept = step.distinct ? firstOfGroups(sorted, 'model') : sorted
  assert.equal(answer.nbHits, kept.length)
  const isRelevance = step.order === 'ranking' && step.words.length > 0
  if (!isRelevance) {
    const page = kept.slice(step.page * step.size, (step.page + 1) * step.size)
    assert.deepEqual(answer.hits, page)
    return
  }
  // By relevance the order is another test's; every hit must be one of the model's, whole and once.
  assert.equal(answer.hits.length, Math.max(0, Math.min(step.size, kept.length - step.page * step.size)))
  assert.equal(new Set(answer.hits.map((hit) => hit.objectID)).size, answer.hits.length)
  for (const hit of answer.hits)
    assert.deepEqual(
      hit,
      matching.find((document) => document.objectID === hit.objectID),
    )
}

async function run(sequence: readonly Step[], threads: number): Promise<void> {
  await withFolder(async (directory) => {
    const model = new Map<string, Product>()
    let engine = await openSearchEngine({ directory, limits, threads })
    await engine.setSettings('p', settings)
    for (const step of sequence) {
      if (step.do === 'ask') await check(engine, model, step)
      else if (step.do === 'upsert') {
        await engine.upsert('p', step.documents)
        for (const document of step.documents) model.set(document.objectID, document)
      } else if (step.do === 'remove') {
        await engine.remove('p', step.ids)
        for (const id of step.ids) model.delete(id)
      } else if (step.do === 'replaceAll') {
        await engine.replaceAll('p', step.documents, settings)
        model.clear()
        for (const document of step.documents) model.set(document.objectID, document)
      } else {
        await engine.close()
        engine = await openSearchEngine({ directory, limits, threads })
      }
    }
    const all: { objectID: string }[] = []
    let cursor: string | undefined
    do {
      const page = await engine.browse('p', { hitsPerPage: 7, ...(cursor === undefined ? {} : { cursor }) })
      all.push(...page.hits)
      cursor = page.cursor
    } while (cursor !== undefined)
    assert.deepEqual(all, ordered([...model.values()], []))
    await engine.close()
  })
}

test('V-80 filters, counts, counts after grouping, distinct, orders and pages are what a walk through all documents gives, whatever was written between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 25 }), (sequence) => run(sequence, 0)),
    { numRuns: 150 },
  )
})

test('facetFilters and numericFilters say the same as the text of filters', async () => {
  await withFolder(async (directory) => {
    const engine = await openSearchEngine({ directory })
    const documents = fc.sample(products, { numRuns: 60, seed: 7 })
    await engine.replaceAll('p', documents, settings)
    const ask = async (params: SearchParams) =>
      (await engine.search('p', { ...plain, hitsPerPage: 100, ...params })).hits.map((hit) => hit.objectID)
    assert.deepEqual(
      await ask({ facetFilters: [['brand:Tarvok', 'brand:Ämter'], 'tags:-red'] }),
      await ask({ filters: '(brand:Tarvok OR brand:Ämter) AND NOT tags:red' }),
    )
    assert.deepEqual(
      await ask({ numericFilters: ['price>=2', ['rating=5', 'rating<2']] }),
      await ask({ filters: 'price >= 2 AND (rating = 5 OR rating < 2)' }),
    )
    assert.deepEqual(await ask({ facetFilters: 'brand:Tarvok' }), await ask({ filters: "brand:'Tarvok'" }))
    assert.ok((await ask({ filters: 'brand:Tarvok' })).length > 0)
    await engine.close()
  })
})
