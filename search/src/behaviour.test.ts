import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchEngine, type IndexSettings, type SearchEngine, type SearchParams } from './index.ts'

const documents = [
  { objectID: '1', title: 'Perceuse-visseuse sans fil 18 V', brand: 'Tarvok', ref: 'TVK-18.200', price: 129, popularity: 5 },
  { objectID: '2', title: 'Perceuse filaire 750 W', brand: 'Brexiro', ref: 'BRX 750', price: 59, popularity: 9 },
  { objectID: '3', title: 'Vis à bois 4 mm x 40 mm, boîte de 200', brand: 'Visdorel', ref: 'V440', price: 9, popularity: 3 },
  { objectID: '4', title: 'Vis à bois 5 x 60 mm', brand: 'Visdorel', ref: 'V560', price: 11, popularity: 4 },
  { objectID: '5', title: "Meuleuse d'angle 125 mm", brand: 'Tarvok', ref: '4006381333931', price: 89, popularity: 8 },
  {
    objectID: '6',
    title: 'Tondeuse à gazon thermique',
    brand: 'Silvarello',
    ref: 'TG46',
    price: 349,
    popularity: 2,
    secret: 'buying price',
  },
  { objectID: '7', title: 'Étagère charge lourde 1,5 m', brand: 'Brexiro', ref: 'ET-1500', price: 79, popularity: 1 },
]

const settings: IndexSettings = {
  language: 'fr',
  searchableAttributes: ['title', 'brand'],
  exactAttributes: ['ref'],
  attributesForFaceting: ['searchable(brand)', 'filterOnly(price)'],
  customRanking: ['desc(popularity)'],
  unretrievableAttributes: ['secret'],
}

