import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSearchEngine, type SearchDocument } from './index.ts'
import { withFolder } from './testing/folders.ts'
import { vocabulary } from './testing/model.ts'

const k1 = 2
const b = 0.75

interface Text extends SearchDocument {
  title: string
  body: string
}

/** BM25F as in the textbook: weighted frequencies and weighted lengths, then one saturation. */
function reference(corpus: readonly Text[], query: readonly string[], weights: { title: number; body: number }): Map<string, number> {
  const lengthOf = (document: Text) => weights.title * document.title.split(' ').length + weights.body * document.body.split(' ').length
  const average = corpus.reduce((sum, document) => sum + lengthOf(document), 0) / corpus.length
  const times = (text: string, word: string) => text.split(' ').filter((one) => one === word).length
  const scores = new Map<string, number>()
  for (const document of corpus) {
    let score = 0
    let matches = true
    for (const word of query) {
      const containing = corpus.filter((one) => times(one.title, word) + times(one.body, word) > 0).length
      const idf = Math.log(1 + (corpus.length - containing + 0.5) / (containing + 0.5))
      const frequency = weights.title * times(document.title, word) + weights.body * times(document.body, word)
      if (frequency === 0) matches = false
      score += (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * lengthOf(document)) / average))
    }
    if (matches) scores.set(document.objectID, score)
  }
  return scores
}

const text = (max: number) => fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: max }).map((words) => words.join(' '))
const corpora = fc
  .array(fc.record({ title: text(6), body: text(30) }), { minLength: 1, maxLength: 40 })
  .map((texts) => texts.map((one, index): Text => ({ objectID: `d${String(index).padStart(3, '0')}`, ...one })))

test('scores and order are those of plain BM25F, in one segment or in several', async () => {
  await fc.assert(
    fc.asyncProperty(
      corpora,
      fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }),
      fc.record({ title: fc.integer({ min: 1, max: 4 }), body: fc.integer({ min: 1, max: 2 }) }),
      fc.constantFrom(5, 1000),
      (corpus, query, weights, segmentDocuments) =>
        withFolder(async (directory) => {
          const engine = await openSearchEngine({ directory, limits: { segmentDocuments } })
          await engine.replaceAll('t', corpus, { searchableAttributes: ['title', 'body'], attributeWeights: weights })
          const { hits } = await engine.search('t', {
            query: query.join(' '),
            queryType: 'prefixNone',
            typoTolerance: false,
            hitsPerPage: 100,
            getRankingInfo: true,
          })
          const expected = reference(corpus, query, weights)
          assert.deepEqual(new Set(hits.map((hit) => hit.objectID)), new Set(expected.keys()))
          let last = Infinity
          for (const hit of hits) {
            const score = expected.get(hit.objectID)!
            assert.ok(Math.abs((hit._rankingInfo!.score as number) - score) < 1e-4 * (1 + score), `score of ${hit.objectID}`)
            assert.ok(score <= last + 1e-4 * (1 + score), `place of ${hit.objectID}`)
            last = score
          }
          await engine.close()
        }),
    ),
    { numRuns: 150 },
  )
})
