import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRoutes } from '@purlin/web/route-table.ts'
import { textPages } from '../information/text-pages.ts'
import { routes, type ShopRoute } from '../routes.ts'
import { emptyCart, home, listing } from '../testing/goods.ts'
import { shopWith } from '../testing/shop.ts'

const match = compileRoutes<ShopRoute>(routes)
/** Served by the gateway, or files. */
const elsewhere = /^\/(?:pictures|documents|assets|graphql|api)\b/

/** Links of a page to pages that are not built. */
function deadLinks(html: string, mode: string): string[] {
  const paths = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&').split(/[?#]/)[0] ?? '')
  return [...new Set(paths)].filter((path) => {
    const route = elsewhere.test(path) ? undefined : match(path, mode)?.route
    return !elsewhere.test(path) && route?.page === undefined && route?.redirect === undefined
  })
}

test('V-21 the check itself detects a link to what is no page', () => {
  assert.deepEqual(deadLinks('<a class="x" href="/manifest.json?x=1">a</a><a href="/cart">b</a><a href="/no/such/page">c</a>', 'b2c'), [
    '/manifest.json',
    '/no/such/page',
  ])
})

test('V-21 no page links to an address that is not built, in two markets and on both storefronts', async () => {
  const shop = await shopWith({ cart: emptyCart(), home: home(), listing: listing(), brands: [] })
  for (const host of ['gb.localhost', 'pro.gb.localhost', 'de.localhost', 'pro.de.localhost']) {
    for (const path of [
      '/',
      '/cart',
      '/great-deals',
      '/search/saw',
      '/brands',
      '/sitemap',
      '/consumer-information/ranking',
      '/no/such/page',
    ]) {
      const { body } = await shop.ask(path, { host })
      assert.ok(body.includes('<a '), `${host}${path}`)
      assert.deepEqual(deadLinks(body, host.startsWith('pro.') ? 'b2b' : 'b2c'), [], `${host}${path}`)
    }
  }
  await shop.close()
})

test('V-21 every page a text may link to is built', () => {
  for (const path of Object.values(textPages)) assert.deepEqual(deadLinks(`<a href="${path()}">x</a>`, 'b2c'), [])
})
