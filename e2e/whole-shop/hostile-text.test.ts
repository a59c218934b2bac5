/** Text that means something to HTML, JSON or a browser, in addresses, headers and everything that is stored: pages show it, and nothing else happens. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { escapeHtml } from '@purlin/web/document.ts'
import { shopWithVisitors, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { pool, db } = shop.database
const { customer } = shop.belongings

const script = `"'><script>alert(1)</script><img src=x onerror=alert(1)></title><!--\u2028end`
const breaksOut = /<script>alert|<img src=x|onerror=alert\(1\)>|<!--\u2028/
/** A text for each place, so that a page tells which of them it shows. */
const hostile = (place: string) => `${place} ${script}`

/** React's spellings of escaped characters, and ours. */
const spellings = { '&quot;': '&#34;', '&#x27;': '&#39;', '&lt;': '&#60;', '&gt;': '&#62;' }
const inOneSpelling = (html: string) => html.replace(/&(?:quot|#x27|lt|gt);/g, (found) => spellings[found as keyof typeof spellings])
const holds = (html: string, text: string) => inOneSpelling(html).includes(escapeHtml(text).replace('\u2028', ' '))

/** A page as a browser gets it in the end. */
async function follow(visitor: VisitorName, path: string, options: Parameters<typeof shop.ask>[3] = {}) {
  let reply = await shop.ask(visitor, 'b2c', path, options)
  for (let hops = 0; hops < 3 && reply.headers.location !== undefined; hops++)
    reply = await shop.ask(visitor, 'b2c', reply.headers.location, options)
  return reply
}

/** The page is shown and has these texts, escaped. */
async function showsHarmlessly(path: string, texts: readonly string[]): Promise<void> {
  const { status, body } = await follow('customer', path)
  assert.equal(status, 200, path)
  assert.doesNotMatch(body, breaksOut, path)
  const missing = texts.filter((text) => !holds(body.replaceAll('\u2028', ' '), text))
  assert.deepEqual(missing, [], path)
}

const encoded = encodeURIComponent(hostile('address'))
for (const [path, status] of [
  [`/cat/${encoded}`, 404],
  [`/?utm_source=${encoded}`, 200],
  [`/login?callbackUrl=${encoded}`, 200],
  [`/login?callbackUrl=/${encoded}`, 200],
  [`/contact?topic=${encoded}`, 200],
  [`/drills-11?f[brand]=${encoded}`, 200],
  [`/nowhere-${encoded}`, 404],
  [`/my-account/wishlists/${encoded}`, 404],
] as const)
  test(`A53 text of the address is no markup of ${path.slice(0, path.indexOf('address'))}`, async () => {
    const reply = await follow(path.startsWith('/login') ? 'anonymous' : 'customer', path)
    assert.equal(reply.status, status)
    assert.doesNotMatch(reply.body, breaksOut)
  })

test('A53 the page of a search repeats what was searched for, as text', async () => {
  for (const path of [`/search/${encoded}`, `/search?query=${encoded}`]) await showsHarmlessly(path, [hostile('address')])
})

test('A53 text of a header or a cookie is no markup of a page', async () => {
  for (const [path, options] of [
    ['/', { headers: { referer: `https://example.com/${script.replaceAll('\u2028', '')}` } }],
    ['/cart', { cookies: `purlin-message=${encoded}; flash=${encoded}; utm_source=${encoded}` }],
  ] as const) {
    const { status, body } = await shop.ask('customer', 'b2c', path, options)
    assert.equal(status, 200, path)
    assert.doesNotMatch(body, breaksOut, path)
  }
})

const inEveryLanguage = (column: string) => `(select jsonb_object_agg(key, $1::text) from jsonb_each(${column}))`
/** Names of goods as an import may bring them. */
const namedByOthers: Record<string, string> = {
  seller: 'update sellers.seller set name = $1',
  'legal name': 'update sellers.seller set legal_name = $1',
  brand: 'update catalogue.brand set name = $1',
  category: `update catalogue.category set names = ${inEveryLanguage('names')}`,
  drill: `update catalogue.product set titles = ${inEveryLanguage('titles')}`,
  description: `update catalogue.product set descriptions = ${inEveryLanguage('descriptions')}`,
}
async function store(texts: Record<string, string>): Promise<void> {
  for (const [place, text] of Object.entries(texts)) {
    const { rowCount } = await pool.query(text, [hostile(place)])
    assert.ok(rowCount, place)
  }
  shop.forgetPages()
}

test('A53 names and descriptions of goods, brands, categories and sellers are text on every page that shows them', async () => {
  await store(namedByOthers)
  const engine = await testEngine()
  connectSearch(engine)
  await rebuildIndex({ db, engine })
  for (const [path, places] of Object.entries({
    '/p/cordless-drill-41': ['drill', 'description', 'brand', 'category', 'seller'],
    '/p/cordless-drill-41/informations': ['drill', 'description', 'brand', 'category'],
    '/drills-11': ['drill', 'brand', 'category', 'seller'],
    '/search/drill': ['drill', 'brand', 'category', 'seller'],
    '/brands': ['brand'],
    '/brand/tarvok-1': ['drill', 'brand', 'category', 'seller'],
    '/seller-1': ['drill', 'brand', 'category', 'seller', 'legal name'],
    '/compare?p=41': ['drill', 'brand', 'seller'],
    '/': ['brand', 'category'],
    '/sitemap': ['category'],
    '/cart': ['drill', 'seller'],
  }))
    await showsHarmlessly(path, places.map(hostile))
})

for (const [path, places] of Object.entries({
  '/p/cordless-drill-41': ['drill', 'description', 'brand', 'category', 'seller'],
  '/drills-11': ['category'],
}))
  test(`A54 names in the structured data of ${path} neither end its element nor open a comment, and are read as they were written`, async () => {
    await store(namedByOthers)
    const { status, body } = await shop.ask('anonymous', 'b2c', path)
    assert.equal(status, 200)
    const texts = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, text = '']) => text)
    assert.ok(texts.length > 0)
    for (const text of texts) assert.doesNotMatch(text, /[<>\u2028]/)
    const read = JSON.stringify(texts.map((text) => JSON.parse(text)))
    assert.deepEqual(
      places.filter((place) => !read.includes(JSON.stringify(hostile(place)).slice(1, -1))),
      [],
    )
  })