let directory: string
let engine: SearchEngine
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'behaviour-'))
  engine = await openSearchEngine({ directory })
  await engine.replaceAll('p', documents, settings)
})
after(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const ids = async (query: string, more: SearchParams = {}) => (await engine.search('p', { query, ...more })).hits.map((hit) => hit.objectID)

test('typical queries find the intended products', async () => {
  const cases: [string, string[]][] = [
    ['perceuse', ['2', '1']],
    ['PERCEUSES', ['2', '1']],
    ['perceuse 18v', ['1']],
    ['perceuse 18 volts', ['1']],
    ['perc', ['2', '1']],
    ['perceusse', ['2', '1']],
    ['prceuse', ['2', '1']],
    ['perceues 18 v', ['1']],
    ['vis 4x40', ['3']],
    ['vis 4,0 x 40 mm', ['3']],
    ['vis 5x60', ['4']],
    ['etagere', ['7']],
    ['etagere 150 cm', ['7']],
    ['angle meuleuse', ['5']],
    ['meul euse', ['5']],
    ['tondeusegazon', ['6']],
    ['tondeus eà gazon', ['6']],
    ['xyzzy', []],
  ]
  for (const [query, expected] of cases) assert.deepEqual(await ids(query), expected, query)
})

test('part numbers and EANs match exactly, in any spacing, and by prefix', async () => {
  for (const query of ['TVK-18.200', 'tvk18200', 'TVK 18 200', 'tvk-18']) assert.deepEqual(await ids(query), ['1'], query)
  for (const query of ['4006381333931', '4006381 333931', '40063813']) assert.deepEqual(await ids(query), ['5'], query)
  assert.deepEqual(await ids('brx750'), ['2'])
})

test('a number is never treated as a misspelling of another', async () => {
  assert.deepEqual(await ids('perceuse 12v'), [])
})

test('a prefix may contain a typo from five letters on; shorter input corrects to whole words only', async () => {
  assert.deepEqual(await ids('tomde'), ['6'])
  assert.deepEqual(await ids('vsi'), ['4', '3'])
  assert.deepEqual(await ids('tomd'), [])
  assert.deepEqual(await ids('mueu'), [])
})

test('a misspelled query gets a suggestion, with the accents of the text', async () => {
  assert.equal((await engine.search('p', { query: 'tondeuze gazon' })).didYouMean, 'tondeuse gazon')
  assert.equal((await engine.search('p', { query: 'etagrre' })).didYouMean, 'étagère')
  assert.equal((await engine.search('p', { query: 'tondeuse' })).didYouMean, undefined)
})

test('typo tolerance and prefix matching can be turned off', async () => {
  assert.deepEqual(await ids('perceusse', { typoTolerance: false }), [])
  assert.deepEqual(await ids('perc', { queryType: 'prefixNone', typoTolerance: false }), [])
})

test('words are dropped when nothing matches them all, and reported', async () => {
  const ask = async (query: string, removeWordsIfNoResults: SearchParams['removeWordsIfNoResults']) =>
    engine.search('p', { query, removeWordsIfNoResults })
  assert.equal((await ask('perceuse gazon', 'none')).nbHits, 0)
  const last = await ask('perceuse gazon', 'lastWords')
  assert.deepEqual([last.nbHits, last.droppedWords], [2, ['gazon']])
  const first = await ask('perceuse gazon', 'firstWords')
  assert.deepEqual([first.hits[0]!.objectID, first.droppedWords], ['6', ['perceuse']])
  assert.equal((await ask('perceuse gazon', 'allOptional')).nbHits, 3)
  const unknown = await ask('perceuse qqqqqqqq', 'lastWords')
  assert.deepEqual([unknown.nbHits, unknown.droppedWords], [2, ['qqqqqqqq']])
})

test('synonyms of one or more words, one-way or two-way, with matches of the original words first', async () => {
  await engine.setSynonyms('p', [
    { objectID: 's1', type: 'synonym', synonyms: ['disqueuse', "meuleuse d'angle"] },
    { objectID: 's2', type: 'oneWaySynonym', input: 'coupe herbe', synonyms: ['tondeuse gazon'] },
    { objectID: 's3', type: 'oneWaySynonym', input: 'visseuse', synonyms: ['meuleuse'] },
  ])
  assert.deepEqual(await ids('disqueuse'), ['5'])
  assert.deepEqual(await ids('coupe-herbe'), ['6'])
  assert.deepEqual(await ids('visseuse'), ['1', '5'])
  assert.deepEqual(await ids('meuleuse'), ['5'])
  assert.equal((await engine.synonyms('p')).length, 3)
  await engine.setSynonyms('p', [], { replaceExisting: true })
  assert.deepEqual(await ids('disqueuse'), [])
})

test('rules promote, hide, filter and carry data, by words or by context', async () => {
  await engine.setRules('p', [
    {
      objectID: 'r1',
      conditions: [{ pattern: 'perceuse', anchoring: 'contains' }],
      consequence: { promote: [{ objectID: '6', position: 0 }], hide: [{ objectID: '2' }] },
    },
    { objectID: 'r2', conditions: [{ pattern: 'livraison', anchoring: 'is' }], consequence: { userData: { redirect: '/help' } } },
    { objectID: 'r3', conditions: [{ context: 'pro' }], consequence: { params: { filters: 'brand:Tarvok' } } },
    { objectID: 'r4', enabled: false, consequence: { hide: [{ objectID: '1' }] } },
  ])
  const ruled = await engine.search('p', { query: 'Perceuse' })
  assert.deepEqual([ruled.hits.map((hit) => hit.objectID), ruled.nbHits, ruled.appliedRules], [['6', '1'], 2, [{ objectID: 'r1' }]])
  assert.deepEqual((await engine.search('p', { query: 'livraison' })).userData, [{ redirect: '/help' }])
  assert.deepEqual(await ids('', { ruleContexts: ['pro'] }), ['5', '1'])
  assert.deepEqual(await ids('perceuse', { filters: 'brand:Brexiro' }), [], 'what is promoted must pass the filters')
  await engine.setRules('p', [], { clearExisting: true })
  assert.deepEqual(await ids('perceuse'), ['2', '1'])
})

test('a promoted hit replaces its group, and two promoted ones of a group count once', async () => {
  await engine.replaceAll(
    'models',
    [
      { objectID: 'a1', title: 'drill', model: 'a', popularity: 9 },
      { objectID: 'a2', title: 'drill', model: 'a', popularity: 1 },
      { objectID: 'b1', title: 'drill', model: 'b', popularity: 5 },
      { objectID: 'c1', title: 'saw', model: 'c', popularity: 5 },
      { objectID: 'c2', title: 'saw', model: 'c', popularity: 4 },
    ],
    { searchableAttributes: ['title'], attributeForDistinct: 'model', customRanking: ['desc(popularity)'] },
  )
  const promote = (...objectIDs: string[]) =>
    engine.setRules('models', [
      { objectID: 'r', consequence: { promote: objectIDs.map((objectID, position) => ({ objectID, position })) } },
    ])
  const page = async (distinct: boolean | number) => {
    const { hits, nbHits } = await engine.search('models', { query: 'drill', distinct })
    return [hits.map((hit) => hit.objectID).join(' '), nbHits]
  }
  assert.deepEqual(await page(true), ['a1 b1', 2])
  await promote('a2')
  assert.deepEqual(await page(true), ['a2 b1', 2])
  assert.deepEqual(await page(2), ['a2 a1 b1', 3])
  await promote('c2', 'c1')
  assert.deepEqual(await page(true), ['c2 a1 b1', 3])
  assert.deepEqual(await page(2), ['c2 c1 a1 b1 a2', 5])
  assert.deepEqual(await page(false), ['c2 c1 a1 b1 a2', 5])
})

test('optional filters boost by their scores and never exclude', async () => {
  assert.deepEqual(await ids('', { optionalFilters: ['brand:Visdorel<score=5>', 'brand:Tarvok<score=20>'] }), [
    '5',
    '1',
    '4',
    '3',
    '2',
    '6',
    '7',
  ])
  assert.deepEqual(await ids('perceuse', { optionalFilters: 'brand:Tarvok<score=75>' }), ['1', '2'])
})

test('matched words are highlighted, with how much of the query they cover', async () => {
  const { hits } = await engine.search('p', {
    query: 'perceuze 18v',
    attributesToHighlight: ['title', 'brand'],
    highlightPreTag: '<b>',
    highlightPostTag: '</b>',
  })
  const marked = hits[0]!._highlightResult as Record<string, { value: string; matchLevel: string; matchedWords: string[] }>
  assert.equal(marked.title!.value, '<b>Perceuse</b>-visseuse sans fil <b>18 V</b>')
  assert.deepEqual([marked.title!.matchLevel, marked.brand!.matchLevel], ['full', 'none'])
  const begun = await engine.search('p', { query: 'tond', attributesToHighlight: ['title'] })
  assert.equal((begun.hits[0]!._highlightResult as typeof marked).title!.value, '<em>Tond</em>euse à gazon thermique')
})

test('unretrievable attributes are never returned', async () => {
  assert.equal((await engine.search('p', { query: 'tondeuse' })).hits[0]!.secret, undefined)
  assert.equal((await engine.search('p', { query: 'tondeuse', attributesToRetrieve: ['secret'] })).hits[0]!.secret, undefined)
  assert.equal((await engine.getObjects('p', ['6', 'none']))[0]!.secret, undefined)
  assert.deepEqual((await engine.search('p', { query: 'tondeuse', attributesToRetrieve: ['brand'], attributesToHighlight: [] })).hits, [
    { objectID: '6', brand: 'Silvarello' },
  ])
})

test('facet values are found by prefix, and counted for the query', async () => {
  assert.deepEqual(await engine.facetValues('p', 'brand', 'tar', { query: 'perceuse' }), [
    { value: 'Tarvok', highlighted: '<em>Tar</em>vok', count: 1 },
  ])
  await assert.rejects(engine.facetValues('p', 'price', '', {}), { status: 400 })
})

test('an invalid request is a 400 with an explanation', async () => {
  const wrong: SearchParams[] = [
    { filters: 'brand:' },
    { filters: '(brand:A' },
    { filters: 'price > x' },
    { page: -1 },
    { hitsPerPage: 1.5 },
    { hitsPerPage: 100_000 },
    { facetFilters: [1] as never },
    { numericFilters: 'price' },
  ]
  for (const params of wrong) await assert.rejects(engine.search('p', params), { name: 'Error', status: 400 }, JSON.stringify(params))
  await assert.rejects(engine.search('none', { query: '' }), { status: 404 })
})

test('a settings change that affects the schema rebuilds the index from its documents', async () => {
  await engine.replaceAll('q', documents, { ...settings, searchableAttributes: ['title'] })
  assert.equal((await engine.search('q', { query: 'tarvok' })).nbHits, 0)
  await engine.setSettings('q', { ...settings, sorts: { cheap: 'asc(price)' } })
  assert.equal((await engine.search('q', { query: 'tarvok' })).nbHits, 2)
  assert.deepEqual(
    (await engine.search('q_cheap', { query: '', hitsPerPage: 2 })).hits.map((hit) => hit.objectID),
    ['3', '4'],
  )
})

test('German compounds are found by their parts, and parts by their compounds', async () => {
  await engine.replaceAll(
    'de',
    [
      { objectID: 'a', title: 'Akku-Schlagbohrschrauber 18 V' },
      { objectID: 'b', title: 'Handtuchheizkörper weiß' },
      { objectID: 'c', title: 'Schrauben aus Edelstahl' },
    ],
    { language: 'de', searchableAttributes: ['title'] },
  )
  const german = async (query: string) => (await engine.search('de', { query })).hits.map((hit) => hit.objectID)
  assert.deepEqual(await german('heizkörper'), ['b'])
  assert.deepEqual(await german('Handtuch Heizkoerper'), ['b'])
  assert.deepEqual(await german('edelstahlschrauben'), ['c'])
  assert.ok((await german('akkuschrauber')).includes('a'))
})
