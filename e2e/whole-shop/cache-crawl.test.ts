/** Seven kinds of visitors walk through the shop, one after the other, through the page cache: what is kept for everybody is nobody's. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { routes, type ShopRoute } from '@purlin/storefront/routes.ts'
import type { ShopContext } from '@purlin/storefront/shell/context.ts'
import { compileRoutes } from '@purlin/web/route-table.ts'
import { hosts, shopWithVisitors, visitorNames, type ShopPages } from './visitors.ts'

const match = compileRoutes<ShopRoute>(routes)

/** The mistakes of the second and third test: what a page remembers of one visitor shows in the next one's. */
const planted = { name: false, count: false }
const remembered = { name: 'nobody', count: 0 }

function change(pages: ShopPages): ShopPages {
  const home = pages['./home/home-page.tsx']
  const area = pages['./account/customer-area-page.tsx']
  assert.ok(home?.load && area?.load)
  const { load: loadHome } = home
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
    './home/home-page.tsx': {
      ...home,
      load: async (context: ShopContext) => {
        const loaded = await loadHome(context)
        if ('outcome' in loaded) return loaded
        const leaked = `${planted.name ? remembered.name : ''}${planted.count ? remembered.count++ : ''}`
        return { ...loaded, title: loaded.title + leaked }
      },
    },
  }
}

const shop = await shopWithVisitors({ change })
after(() => shop.close())

const isKept = (path: string, mode: Mode): boolean => {
  const found = match(path.split('?')[0] ?? '/', mode)
  return found?.route.cache !== undefined && found.route.page !== undefined
}
/** Addresses that are pages; those that end a session or change something are not walked to. */
const isPage = (path: string, mode: Mode): boolean => {
  const route = match(path.split('?')[0] ?? '/', mode)?.route
  return route?.page !== undefined && !route.endpoint && !['register', 'authPreLogout'].includes(route.name)
}

/** Where a storefront can be entered: each page of the table that needs no id. */
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

const mostAddresses = 90
/** So many of the seven have each page made for them; the others find it kept. */
const makers = 4

/** What is wrong with the pages kept for everybody, as all seven find them on one storefront; from one address alone, or from all that can be entered at. */
async function crawl(mode: Mode, from = entries(mode)): Promise<{ wrong: string[]; walked: number; kept: number }> {
  const wrong = new Set<string>()
  const first = new Map<string, string>()
  const waiting = [...from]
  const known = new Set(waiting)
  let turn = 0
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kept = isKept(path, mode)
    // Somebody else is first each time.
    const order = visitorNames.map((_, index) => visitorNames[(index + turn) % visitorNames.length] ?? 'anonymous')
    turn++
    for (const [place, visitor] of order.entries()) {
      if (kept && place < makers) shop.forgetPages()
      const { status, headers, body } = await shop.ask(visitor, mode, path)
      for (const link of linksOf(body, mode)) {
        if (known.has(link) || known.size >= mostAddresses || from.length === 1) continue
        known.add(link)
        waiting.push(link)
      }
      if (!kept) continue
      if (headers['set-cookie']) wrong.add(`${path}: sets a cookie`)
      if (status !== 200) continue
      const theirs = shop.personal.find((word) => body.includes(word))
      if (theirs !== undefined) wrong.add(`${path}: ${visitor} reads ${theirs}`)
      if (!/public/.test(String(headers['cache-control']))) wrong.add(`${path}: ${headers['cache-control']}`)
      const before = first.get(path)
      if (before === undefined) first.set(path, body)
      else if (before !== body) wrong.add(`${path}: ${visitor} gets another page`)
    }
  }
  return { wrong: [...wrong], walked: known.size, kept: first.size }
}

for (const mode of modes) {
  test(`A48 pages kept for everybody hold nothing of any of seven visitors, and are the same for all, on the storefront ${mode}`, async () => {
    const { wrong, walked, kept } = await crawl(mode)
    assert.deepEqual(wrong, [])
    assert.ok(walked >= 40 && kept >= 20, `${walked} addresses, ${kept} of them kept`)
  })
}

test('the crawl finds a name that a page has remembered of somebody else', async () => {
  // Somebody has looked at their account in the crawls before.
  assert.match(remembered.name, /^Robin/)
  planted.name = true
  const { wrong } = await crawl('b2c', ['/'])
  planted.name = false
  assert.match(wrong.join('\n'), /^\/: .* reads Robin/m)
})

test('the crawl finds a page that is not the same for all, though it names nobody', async () => {
  planted.count = true
  const { wrong } = await crawl('b2c', ['/'])
  planted.count = false
  assert.match(wrong.join('\n'), /^\/: .* gets another page/m)
})
