/** Seven kinds of visitors crawl the shop one after another, through the page cache: shared pages must contain nobody's data. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { routes, type PageName, type ShopRoute } from '@purlin/storefront/routes.ts'
import type { ShopContext, ShopPage } from '@purlin/storefront/shell/context.ts'
import { givePriceList } from '@purlin/server/goods/conditions/index.ts'
import { compileRoutes } from '@purlin/web/route-table.ts'
import type { ShopPages } from './serve-shop.ts'
import { addressFor } from './route-addresses.ts'
import { hosts, shopWithVisitors, visitorNames } from './visitors.ts'

const match = compileRoutes<ShopRoute>(routes)

/** The planted mistakes of the second and third test: a page leaks data of one visitor to the next. */
const planted = { name: false, count: false, price: false }

const remembered = { name: 'nobody', count: 0, price: '' }

function leaking(page: ShopPage | undefined): ShopPage {
  assert.ok(page?.load)
  const { load } = page
  return {
    ...page,
    load: async (context: ShopContext) => {
      const loaded = await load(context)
      if ('outcome' in loaded) return loaded
      const leaked = `${planted.name ? remembered.name : ''}${planted.count ? remembered.count++ : ''}${planted.price ? remembered.price : ''}`
      return { ...loaded, title: loaded.title + leaked }
    },
  }
}

function change(pages: ShopPages): ShopPages {
  const area = pages['./account/customer-area-page.tsx']
  assert.ok(area?.load)
  const { load: loadArea } = area
  return {
    ...pages,
    './account/customer-area-page.tsx': {
      ...area,
      load: async (context: ShopContext) => {
        const principal = await context.principal()
        if ('name' in principal) remembered.name = principal.name
        return loadArea(context)
      },
    },
    ...Object.fromEntries(['./home/home-page.tsx', './home/home-pro-page.tsx'].map((file) => [file, leaking(pages[file])])),
  }
}

const shop = await shopWithVisitors({ change })
after(() => shop.close())

// The member's company has prices of its own for all goods; none of them may be on any page kept for others, on either storefront.
const { rows: offers } = await shop.database.pool.query<{ id: string; sellerId: number; companyId: string }>(
  `select o.id::text, o.seller_id as "sellerId", m.company_id as "companyId" from catalogue.offer o, accounts.membership m
   join accounts.customer c on c.id = m.customer_id where o.market = 'gb' and c.email = 'member@visitors.example'`,
)
const rules = [{ productId: null, categoryId: 1, percentBp: 3717, price: null }]
for (const sellerId of new Set(offers.map((offer) => offer.sellerId))) {
  const companies = offers.slice(0, 1).map(({ companyId }) => ({ companyId }))
  const list = { market: 'gb', name: 'Ours', validFrom: null, validTo: null, groups: [], companies, rules } as const
  const given = await shop.database.command({}, (scope) => givePriceList(scope, sellerId, list))
  assert.ok(given.ok)
}
const priced = await shop.graphql('member', 'b2b', 'query ($ids: [ID!]!) { yourPrices(offerIds: $ids) { price } }', {
  ids: offers.map(({ id }) => id),
})
const ownPrices = ((priced.data?.['yourPrices'] ?? []) as { price: string }[]).map(({ price }) => price)
shop.personal.push(...ownPrices)

const isKept = (path: string, mode: Mode): boolean => {
  const found = match(path.split('?')[0] ?? '/', mode)
  return found?.route.cache !== undefined && found.route.page !== undefined
}
/** Addresses that are pages; those that end a session or change something are skipped. */
const isPage = (path: string, mode: Mode): boolean => {
  const route = match(path.split('?')[0] ?? '/', mode)?.route
  return route?.page !== undefined && !route.endpoint && !['register', 'authPreLogout'].includes(route.name)
}

/** Entry points of a storefront: all pages of the table that need no id. */
const entries = (mode: Mode): string[] =>
  (routes as readonly ShopRoute[])
    .filter(({ addresses, only }) => !addresses[0]?.includes('{') && (only ?? mode) === mode)
    .flatMap(({ addresses }) => addresses.slice(0, 1))
    .filter((path) => isPage(path, mode))

function linksOf(body: string, mode: Mode): string[] {
  return [...body.matchAll(/href="(?:http:\/\/([^/"]+))?(\/[^"#]*)"/g)]
    .filter(([, host]) => host === undefined || host === hosts[mode])
    .map(([, , path = '']) => path.replaceAll('&amp;', '&'))
    .filter((path) => isPage(path, mode))
}

const maxAddresses = 130
/** How many of the seven get each page freshly rendered; the others get it from the cache. */
const makers = 4

