import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offer, product } from '../testing/goods.ts'
import { pageOf, structuredData, textOf } from '../testing/shop.ts'

const address = '/p/cordless-drill-18-v-12'
const best = offer('o1')
const answer = { product: product({ bestOffer: best, offers: [best] }) }

test('R-065 R-078 below /webview the same page is shown without header and footer, and its links stay there', async () => {
  const [plain, app] = [await pageOf(answer, address), await pageOf(answer, `/webview${address}`)]
  assert.equal(app.status, 200)
  const heading = /<h1.*?<\/h1>/s.exec(plain.body)?.[0]
  assert.ok(heading && app.body.includes(heading))
  assert.deepEqual(structuredData(app.body), structuredData(plain.body))
  assert.match(plain.body, /<header/)
  assert.doesNotMatch(app.body, /<header|<footer/)
  // Links and forms to pages keep the app's address; pictures and files do not.
  assert.match(app.body, /<form[^>]*action="\/webview\/cart"/)
  assert.match(app.body, /href="\/webview\/seller-7"/)
  assert.match(app.body, /data-cart-href="\/webview\/cart"/)
  assert.match(app.body, /src="\/pictures\/p\/12\/main\.svg"/)
  assert.doesNotMatch(app.body, /<a [^>]*href="\/(?!webview|documents|pictures|files)/)
})

test('R-065 search engines index the page and not the app’s copy of it', async () => {
  const { headers, body } = await pageOf(answer, `/webview${address}`)
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.match(body, new RegExp(`<link rel="canonical" href="[^"]*(?<!webview)${address}">`))
})

test('R-065 redirects, missing pages and sign-in stay in the app', async () => {
  const moved = await pageOf(answer, '/webview/p/other-12')
  assert.deepEqual([moved.status, moved.headers.location], [301, `/webview${address}`])
  const missing = await pageOf(answer, '/webview/nothing/here')
  assert.equal(missing.status, 404)
  assert.doesNotMatch(missing.body, /<footer/)
  const orders = await pageOf(answer, '/webview/orders')
  assert.deepEqual([orders.status, orders.headers.location], [302, `/webview/login?callbackUrl=${encodeURIComponent('/webview/orders')}`])
  assert.ok(textOf(missing.body).length > 0)
})

test('R-065 neither files nor the webview itself are pages inside it', async () => {
  for (const path of ['/webview/webview/cart', '/webview/manifest.json', '/webview/api/auth/session'])
    assert.equal((await pageOf(answer, path)).status, 404, path)
})
