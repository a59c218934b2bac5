import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSearchEngine, type SearchParams } from './index.ts'

const documents = [
  { objectID: 'drill', title: 'Cordless drill 18 V', thing: 'drills', popularity: 1 },
  {
    objectID: 'bits',
    title: 'Drill bits, drill by drill',
    thing: 'bits',
    text: 'For every drill, cordless or not: a drill is a drill',
    popularity: 9,
  },
  { objectID: 'vacuum', title: 'Wet and dry vacuum, cordless', thing: 'vacuums', popularity: 8 },
  { objectID: 'battery', title: 'Tool battery 18 V', thing: 'batteries', popularity: 2 },
  { objectID: 'mower', title: 'Lawn mower', thing: 'mowers', popularity: 5 },
  { objectID: 'seat', title: 'Soft-close seat', thing: 'seats', popularity: 5 },
  { objectID: 'white', title: 'Wall paint, white', thing: 'paints', popularity: 1 },
  { objectID: 'beige', title: 'Wall paint, beige', thing: 'paints', popularity: 7 },
  { objectID: 'boots', title: 'Boots, size 43', thing: 'boots', popularity: 1 },
  { objectID: 'boots433', title: 'Boots Max 433, size 40', thing: 'boots', popularity: 6 },
  { objectID: 'blade', title: 'Saw blade 254 mm', thing: 'blades', popularity: 1 },
  { objectID: 'panel', title: 'Solar panel 400 Wp', thing: 'panels', popularity: 1 },
]

const directory = mkdtempSync(join(tmpdir(), 'understanding-'))
const engine = await openSearchEngine({ directory })
after(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})
await engine.replaceAll('p', documents, {
  language: 'en',
  searchableAttributes: ['title', 'thing', 'text'],
  headAttribute: 'thing',
  customRanking: ['desc(popularity)'],
})
await engine.setSynonyms('p', [
  { objectID: '1', type: 'synonym', synonyms: ['lawnmower', 'lawn mower'] },
  { objectID: '2', type: 'oneWaySynonym', input: 'white emulsion', synonyms: ['wall paint'] },
])
const ask = (query: string, more: SearchParams = {}) => engine.search('p', { query, removeWordsIfNoResults: 'exceptHead', ...more })
const ids = async (query: string, more?: SearchParams) => (await ask(query, more)).hits.map(({ objectID }) => objectID)

test('a word still being typed does not have the stem of another word: "dri" is not "dry"', async () => {
  assert.deepEqual(await ids('cordless dri'), ['drill', 'bits'])
  assert.deepEqual(await ids('cordless dril'), ['drill', 'bits'])
  assert.deepEqual(await ids('cordless drill'), ['drill', 'bits'])
})

test('V-83 the thing comes before what only mentions it, however popular', async () => {
  assert.deepEqual(await ids('drill'), ['drill', 'bits'])
  assert.equal((await ids('drill bits'))[0], 'bits')
})

test('V-84 what a thing is for need not be said of it: "battery for a cordless drill" is a battery', async () => {
  assert.equal((await ids('battery for cordless drill 18v'))[0], 'battery')
})

test('V-81 when nothing has all words, the fewest are dropped, and never the noun', async () => {
  const measure = await ask('saw blade 18v')
  assert.deepEqual([measure.hits[0]?.objectID, measure.droppedWords], ['blade', ['18v']])
  const adjective = await ask('soft lawn paint')
  assert.equal(adjective.hits[0]?.objectID, 'beige')
  assert.deepEqual(adjective.droppedWords?.toSorted(), ['lawn', 'soft'])
})

test('V-82 a synonym does not drop what was said: "white emulsion" is white', async () => {
  assert.deepEqual(await ids('white emulsion'), ['white', 'beige'])
})

test('V-91 a misspelled word is spelled like a synonym that no document contains', async () => {
  assert.deepEqual(await ids('lawnmover'), ['mower'])
  assert.deepEqual(await ids('lawnmowwer'), ['mower'])
  assert.deepEqual(await ids('lawnmover', { typoTolerance: false }), [])
})

test('V-83 a word of four letters is not a misspelling of another that differs by a letter: "sofa" is not "soft"', async () => {
  assert.deepEqual(await ids('sofa'), [])
  assert.deepEqual(await ids('sotf'), ['seat'])
})

test('V-84 a number is not the beginning of another', async () => {
  assert.deepEqual(await ids('boots size 43'), ['boots'])
})

test('V-84 inches are millimetres, and the peak power of a panel is in watts', async () => {
  for (const [query, id] of [
    ['saw blade 10 inch', 'blade'],
    ['solar panel 400w', 'panel'],
  ] as const) {
    const { hits, droppedWords } = await ask(query)
    assert.deepEqual([hits.map(({ objectID }) => objectID), droppedWords], [[id], undefined], query)
  }
})

test('V-84 the grammar that was read is told, and any part of it can be taken as words alone', async () => {
  const read = async (query: string, literalWords: string[] = []) =>
    await engine.search('p', { query, literalWords, getRankingInfo: true, removeWordsIfNoResults: 'exceptHead' })
  assert.deepEqual((await read('cordless drill')).grammar, { thing: 'drill' })
  assert.deepEqual((await read('battery for a cordless drill')).grammar, { thing: 'battery', purpose: 'for a cordless drill' })
  assert.equal((await read('cordless')).grammar, undefined, 'no thing has that name')
  assert.equal((await engine.search('p', { query: 'cordless drill' })).grammar, undefined, 'only where it is asked for')
  const literal = await read('drill', ['Drill'])
  assert.deepEqual([literal.grammar, literal.hits[0]?.objectID], [undefined, 'bits'], 'by its words alone, the bits say it most often')
  const required = await read('battery for a mower', ['for a mower'])
  assert.deepEqual(required.grammar?.purpose, undefined)
})
