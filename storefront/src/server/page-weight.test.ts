/** The weight of pages as they are shipped: the built bundle, with a list as long as one gets. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { listen } from '@purlin/web/testing.ts'
import { card, category, department, listing, price } from '../testing/goods.ts'
import { ensureBuilt } from './build.ts'
import { createStorefront } from './index.ts'

const dist = mkdtempSync(join(tmpdir(), 'storefront-'))
await ensureBuilt(undefined, dist)
after(() => rmSync(dist, { recursive: true, force: true }))

const longTitle = 'Kordanix Atelier 792, 1100 W 4,5 J – SDS-plus-Bohrhammer, kabellos, mit Koffer'
const cards = Array.from({ length: 48 }, (_, n) =>
  card(101_000 + n, {
    title: `${longTitle} ${n}`,
    brandName: 'Kordanix',
    url: `/p/kordanix-atelier-792-1100-w-4-5-j-sds-plus-bohrhammer-kabellos-${101_000 + n}`,
    imageFullpath: `/pictures/p/${101_000 + n}/main.svg?v=tlw800`,
    sellerName: 'Werkzeug Lindental',
    deliveryPromise: 'Arrives Mon 30 Nov – Thu 3 Dec',
    modelsCount: 3,
    badges: n % 2 ? [{ type: 'promo', label: '-25%' }] : [{ type: 'top_sale', label: 'Top seller' }],
    prices: price(100 + n, n % 3 ? {} : { retail: price(150).main, discount: 25 }),
  }),
)
const facets = Array.from({ length: 15 }, (_, n) => ({
  key: `facet-${n}`,
  label: `Facet number ${n}`,
  kind: 'values',
  unit: null,
  min: null,
  max: null,
  values: Array.from({ length: 12 }, (_each, at) => ({
    value: `value-${at}`,
    label: `A value ${at}`,
    count: at * 3,
    selected: false,
    hex: null,
  })),
}))
const children = Array.from({ length: 8 }, (_, n) => ({
  id: n + 10,
  name: `Part ${n}`,
  url: `/part-${n + 10}`,
  pictureUrl: `/c/${n}.svg`,
  productCount: 9,
}))
const data = {
  categoryTree: Array.from({ length: 14 }, (_, n) => department(n + 1, `department-${n}`)),
  category: category({ children }),
  guides: [],
  listing: listing({ cards, facets, total: 480, pages: 10 }),
}
const storefront = await createStorefront({
  dist,
  gateway: { execute: async () => ({ data }) },
  hosts: createSiteHosts({ port: 80 }),
  sessions: { load: async () => testGuest() },
  log: { info() {}, warn() {}, error() {} },
})
const server = await listen((req, res) => void storefront.tryHandle(req, res))
after(() => server.close())

test('V-40 V-100 a list of 48 cards is at most 70 KB of HTML, 11 KB packed and 1,500 elements', async () => {
  const { status, body } = await server.ask('/drills-4', { host: 'gb.localhost' })
  assert.equal(status, 200)
  assert.equal(body.match(/<li data-card/g)?.length, 48)
  // Parts of a template are no elements of the page.
  const elements = body.replace(/<template>[\s\S]*?<\/template>/g, '').match(/<[a-z][a-z0-9-]*[\s>/]/g)!.length
  assert.ok(elements <= 1_500, `${elements} elements`)
  const bytes = Buffer.byteLength(body)
  assert.ok(bytes <= 70_000, `${bytes} bytes`)
  const packed = brotliCompressSync(body).length
  assert.ok(packed <= 11_000, `${packed} bytes packed`)
})

test('V-40 V-100 pictures, and nothing else, wait to be fetched, and each holds its place until then', async () => {
  const { body } = await server.ask('/drills-4', { host: 'gb.localhost' })
  for (const [picture] of body.matchAll(/<img[^>]*>/g)) assert.match(picture, /width="\d+" height="\d+"/)
  assert.doesNotMatch(body, /<svg[\s\S]*<svg[\s\S]*<svg/, 'icons are masks of the style sheet; the logo is drawn twice')
})
