/**
 * A crawl of a whole storefront: prints what a search engine or a visitor would stumble over, by kind.
 *
 *   npm run crawl -- --market gb                  a shop of its own with 600 products (--products)
 *   npm run crawl -- --market de --mode b2b
 *   npm run crawl -- --market gb --url http://127.0.0.1:3000    a running shop
 *   … --per-route 10    a sample; --max 20000 pages at most; --show 10 findings of each kind
 */
import { parseArgs } from 'node:util'
import { isMarket, isMode } from '@purlin/contract/markets.ts'
import { startShop } from '../support/shop.ts'
import { crawl } from './crawl.ts'

const { values } = parseArgs({
  options: {
    market: { type: 'string', default: 'gb' },
    mode: { type: 'string', default: 'b2c' },
    url: { type: 'string' },
    products: { type: 'string', default: '600' },
    'per-route': { type: 'string' },
    max: { type: 'string', default: '20000' },
    show: { type: 'string', default: '10' },
  },
})
const { market, mode } = values
if (!isMarket(market) || !isMode(mode)) throw new Error(`There is no storefront ${market}/${mode}`)
const shop = values.url === undefined ? await startShop({ products: Number(values.products), quiet: true }) : undefined
try {
  const from = Date.now()
  const { pages, byRoute, findings } = await crawl({
    shop: values.url ?? shop!.origin,
    market,
    mode,
    maxPages: Number(values.max),
    ...(values['per-route'] !== undefined && { perRoute: Number(values['per-route']) }),
    onProgress: (done, waiting) => process.stderr.write(`\r${done} pages, ${waiting} waiting   `),
  })
  process.stderr.write('\r')
  process.stdout.write(`${pages} pages of ${market}/${mode} in ${((Date.now() - from) / 1000).toFixed(0)} s\n`)
  for (const [name, count] of Object.entries(byRoute).toSorted(([, a], [, b]) => b - a)) process.stdout.write(`  ${count} ${name}\n`)
  for (const [kind, of] of Map.groupBy(findings, ({ kind }) => kind)) {
    process.stdout.write(`\n${kind}: ${of.length}\n`)
    for (const { address, text } of of.slice(0, Number(values.show))) process.stdout.write(`  ${address}  ${text}\n`)
  }
  process.stdout.write(`\n${findings.length} findings\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
} finally {
  await shop?.stop()
}
