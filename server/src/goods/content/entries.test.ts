import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { connectPictures } from '#catalogue'
import { connectSearch, rebuildIndex } from '#listing'
import { pick, testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { readEntryFiles } from './entry-files.ts'
import { schedules } from './jobs.ts'
import { publishFiles } from './publish-files.ts'
import { forgetContent } from './shelf.ts'

useSettings({ OPERATOR_API_KEY: 'operator-key' })
const database = await testDatabase({ upTo: 'content' })
const { db } = database
await testReference(db)
await testProduct(db, { id: 1, modelId: 5, attributes: { voltage: 18 } })
await testProduct(db, { id: 2, attributes: { voltage: 12 } })
for (const market of ['gb', 'de'] as const) {
  await testOffer(db, { id: market === 'gb' ? 10 : 11, productId: 1, market, sellerId: 2, price: 12_000 })
  await testOffer(db, { id: market === 'gb' ? 20 : 21, productId: 2, market, sellerId: 2, price: 9_000 })
}
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)
const key = { authorization: 'Bearer operator-key' }
beforeEach(forgetContent)
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'pictures-'))))

const text = (title: string, markdown: string) => ({
  title,
  description: `${title}, told step by step with everything you need for it.`,
  lead: '',
  markdown,
})
const words = `## Before {#before}

Read [the terms](page:terms#law), see [tools](category:1) and [another guide](guide:drill-a-hole).

:::calculator floor
Your floor
:::

:::shopping
- drill: A drill | Any will do.
:::

:::comparison
- strong: Strong
- small: Small
:::

:::steps
### First {#first}
Do it.
:::`
const facts = {
  published: '2026-10-01',
  department: 1,
  categories: [1],
  picture: { family: 'drill', attributes: { color: 'blue' } },
  calculators: { floor: { kind: 'floor', sparePercent: 10 } },
  shopping: [{ key: 'drill', is: 'tool', category: 1, need: { calculator: 'floor', each: 2, content: 'voltage' } }],
  comparison: {
    attributes: ['voltage'],
    picks: [
      { key: 'strong', category: 1, filters: { voltage: [18] } },
      { key: 'small', category: 1, filters: { voltage: [12] } },
    ],
  },
}
const version = (more: object = {}) => ({
  key: 'drill-a-hole',
  facts,
  texts: { en: text('Drill a hole', words), de: text('Löcher bohren', words) },
  replaces: 0,
  from: '2026-10-01T00:00:00Z',
  ...more,
})

