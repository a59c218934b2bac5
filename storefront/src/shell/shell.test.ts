import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cart, emptyCart, home, listing } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'
import { readFlash } from './flash.ts'
import { breadcrumbData } from './structured-data.ts'
import { countryName } from './switches.tsx'

test('R-288 the default layout has menu, search, help, cart and footer', async () => {
  const { body } = await pageOf({ cart: emptyCart() }, '/cart')
  const header = /<header[\s\S]*<\/header>/.exec(body)![0]
  assert.match(header, /role="search"/)
  assert.match(header, /href="\/help"/)
  assert.match(header, /href="\/cart"/)
  assert.ok(textOf(header).includes('Department tools'))
  assert.match(body, /<a [^>]*href="#content"/)
  assert.match(body, /<main id="content"/)
  assert.match(body, /<footer/)
})

test('R-288 the funnel has no distracting links: no menu, no search, no account', async () => {
  const { body } = await pageOf({}, '/checkout/register')
  const header = /<header[\s\S]*?<\/header>/.exec(body)![0]
  assert.doesNotMatch(header, /role="search"|href="\/login"|Department/)
  assert.match(header, /href="\/cart"/)
  assert.ok(textOf(header).includes('Secure checkout'))
})

test('a missing menu does not break the page', async () => {
  const { status, body } = await pageOf({ cart: emptyCart(), categoryTree: () => Promise.reject(new Error('no tree')) }, '/cart')
  assert.equal(status, 200)
  assert.match(body, /role="search"/)
})

test('the VAT display choice is offered only to professionals outside gb', async () => {
  const offered = async (host: string) => /name="vat"/.test((await pageOf({ cart: emptyCart() }, '/cart', { host })).body)
  assert.deepEqual(await Promise.all(['pro.de.localhost', 'pro.fr.localhost', 'pro.gb.localhost', 'de.localhost'].map(offered)), [
    true,
    true,
    false,
    false,
  ])
})

test('choosing how prices are displayed returns to the same page, without a script too', async () => {
  const { body } = await pageOf({ listing: listing() }, '/great-deals?page=1&sort=price_asc', { host: 'pro.de.localhost' })
  assert.match(body, /name="back"[^>]* value="\/great-deals\?page=1&amp;sort=price_asc"/)
})

test('the footer says whether prices include VAT', async () => {
  const foot = async (host: string, cookie?: string) =>
    textOf(/<footer[\s\S]*<\/footer>/.exec((await pageOf({ home: home() }, '/', { host, ...(cookie && { cookie }) })).body)![0])
  assert.match(await foot('gb.localhost'), /All prices include VAT/)
  assert.match(await foot('pro.gb.localhost'), /All prices include VAT/)
  assert.match(await foot('pro.de.localhost'), /zzgl\. MwSt\./)
  assert.match(await foot('pro.de.localhost', 'mm_vat_display=with'), /Alle Preise inkl\. MwSt\./)
})

test('businesses are not promised the consumers’ right of withdrawal', async () => {
  for (const path of ['/cart', '/checkout/register']) {
    const said = async (host: string) => /14 days/.test((await pageOf({ cart: cart() }, path, { host })).body)
    assert.deepEqual([await said('gb.localhost'), await said('pro.gb.localhost')], [true, false], path)
  }
})

test('a message in a cookie is a known key, or ignored', () => {
  const good = JSON.stringify({ severity: 'success', key: 'flash.cart-added' })
  assert.deepEqual(readFlash(good), { severity: 'success', key: 'flash.cart-added' })
  assert.deepEqual(readFlash(encodeURIComponent(good)), { severity: 'success', key: 'flash.cart-added' })
  const more = JSON.stringify({ severity: 'success', key: 'flash.cart-added', values: { count: 'words of mine' } })
  assert.deepEqual(readFlash(more), { severity: 'success', key: 'flash.cart-added' })
  for (const bad of [
    undefined,
    '',
    'x',
    '%E0%A4',
    '{}',
    '{"severity":"loud","key":"flash.cart-added"}',
    '{"severity":"info","key":"<b>"}',
    '{"severity":"info","key":"cart.title"}',
    '{"severity":"info","key":7}',
  ])
    assert.equal(readFlash(bad), null, String(bad))
})

test('V-100 header and footer, rendered once, lead from each page to itself: after signing in and in other markets', async () => {
  for (const path of ['/great-deals?page=1', '/cart', "/search/d'arc%20lamp"]) {
    const { body } = await pageOf({ cart: emptyCart(), listing: listing() }, path)
    const [at = ''] = path.replace("'", '&#39;').split('?')
    const [header, footer] = [/<header[^]*<\/header>/, /<footer[^]*<\/footer>/].map((part) => part.exec(body)![0])
    assert.equal(header!.split(`href="http://fr.localhost${at}"`).length, 2, path)
    assert.equal(footer!.split(`href="http://de.localhost${at}"`).length, 2, path)
    assert.ok(header!.includes(`callbackUrl=${encodeURIComponent(path.split('?')[0]!).replaceAll("'", '%27')}`), path)
    assert.doesNotMatch(body, /gap\(/)
    assert.equal(/<input id="search"[^>]* value="d&#39;arc lamp"/.test(header!), path.startsWith('/search'), path)
  }
})

test('a forged message shows no text of its own', async () => {
  const cookie = `purlin_flash=${encodeURIComponent(JSON.stringify({ severity: 'danger', key: 'evil.words' }))}`
  const { body } = await pageOf({ cart: emptyCart() }, '/cart', { cookie })
  assert.doesNotMatch(body, /evil\.words/)
})

test('countries are named in their own languages', () => {
  assert.deepEqual((['gb', 'fr', 'de', 'es', 'it'] as const).map(countryName), [
    'United Kingdom',
    'France',
    'Deutschland',
    'España',
    'Italia',
  ])
})

test('the breadcrumb of a page starts at the home page', () => {
  const { itemListElement } = breadcrumbData('https://x.example', 'Home', [{ name: 'Tools', url: '/tools-1' }]) as {
    itemListElement: { position: number; item: string }[]
  }
  assert.deepEqual(
    itemListElement.map(({ position, item }) => [position, item]),
    [
      [1, 'https://x.example/'],
      [2, 'https://x.example/tools-1'],
    ],
  )
})
