import { ask, queryData } from '@purlin/e2e/support/ask.ts'
import { bare } from './bare.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'
import { load, type Load } from './load.ts'
import { addDocument, asked, listingDocument, productDocument } from './questions.ts'

const noRefusal = (body: string): boolean => body.includes('"refusal":null')
const hasData = (body: string): boolean => body.startsWith('{"data":{') && !body.includes('"errors"')

/** Must show 4: pages and calls as ratios to bare node:http in the same run. */
export async function benchPages(origin: string): Promise<Figure[]> {
  const goods = await goodsOf(origin)
  const listings = goods.categories.flatMap((id) =>
    ['relevance', 'price_asc'].map((sort) => asked(listingDocument, { input: { kind: 'category', id, sort, pageSize: 48 } })),
  )
  const large = await largeListings(origin, listings)
  const products = goods.products.map((id) => asked(productDocument, { id }))
  const figures: Figure[] = []

  const beside = await besideHello()
  const listing = await beside(() => load(origin, large, { isGood: hasData }))
  const product = await beside(() => load(origin, products, { isGood: hasData }))
  const adds = await addRequests(origin, goods.offers)
  const add = await beside(() => load(origin, adds, { warmSeconds: 5, isGood: noRefusal }))
  const hello = (listing.hello + product.hello + add.hello) / 3
  figures.push(
    figure('bare node:http hello', hello, 'requests/s'),
    ...speed('listing of 48 with 12 facets', listing, '>= 3'),
    ...speed('product', product, '>= 4'),
    ...speed('add to cart', add, '>= 1.5'),
  )

  figures.push(...(await cachedPage(origin, `/x-${goods.categories[0]}`)))
  figures.push(
    figure('SQL statements: listing', await statements(origin, large), 'statements', '<= 0'),
    figure('SQL statements: product', await statements(origin, products), 'statements', '<= 3'),
    figure('SQL statements: add to cart', await statements(origin, adds), 'statements', '<= 4'),
  )
  return figures
}

/** Measures next to bare node: the mean of its rate just before and just after, so that changes in the machine's speed cancel out. */
async function besideHello(): Promise<(measure: () => Promise<Load>) => Promise<Load & { hello: number }>> {
  let before = (await bare()).perSecond
  return async (measure) => {
    const measured = await measure()
    const after = (await bare()).perSecond
    const hello = (before + after) / 2
    before = after
    return { ...measured, hello }
  }
}

function speed(name: string, { perSecond, p99, hello }: Load & { hello: number }, target: string): Figure[] {
  return [
    figure(`${name}: of hello`, (100 * perSecond) / hello, '%', target),
    figure(`${name}: rate`, perSecond, 'requests/s'),
    figure(`${name}: p99`, p99, 'ms'),
  ]
}

/** Only full pages count: 48 cards and at least 12 facets. */
async function largeListings(origin: string, listings: ReturnType<typeof asked>[]): Promise<ReturnType<typeof asked>[]> {
  const kept = []
  for (const one of listings) {
    const { listing } = await queryData<{ listing: { cards: unknown[]; facets: unknown[] } }>(origin, one)
    if (listing.cards.length === 48 && listing.facets.length >= 12) kept.push(one)
  }
  if (kept.length < 4) throw new Error('The shop is too small to measure listings: fewer than four have 48 cards and 12 facets')
  return kept
}

/** Two hundred visitors, each adding different products: no cart gets more requests than a person would send. */
async function addRequests(origin: string, offers: readonly string[]): Promise<ReturnType<typeof asked>[]> {
  const requests = []
  for (let visitor = 0; visitor < 200; visitor++) {
    const first = await ask(origin, asked(addDocument, { offerId: offers[visitor % offers.length] }))
    const cookie = [first.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ')
    for (let at = 0; at < 15; at++)
      requests.push({
        visitor: at,
        request: asked(addDocument, { offerId: offers[(visitor * 17 + at * 7) % offers.length] }, { cookie, origin }),
      })
  }
  // Visitors alternate, so that no visitor sends two requests in a row.
  return requests.toSorted((one, other) => one.visitor - other.visitor).map(({ request }) => request)
}

/** The median of nine requests: occasionally one reads data that the process then caches for a minute. */
async function statements(origin: string, requests: readonly ReturnType<typeof asked>[]): Promise<number> {
  const counts: number[] = []
  for (let at = 0; at < 9; at++) counts.push(Number((await ask(origin, requests[at % requests.length]!)).headers['x-sql-statements']))
  return counts.toSorted((one, other) => one - other)[4]!
}

const cacheBytes = 64 * 1024 * 1024
/** Size of a cache entry besides its body: key and bookkeeping, as counted by `web/src/html-cache.ts`. */
const entryOverhead = 1024 + 200

/** The category page from the cache, against node:http serving the same bytes. */
async function cachedPage(origin: string, wrongSlug: string): Promise<Figure[]> {
  const moved = await ask(origin, { path: wrongSlug })
  const path = String(moved.headers['location'] ?? wrongSlug)
  const headers = { 'accept-encoding': 'br' }
  await ask(origin, { path, headers })
  const page = await ask(origin, { path, headers })
  const encoding = page.headers['content-encoding']
  const same = await bare({ body: page.body, ...(typeof encoding === 'string' && { encoding }) })
  const cached = await load(origin, [{ path, headers }], { seconds: 4, warmSeconds: 1 })
  return [
    figure('category page from cache: of bare node with the same bytes', (100 * cached.perSecond) / same.perSecond, '%', '>= 50'),
    figure('category page from cache: rate', cached.perSecond, 'requests/s'),
    figure('category pages that fit into the page cache of 64 MB', cacheBytes / (page.body.length + entryOverhead), 'pages', '>= 2500'),
    figure('SQL statements: cached page', Number(page.headers['x-sql-statements'] ?? 0), 'statements', '<= 0'),
  ]
}
