import assert from 'node:assert/strict'
import { test } from 'node:test'
import { category, listing, seller } from '../testing/goods.ts'
import { pageOf, shopWith } from '../testing/shop.ts'

const brand = { id: 3, name: 'Kastor', url: '/brand/kastor-3', logoUrl: '/pictures/b/3.svg', text: null, alternates: [] }
const shop = { category: category(), brand, seller: seller(), listing: listing() }
const listings = ['/drills-4', '/brand/kastor-3', '/seller-7', '/great-deals', '/search/drill']

test('every kind of listing redirects from beyond its last page to its first, and from empty fields to its plain address', async () => {
  const { ask, close } = await shopWith({ ...shop, listing: listing({ page: 9, pages: 2, total: 60 }) })
  for (const path of listings) {
    const beyond = await ask(`${path}?page=9&sort=price_asc`)
    assert.deepEqual([beyond.status, beyond.headers.location], [302, `${path}?sort=price_asc`])
    const untidy = await ask(`${path}?min[price]=&sort=price_asc`)
    assert.deepEqual([untidy.status, untidy.headers.location], [302, `${path}?sort=price_asc`])
  }
  await close()
})

test('every indexable listing has each page as its own canonical, and is not indexed when sorted or filtered', async () => {
  const { ask, close } = await shopWith({ ...shop, listing: listing({ total: 130, pages: 3, page: 2 }) })
  for (const path of listings.filter((one) => !one.startsWith('/search'))) {
    const second = await ask(`${path}?page=2`)
    assert.match(second.body, new RegExp(`rel="canonical" href="http://gb\\.localhost${path}\\?page=2"`), path)
    for (const query of ['sort=price_asc', 'size=24', 'f[brand]=Kastor']) {
      assert.match((await ask(`${path}?${query}`)).body, /name="robots" content="noindex, follow"/, `${path}?${query}`)
    }
  }
  await close()
})

test('R-714 search engines follow at most twenty pages, and whole catalogues are not pages', async () => {
  const { ask, asked, close } = await shopWith({ ...shop, listing: listing({ total: 2_000, pages: 40, page: 21 }) })
  for (const path of listings.filter((one) => !one.startsWith('/search'))) {
    assert.match((await ask(`${path}?page=21`)).body, /name="robots" content="noindex, nofollow"/, path)
    assert.doesNotMatch((await ask(`${path}?page=20`)).body, /name="robots"/, path)
    await ask(`${path}?size=500`)
    const { input } = asked.findLast((variables) => 'input' in variables) as { input: { pageSize: number | null } }
    assert.equal(input.pageSize, null, path)
  }
  await close()
})

test('R-520 searches and categories name the query that their products were shown for, with what the script sends about it', async () => {
  const { ask, close } = await shopWith({ ...shop, listing: listing({ impressionId: '50a1100' }) })
  const lists = { '/search/drill': { kind: 'search', query: 'drill' }, '/drills-4': { kind: 'category', id: 4 } }
  for (const [path, what] of Object.entries(lists)) {
    const { body } = await ask(path)
    const [, given = ''] = /data-listing="([^"]*)" data-impression="50a1100"/.exec(body) ?? []
    assert.deepEqual(JSON.parse(given.replaceAll('&#34;', '"').replaceAll('&quot;', '"')), what, path)
    assert.match(body.slice(body.indexOf('data-impression')), /data-card="".*?<a [^>]*id="1"/s, path)
  }
  await close()
  assert.doesNotMatch((await pageOf(shop, '/brand/kastor-3')).body, /data-impression/)
})

test('a wrong slug of a brand redirects to the right one, keeping the selection and the parameters of advertisements', async () => {
  const moved = await pageOf(shop, '/brand/castor-3?page=2&utm_source=mail')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/brand/kastor-3?page=2&utm_source=mail'])
})

test('an impossible number is 404 without a query', async () => {
  const { ask, asked, close } = await shopWith(shop)
  for (const path of ['/drills-99999999999', '/brand/kastor-99999999999', '/seller-99999999999', '/drills-0']) {
    assert.equal((await ask(path)).status, 404, path)
  }
  assert.ok(asked.every((variables) => !('id' in variables)))
  await close()
})

test('an invalid page or page size is ignored', async () => {
  const { ask, asked, close } = await shopWith(shop)
  for (const query of ['page=99999999999&size=99999999999', 'page=1e3&size=-5', 'page=&size=x']) {
    await ask(`/great-deals?${query}`)
    const { input } = asked.findLast((variables) => 'input' in variables) as { input: { page: number; pageSize: number | null } }
    assert.deepEqual([input.page, input.pageSize], [1, null], query)
  }
  await close()
})