test('A53 what buyers write, a name, an address, a wishlist, a message or a dispute, is text on every page that shows it', async () => {
  await store({
    name: 'update accounts.customer set name = $1',
    'first name': `update orders.customer_order set address = address || jsonb_build_object('firstName', $1::text)`,
    street: `update orders.customer_order set address = address || jsonb_build_object('line1', $1::text)`,
    'saved name': 'update addresses.address set first_name = $1',
    'saved street': 'update addresses.address set line1 = $1',
    wishlist: 'update wishlists.list set name = $1',
    message: 'update messages.message set body = $1',
    dispute: 'update disputes.step set note = $1',
    title: `update orders.order_line set snapshot = snapshot || jsonb_build_object('title', $1::text)`,
    'name of the seller': `update orders.seller_order set seller = seller || jsonb_build_object('name', $1::text)`,
  })
  const order = `/orders/customer-order/${customer.paid}/shipment/${customer.paid}-1`
  for (const [path, places] of Object.entries({
    '/customer-area': ['name', 'title', 'name of the seller'],
    '/orders': ['title', 'name of the seller'],
    [order]: ['first name', 'street', 'title', 'name of the seller'],
    '/my-account/addresses': ['saved name', 'saved street'],
    '/my-account/wishlists': ['wishlist'],
    [`/my-account/wishlists/${customer.wishlist}`]: ['wishlist'],
    '/my-messages/page/1': ['message'],
    [`/my-messages/conversation/${customer.paid}-1`]: ['message'],
    [`/online-support/${customer.paid}-1/dispute/${customer.message}`]: ['dispute'],
    '/help/order-selection': ['title', 'name of the seller'],
  }))
    await showsHarmlessly(path, places.map(hostile))
})

