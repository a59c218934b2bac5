/** Seven kinds of visitors crawl the shop one after another, through the page cache: shared pages must contain nobody's data. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { clickCookie, consentCookie, visitCookie, visitorCookie } from '@purlin/contract/consent.ts'
import { flagOverridesCookie } from '@purlin/contract/flags.ts'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { storefrontCookie, vatDisplayCookie } from '@purlin/contract/site-settings.ts'
import { routes, type ShopRoute } from '@purlin/storefront/routes.ts'
import type { ShopContext, ShopPage } from '@purlin/storefront/shell/context.ts'
import { flashCookie } from '@purlin/storefront/shell/flash.ts'
import { givePriceList } from '@purlin/server/goods/conditions/index.ts'
import { loadCouponWorth } from '@purlin/server/selling/cart/index.ts'
import { compileRoutes } from '@purlin/web/route-table.ts'
import type { ShopPages } from './serve-shop.ts'
import { cachedRows, fillEveryPage } from './every-page.ts'
import { hosts, shopWithVisitors, visitorNames, type VisitorName } from './visitors.ts'
import { giveWelcomeOffer } from './welcome-offer.ts'

const match = compileRoutes<ShopRoute>(routes)

/** The planted mistakes of the last tests: a page leaks data of one visitor to the next. */
const planted = { name: false, count: false, price: false, cookie: false }

const remembered = { name: 'nobody', count: 0, price: '', cookie: '' }

function leaking(page: ShopPage | undefined): ShopPage {
  assert.ok(page?.load)
  const { load } = page
  return {
    ...page,
    load: async (context: ShopContext) => {
      const loaded = await load(context)
      if ('outcome' in loaded) return loaded
      const leaked = `${planted.name ? remembered.name : ''}${planted.count ? remembered.count++ : ''}${planted.price ? remembered.price : ''}${planted.cookie ? remembered.cookie : ''}`
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
        remembered.cookie = context.cookies[clickCookie] ?? remembered.cookie
        return loadArea(context)
      },
    },
    ...Object.fromEntries(['./home/home-page.tsx', './home/home-pro-page.tsx'].map((file) => [file, leaking(pages[file])])),
  }
}

const shop = await shopWithVisitors({ change, fill: fillEveryPage })
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

// Customer and member are of high value: the code of their offer is theirs alone, also where an offer names it.
const ownCode = await giveWelcomeOffer(shop, ['customer', 'member'])
await shop.database.pool.query('update catalogue.offer set coupon_code = $1', [ownCode])
await loadCouponWorth(shop.database.db)
shop.personal.push(ownCode)
/** Values of our cookies, as the shop sets them or as a hostile client forges them; each contains the names of its visitor and cookie. */
const markOf = (visitor: VisitorName, cookie: string) => `planted-${visitor.replace(' ', '-')}-${cookie}`
const ids: Record<VisitorName, string> = Object.fromEntries(visitorNames.map((visitor) => [visitor, randomUUID()])) as never
const json = (value: object) => encodeURIComponent(JSON.stringify(value))
const cookiesOf: Readonly<Record<string, (visitor: VisitorName) => string>> = {
  [flashCookie]: (visitor) => json({ severity: 'success', key: `flash.${markOf(visitor, 'flash')}`, text: markOf(visitor, 'flash') }),
  [visitorCookie]: (visitor) => ids[visitor],
  [visitCookie]: (visitor) => `${ids[visitor]}.1`,
  [clickCookie]: (visitor) => markOf(visitor, 'click'),
  [consentCookie]: (visitor) => json({ id: ids[visitor], purposes: ['userPreferences'], by: markOf(visitor, 'consent') }),
  [flagOverridesCookie]: (visitor) => json({ batchEnabled: true, [markOf(visitor, 'flag')]: markOf(visitor, 'flag') }),
  [storefrontCookie]: (visitor) => markOf(visitor, 'storefront'),
  '__Host-purlin-sign-in-1': (visitor) => markOf(visitor, 'sign-in'),
  '__Host-exchange': (visitor) => markOf(visitor, 'exchange'),
  'of-nobody': (visitor) => markOf(visitor, 'of-nobody'),
}
const markup = (mark: string) => `"><script>${mark}</script>`
/** Cookie headers with which each visitor comes, besides the session: as the shop sets them, and forged. */
const plantings: Readonly<Record<string, (visitor: VisitorName) => string>> = {
  'its own cookies': (visitor) =>
    Object.entries(cookiesOf)
      .map(([name, value]) => `${name}=${value(visitor)}`)
      .join('; '),
  'cookies that hold markup': (visitor) =>
    [...Object.keys(cookiesOf), vatDisplayCookie].map((name) => `${name}=${markup(markOf(visitor, 'markup'))}`).join('; '),
  'a second session cookie, and names that look like ours': (visitor) =>
    [
      `__Host-purlin=${markOf(visitor, 'session')}`,
      `__Secure-purlin=${markOf(visitor, 'session')}`,
      `purlin=${markOf(visitor, 'session')}`,
      `__proto__=${markOf(visitor, 'name')}`,
      `constructor=${markOf(visitor, 'name')}`,
      `${vatDisplayCookie}=${markOf(visitor, 'vat')}`,
      markOf(visitor, 'nameless'),
      `=${markOf(visitor, 'nameless')}`,
      `long=${markOf(visitor, 'long')}${'x'.repeat(3000)}`,
      `percent=%E0%A4%A${markOf(visitor, 'percent')}`,
    ].join('; '),
}
shop.personal.push('planted-', ...Object.values(ids))

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