async function operator(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object, headers: Record<string, string> = key) {
  const answer = await fetch(`${gateway.url}/api/v1/operator/content/${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const said = await answer.text()
  return { status: answer.status, body: said ? JSON.parse(said) : null }
}

const query = `query ($id: Int!, $preview: String, $measures: [MeasureInput!]) { entry(kind: guide, id: $id, preview: $preview, measures: $measures) {
  title url isPreview version pictureUrl department { name } total { amount formatted } materialsTotal { amount } totalTaxKey alternates { market url }
  blocks { kind id calculator { amount } attributes { label values } lines { spans { text page anchor href } }
    parts { id title quantity measuredBy isTool moreUrl card { productId } } } } }`
async function shown(variables: Record<string, unknown>, host = 'gb.localhost') {
  forgetContent()
  const { data, errors } = await gateway.execute({ query, variables, headers: { host } })
  assert.equal(errors, undefined)
  return structuredClone(data)?.['entry'] as Record<string, never> & {
    title: string
    url: string
    version: number
    isPreview: boolean
    blocks: Record<string, never>[]
  }
}

test('R-434 R-148 R-626 an operator publishes a guide; it is shown with available products, in each language under its own slug', async () => {
  assert.equal((await operator('PUT', 'guide/1', version())).status, 201)
  const guide = await shown({ id: 1 })
  assert.deepEqual([guide.title, guide.url, guide.isPreview], ['Drill a hole', '/advice/drill-a-hole-1', false])
  assert.deepEqual(guide['alternates'], [
    { market: 'gb', url: '/advice/drill-a-hole-1' },
    { market: 'de', url: '/advice/loecher-bohren-1' },
  ])
  const spans = [pick(guide, 'blocks.1.lines.0.spans.*')].flat()
  assert.deepEqual(
    spans.map((span) => [pick(span, 'page'), pick(span, 'anchor'), pick(span, 'href')]),
    [
      [null, null, null],
      ['terms', 'law', null],
      [null, null, null],
      [null, null, '/tools-1'],
      [null, null, null],
      [null, null, '/advice/drill-a-hole-1'],
      [null, null, null],
    ],
  )
  assert.equal(pick(guide, 'blocks.2.calculator.amount'), 22)
  const item = pick(guide, 'blocks.3.parts.0')
  assert.deepEqual([pick(item, 'isTool'), pick(item, 'measuredBy'), pick(item, 'moreUrl')], [true, 'floor', '/tools-1'])
  assert.equal(pick(item, 'quantity'), Math.ceil(44 / (pick(item, 'card.productId') === '1' ? 18 : 12)))
  assert.deepEqual(pick(guide, 'blocks.4.parts.*.card.productId'), ['1', '2'])
  assert.deepEqual(pick(guide, 'blocks.4.attributes.0.values'), ['18 V', '12 V'])
  assert.equal((await shown({ id: 1 }, 'de.localhost')).title, 'Löcher bohren')
})

test('R-160 the sums of a list are what a cart would count: with quantity breaks, in one tax mode', async () => {
  const { pool } = database
  await pool.query(`update catalogue.offer set quantity_breaks = '[{"group": "b2b", "from": 2, "price": 1190}]' where market = 'de'`)
  const sums = async () => {
    const guide = await shown({ id: 1 }, 'pro.de.localhost')
    const each = (pick(guide, 'total.amount') as number) / (pick(guide, 'blocks.3.parts.0.quantity') as number)
    return [pick(guide, 'totalTaxKey'), each, pick(guide, 'materialsTotal.amount')]
  }
  assert.deepEqual(await sums(), ['without_vat', 1000, 0])
  // A seller abroad sells with VAT, and so does the list.
  await pool.query(`update catalogue.offer set seller_id = 4 where market = 'de'`)
  assert.deepEqual(await sums(), ['with_vat', 1190, 0])
  await pool.query(`update catalogue.offer set seller_id = 2, quantity_breaks = '[]' where market = 'de'`)
})

test('R-160 measures change the quantities of the list; measures that make no sense are as if they had not been given', async () => {
  const amountWith = async (measures: object[]) => {
    const { blocks } = await shown({ id: 1, measures })
    const [calculator] = blocks.flatMap((block) => (block['calculator'] as unknown as { amount: number } | null) ?? [])
    return calculator?.amount
  }
  assert.equal(await amountWith([{ calculator: 'floor', name: 'length', value: 10 }]), 44)
  for (const value of [-3, 0, 1e9]) assert.equal(await amountWith([{ calculator: 'floor', name: 'length', value }]), 22)
  assert.equal(await amountWith([{ calculator: 'nobody', name: 'length', value: 10 }]), 22)
})

test('V-37 an unknown entry, one of another market and one of another kind are not found', async () => {
  assert.equal(await shown({ id: 99 }), null)
  assert.equal(await shown({ id: 1 }, 'fr.localhost'), null)
})

test('a draft is seen through its preview link alone, which opens that version and no other, for seven days', async () => {
  const draft = await operator('PUT', 'guide/1', version({ texts: { en: text('Drill it better', words) }, replaces: 1, from: null }))
  assert.equal(draft.status, 201)
  assert.equal((await shown({ id: 1 })).title, 'Drill a hole')
  const link = new URL(draft.body.previews.gb)
  assert.equal(link.pathname, '/advice/drill-it-better-1')
  const preview = link.searchParams.get('preview')!
  const seen = await shown({ id: 1, preview })
  assert.deepEqual([seen.title, seen.isPreview, seen.version], ['Drill it better', true, 2])
  for (const forged of [preview.replace(/^2/, '1'), `${preview.slice(0, -1)}${preview.endsWith('A') ? 'B' : 'A'}`, '2', 'x'])
    assert.equal(await shown({ id: 1, preview: forged }), null, forged)
  const past = preview.replace(/\.(\d{10})\./, (_, until: string) => `.${Number(until) - 8 * 86_400}.`)
  assert.equal(await shown({ id: 1, preview: past }), null)
  assert.equal(await shown({ id: 2, preview }), null)
})

test('a version is live between its dates, and cached pages are purged when one begins or ends', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  assert.equal((await operator('PUT', 'guide/1/versions/2/schedule', { from: soon })).status, 204)
  assert.equal((await shown({ id: 1 })).title, 'Drill a hole')
  await database.pool.query(`update content.version set live_from = now() - interval '1 second' where version = 2`)
  await database.pool.query(`update content.version set live_until = now() - interval '1 second' where version = 1`)
  assert.equal((await shown({ id: 1 })).title, 'Drill it better')
  const [turn] = schedules
  await database.pool.query(
    `insert into platform.note (key, value) values ('content-turned', to_jsonb((now() - interval '1 minute')::text)) on conflict (key) do update set value = excluded.value`,
  )
  const purges = async () =>
    Number((await database.pool.query(`select count(*) as n from platform.purge_log where 'content' = any(tags)`)).rows[0].n)
  const before = await purges()
  await database.command({}, turn!.run)
  assert.equal(await purges(), before + 1)
  await database.command({}, turn!.run)
  assert.equal(await purges(), before + 1)
  assert.equal((await operator('PUT', 'guide/1/versions/2/schedule', { from: soon, until: '2020-01-01T00:00:00Z' })).status, 400)
  assert.equal((await operator('PUT', 'guide/1/versions/9/schedule', { from: soon })).status, 404)
})

test('the second of two editors gets a conflict; saving the same content twice makes one version; unsupported content is refused with its location', async () => {
  assert.deepEqual(
    (await operator('PUT', 'guide/1', version({ replaces: 1, texts: { en: text('Other', words) } }))).body.error,
    'replaced-meanwhile',
  )
  const again = await operator('PUT', 'guide/7', version({ key: 'twice' }))
  assert.equal(again.status, 201)
  assert.deepEqual((await operator('PUT', 'guide/7', version({ key: 'twice' }))).body.version, 1)
  for (const [change, said] of [
    [{ texts: { en: text('Wrong', '## No name') } }, /needs a name/],
    [{ texts: { en: text('Wrong', 'Words without a list.') } }, /names-missing/],
    [{ texts: { en: text('Wrong', `${words}\n\n[x](page:nowhere)`) } }, /names-missing/],
    [{ texts: {} }, /one language/],
    [{ from: null, until: '2027-01-01T00:00:00Z' }, /ends-before/],
    [{ key: 'another' }, /key-changed/],
    [{ facts: { ...facts, markets: ['us'] } }, /markets/],
  ] as const) {
    const refused = await operator('PUT', 'guide/7', version({ key: 'twice', replaces: 1, ...change }))
    assert.ok(refused.status === 400 || refused.status === 409, String(said))
    assert.match(refused.body.error, said)
  }
  assert.equal((await operator('PUT', 'guide/8', version({ key: 'twice' }))).body.error, 'key-taken')
  assert.equal((await operator('PUT', 'novel/1', version())).status, 404)
})

for (const link of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example/x',
  ' javascript:alert',
])
  test(`A55 written content with a link to ${link} is refused`, async () => {
    const refused = await operator('PUT', 'guide/9', version({ key: 'links', texts: { en: text('Wrong', `${words}\n\n[x](${link})`) } }))
    assert.equal(refused.status, 400)
    assert.match(refused.body.error, /Invalid format/)
  })

test('only operators write and read content; taken off, an entry is gone and its versions stay', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    assert.equal((await operator(method, 'guide/1', method === 'PUT' ? version() : undefined, {})).status, 401, method)
  assert.equal((await operator('DELETE', 'guide/7')).status, 204)
  assert.equal(await shown({ id: 7 }), null)
  assert.equal((await operator('DELETE', 'guide/7')).status, 404)
  const kept = await operator('GET', 'guide/7')
  assert.deepEqual([kept.body.version, kept.body.key], [1, 'twice'])
  assert.ok((await operator('GET', 'guide')).body.entries.some(({ id }: { id: number }) => id === 7))
})

test('R-289 entries are found by category, by department and by the words of a job, ignoring inflection', async () => {
  const titles = async (args: string) => {
    const { data, errors } = await gateway.execute({
      query: `{ entries(kind: guide${args}) { title } }`,
      headers: { host: 'gb.localhost' },
    })
    assert.equal(errors, undefined)
    const entries = data ? (structuredClone(data)['entries'] as { title: string }[]) : []
    return entries.map(({ title }) => title)
  }
  assert.deepEqual(await titles(''), ['Drill it better'])
  assert.deepEqual(await titles(', categoryId: 1'), ['Drill it better'])
  assert.deepEqual(await titles(', categoryId: 999'), [])
  assert.deepEqual(await titles(', departmentId: 1'), ['Drill it better'])
  assert.deepEqual(await titles(', query: "I am drilling 20 holes"'), ['Drill it better'])
  assert.deepEqual(await titles(', query: "wallpaper"'), [])
  const { data } = await gateway.execute({ query: '{ product(id: "1") { guides { title } } }', headers: { host: 'gb.localhost' } })
  assert.deepEqual(structuredClone(data), { product: { guides: [{ title: 'Drill it better' }] } })
})

test('R-066 a banner leads to the page of its entry, under the words of each market, and nowhere once that is taken off', async () => {
  const banner = { key: 'winter', facts: { published: '2026-10-02', leadsTo: 'landing:winter' }, replaces: 0, from: '2026-10-02T00:00:00Z' }
  const landing = { ...banner, facts: { published: '2026-10-02' } }
  const texts = { en: text('Ready for winter', 'Soon.'), de: text('Fit für den Winter', 'Bald.') }
  assert.equal((await operator('PUT', 'banner/1', { ...banner, texts })).status, 201)
  assert.equal((await operator('PUT', 'landing/1', { ...landing, texts })).status, 201)
  const urls = async (host: string) => {
    forgetContent()
    const { data } = await gateway.execute({ query: '{ entries(kind: banner) { url } }', headers: { host } })
    return structuredClone(data)
  }
  assert.deepEqual(await urls('gb.localhost'), { entries: [{ url: '/lp/ready-for-winter-1' }] })
  assert.deepEqual(await urls('de.localhost'), { entries: [{ url: '/lp/fit-fuer-den-winter-1' }] })
  await operator('DELETE', 'landing/1')
  assert.deepEqual(await urls('gb.localhost'), { entries: [{ url: null }] })
})

test('a picture is drawn for an entry and for nothing else, and its address changes with it', async () => {
  connectPictures({
    version: 't',
    product: ({ family, view }) => `<svg>${family} ${view}</svg>`,
    category: () => null,
    brand: () => null,
    hero: () => null,
  })
  const { pictureUrl } = (await shown({ id: 1 })) as unknown as { pictureUrl: string }
  const picture = await fetch(gateway.url + pictureUrl)
  assert.equal(await picture.text(), '<svg>drill inUse</svg>')
  assert.match(picture.headers.get('cache-control')!, /immutable/)
  for (const name of ['guide-99', 'novel-1', 'guide-1-nobody'])
    assert.equal((await fetch(`${gateway.url}/pictures/e/${name}.svg`)).status, 404, name)
})

test('files become versions once; a changed file becomes another, and operators’ edits stay', async () => {
  const { entries } = readEntryFiles(new URL('../../../../demo/content', import.meta.url).pathname)
  const tiles = entries
    .filter(({ key: name }) => name === 'how-to-tile-a-floor')
    .map((entry) => ({ ...entry, facts: { ...entry.facts, id: 50 } }))
  const publish = (files: typeof tiles) => database.command({}, (scope) => publishFiles(scope, files))
  assert.equal(await publish(tiles), 1)
  assert.equal(await publish(tiles), 0)
  const changed = tiles.map((entry) => ({ ...entry, facts: { ...entry.facts, minutes: 5 } }))
  assert.equal(await publish(changed), 1)
  const { body } = await operator('GET', 'guide/50')
  assert.deepEqual([body.version, body.facts.minutes, Object.keys(body.texts).length], [2, 5, 5])
  const { facts: read, texts, key: name } = body
  assert.equal(
    (await operator('PUT', 'guide/50', { key: name, facts: { ...read, minutes: 7 }, texts, replaces: 2, from: '2026-11-01T00:00:00Z' }))
      .status,
    201,
  )
  assert.equal(await publish(tiles), 0)
})
