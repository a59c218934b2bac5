import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { openSearchEngine } from '@purlin/search/index.ts'
import { engineRule, engineSynonym, leverId, ruleInput, stopWordsInput, synonymInput, weightsInput } from './levers.ts'

const directory = mkdtempSync(join(tmpdir(), 'rules-'))
const engine = await openSearchEngine({ directory, mode: 'writer', threads: 0 })
after(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})
const ids = Array.from({ length: 12 }, (_, at) => String(at + 1))
const index = 'rules'
await engine.replaceAll(
  index,
  ids.map((objectID) => ({
    objectID,
    title: `Folding rule ${objectID}`,
    brandName: Number(objectID) % 3 ? 'Tarvok' : 'Brexiro',
    sold: Number(objectID) % 2 ? 'b2c' : 'b2b',
    popularity: 100 - Number(objectID),
  })),
  {
    language: 'en',
    searchableAttributes: ['title'],
    attributesForFaceting: ['brandName', 'sold'],
    customRanking: ['desc(popularity)'],
    hitsPerPage: 50,
  },
)

/** The results under one rule. */
async function under(rule: object, query: string, more: object = {}): Promise<string[]> {
  await engine.setRules(index, [engineRule('r', v.parse(ruleInput, rule))], { clearExisting: true })
  return (await engine.search(index, { query, ...more })).hits.map(({ objectID }) => objectID)
}
const plain = async (query: string, more: object = {}) => {
  await engine.setRules(index, [], { clearExisting: true })
  return (await engine.search(index, { query, ...more })).hits.map(({ objectID }) => objectID)
}

const rule = fc
  .record({
    order: fc.shuffledSubarray(ids, { maxLength: 8 }),
    promoted: fc.integer({ min: 0, max: 4 }),
    positions: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ order, promoted, positions }) => ({
    promote: order.slice(0, promoted).map((productId, at) => ({ productId, position: positions[at]! })),
    hide: order.slice(promoted),
  }))

test('for any rule, hidden products are gone, promoted ones are in their positions, and the others keep their order', async () => {
  const before = await plain('folding rule')
  assert.equal(before.length, ids.length)
  await fc.assert(
    fc.asyncProperty(rule, async ({ promote, hide }) => {
      const moved = new Set([...promote.map(({ productId }) => productId), ...hide])
      const expected = before.filter((id) => !moved.has(id))
      // Counted from the first place; past the end of the list the last place is the nearest possible.
      for (const { productId, position } of promote.toSorted((a, b) => a.position - b.position)) expected.splice(position, 0, productId)
      assert.deepEqual(await under({ promote, hide }, 'folding rule'), expected)
    }),
    { numRuns: 150 },
  )
})

test('a product not sold on a storefront is not promoted there', async () => {
  const promote = [
    { productId: '2', position: 0 },
    { productId: '11', position: 1 },
  ]
  const found = await under({ promote }, 'folding rule', { facetFilters: [['sold:b2c']] })
  assert.ok(!found.includes('2'))
  assert.ok(found.indexOf('11') <= 1)
})

test('a boost lifts products and removes none', async () => {
  const boost = [{ attribute: 'brandName', value: 'Brexiro', score: 50 }]
  const found = await under({ boost }, 'folding rule')
  assert.deepEqual(found.slice(0, 4), ['3', '6', '9', '12'])
  assert.deepEqual(found.toSorted(), ids.toSorted())
})

const conditions: [title: string, condition: object, query: string, holds: boolean][] = [
  ['the whole query', { pattern: 'folding rule', anchoring: 'is' }, 'Folding  Rule', true],
  ['not only a part of it', { pattern: 'folding', anchoring: 'is' }, 'folding rule', false],
  ['its beginning', { pattern: 'folding', anchoring: 'startsWith' }, 'folding rule', true],
  ['its beginning by whole words', { pattern: 'fold', anchoring: 'startsWith' }, 'folding rule', false],
  ['its end', { pattern: 'rule', anchoring: 'endsWith' }, 'folding rule', true],
  ['a word within', { pattern: 'rule', anchoring: 'contains' }, 'folding rule 7', true],
  ['another query', { pattern: 'hammer', anchoring: 'contains' }, 'folding rule', false],
  ['a context that was not given', { context: 'product-history' }, 'folding rule', false],
]
for (const [title, condition, query, holds] of conditions) {
  test(`a rule for ${title} ${holds ? 'holds' : 'does not hold'} for "${query}"`, async () => {
    const found = await under({ conditions: [condition], hide: ['1'] }, query)
    assert.equal(!found.includes('1'), holds)
  })
}

test('a rule applies in its context, and a disabled one nowhere', async () => {
  const context = { conditions: [{ context: 'product-history' }], hide: ['1'] }
  assert.ok(!(await under(context, 'folding rule', { ruleContexts: ['product-history'] })).includes('1'))
  assert.ok((await under({ enabled: false, hide: ['1'] }, 'folding rule')).includes('1'))
})

test('a one-way synonym works in one direction', async () => {
  const input = v.parse(synonymInput, { type: 'oneWaySynonym', input: 'yardstick', synonyms: ['folding rule'] })
  assert.ok(input.type === 'oneWaySynonym')
  await engine.setSynonyms(index, [engineSynonym('s', input.type, input.input, input.synonyms)], { replaceExisting: true })
  assert.equal((await plain('yardstick')).length, ids.length)
})

const refused: [what: string, schema: v.GenericSchema, value: unknown][] = [
  ['a synonym without others', synonymInput, { type: 'synonym', synonyms: ['one'] }],
  ['a blank synonym', synonymInput, { type: 'synonym', synonyms: ['one', '  '] }],
  ['a one-way synonym without its word', synonymInput, { type: 'oneWaySynonym', synonyms: ['one'] }],
  ['too many synonyms', synonymInput, { type: 'synonym', synonyms: Array.from({ length: 51 }, (_, at) => `word${at}`) }],
  ['a product that is none', ruleInput, { promote: [{ productId: 'x1', position: 0 }] }],
  ['a place before the first', ruleInput, { promote: [{ productId: '1', position: -1 }] }],
  ['a place between two', ruleInput, { promote: [{ productId: '1', position: 1.5 }] }],
  ['a boost of nothing', ruleInput, { boost: [{ attribute: 'brandName', value: '', score: 5 }] }],
  ['a boost by a made-up attribute', ruleInput, { boost: [{ attribute: 'a:b OR c', value: 'x', score: 5 }] }],
  ['a boost without measure', ruleInput, { boost: [{ attribute: 'brandName', value: 'x', score: 100_000 }] }],
  ['a way of matching there is not', ruleInput, { conditions: [{ pattern: 'x', anchoring: 'sounds-like' }] }],
  ['a redirect with a blank', ruleInput, { redirect: '/great deals' }],
  ['stop words without end', stopWordsInput, Array.from({ length: 501 }, (_, at) => `w${at}`)],
  ['a weight below nothing', weightsInput, { title: -1 }],
  ['a weight of a field there is not', weightsInput, { price: 1 }],
  ['an id with a slash', leverId, 'a/b'],
  ['an empty id', leverId, ''],
]
for (const [what, schema, value] of refused) {
  test(`invalid setting: ${what}`, () => assert.equal(v.safeParse(schema, value).success, false))
}
