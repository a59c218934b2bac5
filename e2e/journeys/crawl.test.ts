import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crawl } from '../crawl/crawl.ts'
import { type Shop, shopForTests } from '../support/shop.ts'
import { variantsOf } from '../support/variants.ts'

/** Some pages of each kind; `npm run crawl` takes them all. */
const perRoute = 5
let shop: Shop
before(async () => {
  shop = await shopForTests()
})
after(() => shop.stop())

for (const market of variantsOf(['de', 'gb'] as const))
  test(`V-36 V-37 V-100 R-161 a crawl of ${market} finds no broken link, no soft 404, no wrong canonical address, alternate, sitemap, feed or structured data, and every page within its budget`, async () => {
    const { byRoute, findings } = await crawl({ shop: shop.origin, market, perRoute })
    assert.deepEqual(
      findings.map(({ kind, address, text }) => `${kind}: ${address} ${text}`),
      [],
    )
    for (const route of ['product', 'category', 'brand', 'seller', 'guide', 'massLanding', 'bestSellersFamily'])
      assert.ok((byRoute[route] ?? 0) >= perRoute, `${byRoute[route]} pages of ${route}`)
  })