/** Each page is requested without planted cookies and with each kind of them. */
const plantingNames = [undefined, ...Object.keys(plantings)]

const maxAddresses = 260
/** How many of the seven get each page freshly rendered; the others get it from the cache. */
const makers = 4

/** Problems of the shared pages, as seen by all seven on one storefront; from one address, or from all entry points. */
async function crawl(
  mode: Mode,
  from = [...entries(mode), ...cached[mode].map(({ path }) => path)],
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
      const planting = plantingNames[(turn + place) % plantingNames.length]
      const cookies = planting === undefined ? undefined : plantings[planting]?.(visitor)
      const { status, headers, body } = await shop.ask(visitor, mode, path, { ...(cookies && { cookies }) })
      for (const link of linksOf(body, mode)) {
        if (known.has(link) || known.size >= maxAddresses || from.length === 1) continue
        known.add(link)
        waiting.push(link)
      }
      if (!kept) continue
      if (headers['set-cookie']) wrong.add(`${path}: sets a cookie`)
      if (status !== 200) continue
      const theirs = shop.personal.find((word) => body.includes(word))
      if (theirs !== undefined) wrong.add(`${path}: ${visitor} with ${planting ?? 'no other cookies'} reads ${theirs}`)
      // A page with nothing to show yet is rendered for everybody, and kept by nobody.
      if (!/public|^private, no-cache$/.test(String(headers['cache-control']))) wrong.add(`${path}: ${headers['cache-control']}`)
      const before = first.get(path)
      if (before === undefined) first.set(path, body)
      else if (before !== body) wrong.add(`${path}: ${visitor} with ${planting ?? 'no other cookies'} gets another page`)
    }
  }
  return { wrong: [...wrong], walked: known.size, kept: first.size }
}

/** The address of each row that is cached for everybody, in its right spelling: a wrong slug moves once. */
async function cachedPages(mode: Mode): Promise<{ name: string; path: string; status: number }[]> {
  const found: { name: string; path: string; status: number }[] = []
  for (const { name, path } of cachedRows(mode, shop.belongings.customer)) {
    const { status, headers } = await shop.ask('anonymous', mode, path)
    const there = status === 301 ? String(headers.location) : path
    found.push({ name, path: there, status: status === 301 ? (await shop.ask('anonymous', mode, there)).status : status })
  }
  return found
}
const cached = { b2c: await cachedPages('b2c'), b2b: await cachedPages('b2b') }

for (const mode of modes)
  test(`A48 every row that is cached for everybody has a page in this shop, at an address of its own, on the storefront ${mode}`, () => {
    assert.deepEqual(
      cached[mode].filter(({ name, path, status }) => status !== 200 || match(path, mode)?.route.name !== name),
      [],
    )
  })

for (const mode of modes) {
  test(`A47 A48 shared pages contain no data of any of seven visitors, and are the same for all, on the storefront ${mode}`, async () => {
    const { wrong, walked, kept } = await crawl(mode)
    assert.deepEqual(wrong, [])
    assert.ok(walked > kept && kept >= cached[mode].length, `${walked} addresses, ${kept} of them cached, of ${cached[mode].length} rows`)
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

  test(`the crawl detects what another visitor's cookie held, on the storefront ${mode}`, async () => {
    assert.match(remembered.cookie, /planted-/)
    planted.cookie = true
    const { wrong } = await crawl(mode, ['/'])
    planted.cookie = false
    assert.match(wrong.join('\n'), /^\/: .* reads planted-/m)
  })

  test(`the crawl detects a page that differs between visitors, even without a name, on the storefront ${mode}`, async () => {
    planted.count = true
    const { wrong } = await crawl(mode, ['/'])
    planted.count = false
    assert.match(wrong.join('\n'), /^\/: .* gets another page/m)
  })

  test(`the crawl detects a price that sellers have agreed with one company, and the code of an offer to some customers, on the storefront ${mode}`, async () => {
    assert.ok(ownPrices.length > 0)
    for (const word of [ownPrices[0] ?? '', ownCode]) {
      remembered.price = word
      planted.price = true
      const { wrong } = await crawl(mode, ['/'])
      planted.price = false
      assert.match(wrong.join('\n'), new RegExp(`^/: .* reads ${RegExp.escape(word)}`, 'm'))
    }
  })
}
