import assert from 'node:assert/strict'
import { brotliDecompressSync } from 'node:zlib'
import { test } from 'node:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import fastify from 'fastify'
import { connectObjectStore, folderStore } from '#files'
import { testDatabase } from '#platform/testing'
import { createServices } from '../../edges/gateway/services.ts'
import { testProduct, testReference } from '../listing/test-shop.ts'
import { connectDocuments, connectPictures } from './ports.ts'
import { namedDocuments } from './product-words.ts'
import { routes } from './rest.ts'

const database = await testDatabase({ upTo: 'pricing' })
await testReference(database.db)
await testProduct(database.db, { id: 7 })
let drawn = 0
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'pictures-'))))
connectPictures({
  version: 'test',
  product: ({ family, brand, attributes, view, seed }) => (drawn++, `<svg>${family} ${brand} ${attributes.voltage} ${view} ${seed}</svg>`),
  category: (department) => (department === 'tools' ? '<svg>tools</svg>' : null),
  brand: (name) => `<svg>${name}</svg>`,
  hero: () => null,
})
const app = fastify()
routes(app, createServices(database.pool, createSiteHosts({ port: 3000 })))

test('a product’s picture is drawn once, compressed, and cached for ever under its version', async () => {
  const plain = await app.inject('/pictures/p/7/main.svg')
  assert.equal(plain.body, '<svg>cordless_drill Tarvok 18 main 7</svg>')
  assert.equal(plain.headers['content-type'], 'image/svg+xml; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=86400')
  const row = await database.db.row<{ at: Date }>({ name: 'test.at', text: 'select updated_at as at from catalogue.product where id = 7' })
  const version = Math.floor((row?.at.getTime() ?? 0) / 1000).toString(36)
  const packed = await app.inject({ url: `/pictures/p/7/main.svg?v=${version}`, headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body)
  assert.equal(packed.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(drawn, 1)
})

test('an old or invented version is not cached for ever', async () => {
  const old = await app.inject('/pictures/p/7/main.svg?v=old')
  assert.equal(old.statusCode, 200)
  assert.equal(old.headers['cache-control'], 'public, max-age=86400')
})

test('departments and brands have pictures', async () => {
  assert.equal((await app.inject('/pictures/c/tools.svg')).body, '<svg>tools</svg>')
  assert.equal((await app.inject('/pictures/b/2.svg')).body, '<svg>Brexiro</svg>')
})

test('a picture that cannot be drawn is 404', async () => {
  const paths = [
    'p/7/back.svg',
    'p/8/main.svg',
    'p/7/main.png',
    'p/x/main.svg',
    'p/99999999999999999999/main.svg',
    'c/nothing.svg',
    'b/99.svg',
    'b/x.svg',
    'h/x.svg',
  ]
  for (const path of paths) assert.equal((await app.inject(`/pictures/${path}`)).statusCode, 404, path)
})

test('a picture opened on its own cannot run scripts', async () => {
  assert.match(String((await app.inject('/pictures/c/tools.svg')).headers['content-security-policy']), /default-src 'none'/)
})

const warnings = { en: ['Keep dry'], fr: ['Au sec'], de: ['Trocken'], es: ['Seco'], it: ['Asciutto'] }
connectDocuments({
  version: 'test',
  manual: ({ family, brand, mpn, safety }, language) =>
    `<p>${[family, brand, mpn, Array.isArray(safety.warnings) ? '' : safety.warnings?.[language]].join(' ')}</p>`,
  energyLabel: () => null,
})
await testProduct(database.db, { id: 9 })
await database.db.run({ name: 'test.papers', text: 'update catalogue.product set documents = $1, safety = $2, mpn = $3 where id = 9' }, [
  JSON.stringify([
    { kind: 'manual', language: 'de', url: '/documents/p/9/manual-de.html' },
    { kind: 'energy-label', language: 'de', url: '/documents/p/9/energy-label-de.svg' },
  ]),
  JSON.stringify({ warnings }),
  'N-9',
])

test('a document listed by a product is generated, compressed, and cannot run scripts', async () => {
  const plain = await app.inject('/documents/p/9/manual-de.html')
  assert.equal(plain.statusCode, 200)
  assert.equal(plain.body, '<p>cordless_drill Tarvok N-9 Trocken</p>')
  assert.equal(plain.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=86400')
  assert.equal(plain.headers['x-content-type-options'], 'nosniff')
  assert.match(String(plain.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  const packed = await app.inject({ url: '/documents/p/9/manual-de.html', headers: { 'accept-encoding': 'br' } })
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body)
})

test('a document that no product lists, and one that cannot be generated, are 404', async () => {
  const paths = [
    '9/manual-fr.html',
    '9/energy-label-de.svg',
    '7/manual-de.html',
    '10/manual-de.html',
    'x/manual-de.html',
    '9/manual-de.pdf',
  ]
  for (const path of paths) assert.equal((await app.inject(`/documents/p/${path}`)).statusCode, 404, path)
})

test('document names are in the market’s language, and documents in that language come first', () => {
  const document = (kind: string, language: string) => ({ kind, language, url: `/${kind}-${language}` })
  const all = [
    document('manual', 'en'),
    document('manual', 'fr'),
    document('energy-label', 'fr'),
    { ...document('other', 'it'), label: 'Own' },
  ]
  assert.deepEqual(
    namedDocuments(all, 'fr').map(({ label, language }) => `${label} ${language}`),
    ['Mode d’emploi fr', 'Étiquette énergie fr', 'Mode d’emploi en', 'Own it'],
  )
})
