import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadImage } from '@napi-rs/canvas'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import fastify from 'fastify'
import { connectObjectStore, folderStore, type ObjectStore } from '#files'
import { UnavailableError } from '#platform'
import { testDatabase } from '#platform/testing'
import { createServices } from '../../edges/gateway/services.ts'
import { testProduct, testReference } from '../listing/test-shop.ts'
import { connectPictures } from './ports.ts'
import { routes } from './rest.ts'

const database = await testDatabase({ upTo: 'pricing' })
await testReference(database.db)
for (let id = 1; id <= 60; id++) await testProduct(database.db, { id })
const folder = folderStore(await mkdtemp(join(tmpdir(), 'rasters-')))
const stored: string[] = []
const store: ObjectStore = {
  ...folder,
  put: (key, source, options) => {
    stored.push(key)
    return folder.put(key, source, options)
  },
}
connectObjectStore(store)
connectPictures({
  version: 'test',
  product: () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480"><path fill="#c00" d="M0 0h480v480H0z"/></svg>',
  category: () => null,
  brand: () => null,
  hero: () => null,
})
const app = fastify()
app.setErrorHandler((error, _request, reply) => reply.code(error instanceof UnavailableError ? 503 : 500).send())
routes(app, createServices(database.pool, createSiteHosts({ port: 3000 })))

test('merchant feeds and shared links get a product’s picture as a JPEG of their size', async () => {
  for (const [name, width, height] of [
    ['feed', 1200, 1200],
    ['share', 1200, 630],
  ] as const) {
    const answer = await app.inject(`/pictures/p/1/${name}.jpg`)
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/jpeg'])
    const picture = await loadImage(answer.rawPayload)
    assert.deepEqual([picture.width, picture.height], [width, height])
  }
})

test('a JPEG is drawn once for all who ask for it, whatever version they name, and stored', async () => {
  const versions = Array.from({ length: 12 }, (_, n) => `/pictures/p/2/feed.jpg?v=${n}`)
  const answers = await Promise.all(versions.map((url) => app.inject(url)))
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  assert.equal(stored.filter((key) => /p\/2\/feed/.test(key)).length, 1)
})

test('no more pictures wait to be drawn than a process can bear: others are asked to come back', async () => {
  const answers = await Promise.all(Array.from({ length: 57 }, (_, n) => app.inject(`/pictures/p/${n + 4}/share.jpg`)))
  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  assert.ok(refused.length > 0 && refused.length < 57, `${refused.length} refused`)
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 57 - refused.length)
})

test('unknown products and sizes are not found', async () => {
  for (const path of ['/pictures/p/999/feed.jpg', '/pictures/p/1/large.jpg', '/pictures/p/x/feed.jpg'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
})