async function publish(): Promise<void> {
  for (const [subject, id] of [
    ['product', 41],
    ['seller', 1],
  ] as const)
    await pool.query(
      `insert into reviews.review (id, subject, subject_id, seller_id, market, language, author, stars, title, body, pros, cons, state, answer, answered_at, purchased_on)
       values ($1, $2, $3, 1, 'gb', 'en', $4, 5, $5, $6, $7, $8, 'published', $9, now(), now())`,
      [newId(), subject, id, ...['author', 'heading', 'review', 'praise', 'blame', 'reply'].map(hostile)],
    )
  const question = newId()
  await pool.query(
    `insert into reviews.question (id, product_id, market, language, mode, author, body, state) values ($1, 41, 'gb', 'en', 'b2c', $2, $3, 'published')`,
    [question, hostile('inquirer'), hostile('question')],
  )
  await pool.query(
    `insert into reviews.answer (id, question_id, kind, author, body, state) values ($1, $2, 'buyer', $3, $4, 'published')`,
    [newId(), question, hostile('expert'), hostile('answer')],
  )
  shop.forgetPages()
}

test('A53 published reviews, questions and answers are text on every page that shows them', async () => {
  await publish()
  const review = ['author', 'heading', 'review', 'praise', 'blame', 'reply']
  for (const [path, places] of Object.entries({
    '/p/cordless-drill-41': [...review, 'question', 'answer'],
    '/p/cordless-drill-41/reviews': review,
    '/p/cordless-drill-41/questions': ['inquirer', 'question', 'expert', 'answer'],
    '/seller-1/reviews': review,
  }))
    await showsHarmlessly(path, places.map(hostile))
})

const links = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', '//evil.example/x']
const runs = /(?:href|src|action|formaction)="\s*(?:javascript|vbscript|data:text|\/\/evil)/i

for (const link of links) {
  test(`A55 ${link} in a message is shown as text, not as a link`, async () => {
    const text = `[saw](${link}) ${link}`
    await pool.query('update messages.message set body = $1', [text])
    for (const path of ['/my-messages/page/1', `/my-messages/conversation/${customer.paid}-1`]) {
      const { status, body } = await shop.ask('customer', 'b2c', path)
      assert.equal(status, 200, path)
      assert.ok(holds(body, text), path)
      assert.doesNotMatch(body, runs, path)
    }
  })

  test(`A55 ${link} in a review is shown as text, not as a link`, async () => {
    await pool.query('delete from reviews.review')
    await publish()
    await pool.query('update reviews.review set body = $1, answer = $1', [`[saw](${link})`])
    for (const path of ['/p/cordless-drill-41/reviews', '/seller-1/reviews']) {
      const { status, body } = await shop.ask('anonymous', 'b2c', path)
      assert.equal(status, 200, path)
      assert.ok(holds(body, `[saw](${link})`), path)
      assert.doesNotMatch(body, runs, path)
    }
  })

  test(`A55 ${link} in an address becomes neither a link nor a redirect`, async () => {
    const text = encodeURIComponent(link)
    for (const path of [`/login?callbackUrl=${text}`, `/checkout/register?callbackUrl=${text}`, `/cat/${text}`, `/search/${text}`])
      for (const visitor of ['anonymous', 'customer'] as const) {
        const { body, headers } = await shop.ask(visitor, 'b2c', path)
        assert.doesNotMatch(body, runs, path)
        assert.doesNotMatch(headers.location ?? '', /^\s*(?:javascript|vbscript|data|\/\/evil)/i, path)
      }
    const { status, body } = await follow('anonymous', `/search/${text}`)
    assert.equal(status, 200)
    assert.ok(holds(body, link))
  })
}