/** Problems of the shared pages, as seen by all seven on one storefront; from one address, or from all entry points. */
async function crawl(
  mode: Mode,
  from = [...entries(mode), ...keptRows(mode).map(({ path }) => path)],
): Promise<{ wrong: string[]; walked: number; kept: number }> {
  const wrong = new Set<string>()
  const first = new Map<string, string>()
  const waiting = [...new Set(from)]
  const known = new Set(waiting)
  let turn = 0
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kept = isKept(path, mode)
    // A different visitor is first each time.
    const order = visitorNames.map((_, index) => visitorNames[(index + turn) % visitorNames.length] ?? 'anonymous')
    turn++
    for (const [place, visitor] of order.entries()) {
      if (kept && place < makers) shop.forgetPages()
      const { status, headers, body } = await shop.ask(visitor, mode, path)
      for (const link of linksOf(body, mode)) {
        if (known.has(link) || known.size >= maxAddresses || from.length === 1) continue
        known.add(link)
        waiting.push(link)
      }
      if (!kept) continue
      if (headers['set-cookie']) wrong.add(`${path}: sets a cookie`)
      if (status !== 200) continue
      const theirs = shop.personal.find((word) => body.includes(word))
      if (theirs !== undefined) wrong.add(`${path}: ${visitor} reads ${theirs}`)
      // A page with nothing to show yet is rendered for everybody, and kept by nobody.
      if (!/public|^private, no-cache$/.test(String(headers['cache-control']))) wrong.add(`${path}: ${headers['cache-control']}`)
      const before = first.get(path)
      if (before === undefined) first.set(path, body)
      else if (before !== body) wrong.add(`${path}: ${visitor} gets another page`)
    }
  }
  return { wrong: [...wrong], walked: known.size, kept: first.size }
}

/** Rows that are kept for everybody: an address of each. */
const keptRows = (mode: Mode) =>
  (routes as readonly ShopRoute[])
    .filter(({ cache, page, only }) => cache !== undefined && page !== undefined && (only ?? mode) === mode)
    .map((row) => ({ name: row.name, path: addressFor(row.addresses[0] ?? '/', row.name as PageName, shop.belongings.customer) }))

const written = 'written content, of which this shop has none'
/** Rows whose page is not there in this shop, and the reason. */
const notThere: Record<string, string> = {
  categoryHub: written,
  bestSellersFamily: written,
  commercialOperationListing: written,
  landing: written,
  massLanding: written,
  inspirationalMassLanding: written,
  massLandingSitemapCategory: written,
  promoSEO: written,
  guide: written,
  topProducts: written,
  project: written,
  helpArticle: written,
  youHaveGotThis: written,
  bingo: written,
  reassurance: written,
  proPublicPages: written,
  klarna: 'a payment method that this shop does not offer',
  paint: 'no paint: the address moves to the product’s',
  cataloguePaint: 'no paint: the address moves to the product’s',
  catalogueProduct: 'a product without variants has one address',
  catalogueProductInformations: 'a product without variants has one address',
}

for (const mode of modes)
  test(`A48 every page that is kept for everybody is among those crawled, on the storefront ${mode}`, async () => {
    const rows = keptRows(mode)
    const answers = await Promise.all(
      rows.map(async ({ name, path }) => ({ name, path, status: (await shop.ask('anonymous', mode, path)).status })),
    )
    assert.deepEqual(
      answers.filter(({ name, status }) => (status !== 200) !== (notThere[name] !== undefined)),
      [],
    )
  })

for (const mode of modes) {
  test(`A47 A48 shared pages contain no data of any of seven visitors, and are the same for all, on the storefront ${mode}`, async () => {
    const { wrong, walked, kept } = await crawl(mode)
    assert.deepEqual(wrong, [])
    assert.ok(walked >= 40 && kept >= 20, `${walked} addresses, ${kept} of them kept`)
  })
}

for (const mode of modes) {
  test(`the crawl detects a name leaked by a page, on the storefront ${mode}`, async () => {
    // A visitor has viewed their account in the crawls before.
    assert.match(remembered.name, /^Robin/)
    planted.name = true
    const { wrong } = await crawl(mode, ['/'])
    planted.name = false
    assert.match(wrong.join('\n'), /^\/: .* reads Robin/m)
  })

  test(`the crawl detects a page that differs between visitors, even without a name, on the storefront ${mode}`, async () => {
    planted.count = true
    const { wrong } = await crawl(mode, ['/'])
    planted.count = false
    assert.match(wrong.join('\n'), /^\/: .* gets another page/m)
  })

  test(`the crawl detects a price that sellers have agreed with one company, on the storefront ${mode}`, async () => {
    assert.ok(ownPrices.length > 0)
    remembered.price = ownPrices[0] ?? ''
    planted.price = true
    const { wrong } = await crawl(mode, ['/'])
    planted.price = false
    assert.match(wrong.join('\n'), /^\/: .* reads £/m)
  })
}
