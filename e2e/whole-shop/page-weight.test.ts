/** The weight of lists as they are shipped: the built bundle, filled with the goods of the demo. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { seedDemoShop } from '@purlin/demo/seed.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { ensureBuilt } from '@purlin/storefront/server/build.ts'
import { createStorefront, defaultDist } from '@purlin/storefront/server/index.ts'
import { paths } from '@purlin/storefront/paths.ts'
import { listen } from '@purlin/web/testing.ts'

const fullPage = 48
const most = { elements: 1_500, bytes: 70_000, packed: 11 * 1024 }
/** A commercial operation has goods of all departments, of which no two share a word. */
const packedOfOperation = 12_000
const database = await testDatabase()
await Promise.all([
  ensureBuilt(),
  seedDemoShop({ connectionString: database.connectionString, products: 2_000, progress: () => undefined }),
])
const engine = await testEngine()
connectSearch(engine)
connectModules()
await rebuildIndex({ db: database.db, engine })
const gateway = await testGateway(database.pool)
const storefront = await createStorefront({
  gateway: { execute: gateway.execute },
  hosts: createSiteHosts({ port: 3000 }),
  sessions: { load: async () => testGuest() },
  log: { info() {}, warn() {}, error() {} },
})
const server = await listen((req, res) => void storefront.tryHandle(req, res))
after(() => server.close())

interface Category {
  id: number
  slug: string
  url: string
  productCount: number
}

/** Addresses of lists that fill a page: categories and their best sellers, and the commercial operations. */
async function fullLists(host: string): Promise<string[]> {
  const category = 'id slug url productCount'
  const { body } = await gateway.post(
    `{ categoryTree { ${category} children { ${category} } } operations { url } }`,
    {},
    { host: `${host}:3000` },
  )
  const { categoryTree, operations } = (
    body as { data: { categoryTree: (Category & { children: Category[] })[]; operations: { url: string }[] } }
  ).data
  const full = categoryTree
    .flatMap((department) => [department, ...department.children])
    .filter(({ productCount }) => productCount >= fullPage)
  return [
    ...full.flatMap(({ id, slug, url }) => [url, paths.bestSellersFamily({ slug, id })]),
    ...operations.map(({ url }) => url),
    paths.goodDeals(),
    paths.ourCurrentOffers(),
  ]
}

for (const host of ['gb.localhost', 'de.localhost', 'pro.gb.localhost', 'pro.de.localhost'])
  test(`V-40 V-100 a list of 48 goods of ${host} is at most 70 KB of HTML, 11 KB packed and 1,500 elements, and its pictures hold their places`, async () => {
    const tooHeavy: string[] = []
    let weighed = 0
    for (const address of await fullLists(host)) {
      const { status, body } = await server.ask(address, { host })
      assert.equal(status, 200, address)
      if ((body.match(/<li data-card/g)?.length ?? 0) >= fullPage) weighed++
      // Parts of a template are no elements of the page.
      const elements = body.replace(/<template>[\s\S]*?<\/template>/g, '').match(/<[a-z][a-z0-9-]*[\s>/]/g)!.length
      const bytes = Buffer.byteLength(body)
      const packed = brotliCompressSync(body).length
      if (elements > most.elements || bytes > most.bytes || packed > (address.startsWith('/co/') ? packedOfOperation : most.packed))
        tooHeavy.push(`${address}: ${elements} elements, ${bytes} bytes, ${packed} packed`)
      for (const [picture] of body.matchAll(/<img[^>]*>/g)) assert.match(picture, /width="\d+" height="\d+"/, address)
      assert.doesNotMatch(body, /<svg[\s\S]*<svg[\s\S]*<svg/, 'icons are masks of the style sheet; the logo is drawn twice')
    }
    assert.deepEqual(tooHeavy, [])
    assert.ok(weighed >= 20, `${weighed} full pages`)
  })

/** The files a browser requests before it has laid out the page, and their bytes with those of the page. */
function requestedFirst(body: string): { sheets: number; scripts: string[]; pictures: number; requests: number; bytes: number } {
  const withScripts = body.replace(/<noscript>[\s\S]*?<\/noscript>/g, '')
  const all = (pattern: RegExp) => [...withScripts.matchAll(pattern)].map(([whole, file]) => file ?? whole)
  const sheets = all(/<link rel="stylesheet" href="([^"]+)"/g)
  const fonts = all(/<link rel="preload" as="font"[^>]* href="([^"]+)"/g)
  const scripts = all(/<script(?! type="application\/ld)[^>]*>/g)
  const modules = all(/<script type="module" src="([^"]+)"/g)
  const pictures = all(/<img(?![^>]* loading="lazy")[^>]*>/g).length
  const weight = (file: string) => {
    const content = readFileSync(join(defaultDist, 'client', file))
    return file.endsWith('.woff2') ? content.length : brotliCompressSync(content).length
  }
  const files = [...sheets, ...fonts, ...modules]
  return {
    sheets: sheets.length,
    scripts,
    pictures,
    requests: files.length + pictures,
    bytes: files.reduce((sum, file) => sum + weight(file), brotliCompressSync(body).length),
  }
}

test('V-40 before they are laid out, home, category and product request one style sheet, one deferred script and the pictures of the first row', async () => {
  const host = 'gb.localhost'
  const category = (await fullLists(host))[0]!
  const body = async (path: string) => (await server.ask(path, { host })).body
  const list = await body(category)
  const product = /<a href="(\/p\/[^"]+)"/.exec(list)?.[1]
  assert.ok(product)
  for (const [path, page, pictures] of [
    ['/', await body('/'), 1],
    [category, list, 4],
    [product, await body(product), 1],
  ] as const) {
    const first = requestedFirst(page)
    assert.equal(first.sheets, 1, path)
    assert.equal(first.scripts.length, 1, path)
    assert.match(first.scripts[0]!, /type="module"/, path)
    assert.equal(first.pictures, pictures, path)
    // A browser has six connections to a shop without HTTP/2; the seventh request is a second small picture of the row.
    assert.ok(first.requests <= pictures + 3, `${path}: ${first.requests} requests`)
    assert.ok(first.bytes <= 75_000, `${path}: ${first.bytes} bytes`)
  }
})
