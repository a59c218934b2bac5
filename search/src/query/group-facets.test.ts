import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSearchEngine } from '../index.ts'

const settings = {
  language: 'en' as const,
  searchableAttributes: ['title'],
  attributesForFaceting: ['colour', 'tags', 'model'],
  attributeForDistinct: 'model',
}
const colours = ['red', 'green', 'blue']
const good = fc.record({
  colour: fc.constantFrom(...colours),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  model: fc.option(fc.constantFrom('m1', 'm2', 'm3', 'm4'), { nil: undefined }),
})

test('after distinct, a value’s count is the number of groups left when it is chosen, in one segment or in several', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(good, { minLength: 1, maxLength: 25 }), fc.array(good, { maxLength: 10 }), async (built, later) => {
      const directory = mkdtempSync(join(tmpdir(), 'groups-'))
      const engine = await openSearchEngine({ directory })
      try {
        const documents = [...built, ...later].map((one, at) => ({ objectID: String(at), title: 'drill', ...one }))
        await engine.replaceAll('goods', documents.slice(0, built.length), settings)
        if (later.length > 0) await engine.upsert('goods', documents.slice(built.length))
        const params = { query: 'drill', distinct: true, facets: ['colour', 'tags'], facetingAfterDistinct: true }
        const { facets = {}, nbHits } = await engine.search('goods', params)
        const groupOf = ({ model, objectID }: (typeof documents)[number]): string => model ?? `own ${objectID}`
        assert.equal(nbHits, new Set(documents.map(groupOf)).size)
        for (const colour of colours) {
          const groups = new Set(documents.filter((one) => one.colour === colour).map(groupOf))
          assert.equal(facets['colour']?.[colour] ?? 0, groups.size)
          const chosen = await engine.search('goods', { ...params, facetFilters: [[`colour:${colour}`]] })
          assert.equal(chosen.nbHits, groups.size)
        }
        for (const tag of ['a', 'b', 'c']) {
          const groups = new Set(documents.filter(({ tags }) => (tags as string[]).includes(tag)).map(groupOf))
          assert.equal(facets['tags']?.[tag] ?? 0, groups.size)
        }
      } finally {
        await engine.close()
        rmSync(directory, { recursive: true, force: true })
      }
    }),
    { numRuns: 40 },
  )
})
