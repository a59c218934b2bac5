/** The crawl's checks, each with the mistake it is there for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from './facts.ts'
import { feedProblems, readGoogleFeed, readLocations } from './feeds.ts'
import { canonicalFindings, pageFindings } from './page-checks.ts'
import { structuredDataProblems } from './structured-data.ts'

const page = ({ head = '', body = '', attributes = 'data-page="category"' }) =>
  factsOf(
    `<html ${attributes}><head><title>Drills | Shop</title><meta name="description" content="All drills"><link rel="canonical" href="http://shop/drills-1">${head}</head><body>${body}</body></html>`,
  )
const kinds = (facts: ReturnType<typeof page>) =>
  pageFindings({ address: '/drills-1', facts, excuses: ['Not here yet'] }).map(({ kind }) => kind)
const card = '<li data-card="1"><a href="/p/a-1">A</a></li>'

test('a page without mistakes has no finding', () => {
  assert.deepEqual(kinds(page({ body: card })), [])
})

test('an empty list, an error sent as 200, a link to a missing part, too many elements and bytes are found', () => {
  assert.deepEqual(kinds(page({})), ['soft-404'])
  assert.deepEqual(kinds(page({ body: card, attributes: 'data-page="error" data-status="404"' })), ['soft-404'])
  assert.deepEqual(kinds(page({ body: `${card}<a href="#there">x</a>` })), ['anchor'])
  assert.deepEqual(kinds(page({ body: `${card}<a href="#there">x</a><p id="there">y</p>` })), [])
  assert.deepEqual(kinds(page({ body: card + '<i></i>'.repeat(1_500) })), ['elements'])
  assert.deepEqual(kinds(page({ body: card + 'x'.repeat(70 * 1024) })), ['bytes'])
})

test('two pages with one title and description, and a canonical address that is no page, are found', () => {
  const pages = new Map([
    ['/drills-1', page({})],
    ['/drills-2', { ...page({}), canonical: 'http://shop/drills-2' }],
    ['/drills-3', { ...page({}), canonical: 'http://shop/nowhere' }],
  ])
  assert.deepEqual(
    canonicalFindings('http://shop', pages).map(({ kind, address }) => [kind, address]),
    [
      ['duplicate', '/drills-2'],
      ['canonical', '/drills-3'],
    ],
  )
})

const offer = {
  '@type': 'Offer',
  price: 5,
  priceCurrency: 'GBP',
  availability: 'https://schema.org/InStock',
  itemCondition: 'https://schema.org/NewCondition',
}
const product = { '@context': 'https://schema.org', '@type': 'Product', name: 'Drill', gtin13: '4006381333931', offers: [offer] }
const problemsOf = (data: object) => structuredDataProblems(JSON.stringify(data))

test('structured data needs what Google requires of its type', () => {
  assert.deepEqual(problemsOf(product), [])
  const wrong: object[] = [
    { ...product, '@context': undefined },
    { ...product, '@type': 'Thing' },
    { ...product, name: ' ' },
    { ...product, gtin13: '4006381333932' },
    { ...product, offers: [{ ...offer, price: 0 }] },
    { ...product, offers: [{ ...offer, availability: 'InStock' }] },
    { ...product, offers: undefined },
    { ...product, aggregateRating: { '@type': 'AggregateRating', ratingValue: 6, reviewCount: 2 } },
    { ...product, aggregateRating: { '@type': 'AggregateRating', ratingValue: 4 } },
  ]
  for (const data of wrong) assert.equal(problemsOf(data).length, 1, JSON.stringify(data))
  assert.deepEqual(structuredDataProblems('{'), ['is no JSON'])
})

const item = (more = '') =>
  `<item><g:id>1</g:id><g:title>Drill</g:title><g:description>d</g:description><g:link>http://shop/p/1</g:link><g:image_link>http://shop/1.jpg</g:image_link><g:availability>in_stock</g:availability><g:condition>new</g:condition><g:price>5.00 GBP</g:price><g:brand>B</g:brand><g:mpn>M</g:mpn><g:shipping><g:country>GB</g:country><g:price>0.00 GBP</g:price></g:shipping>${more}</item>`
const feed = (items: string) => `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`

test('a feed is read as XML, and each article checked', () => {
  assert.deepEqual(feedProblems(readGoogleFeed(feed(item()))), [])
  for (const wrong of [
    item('<g:gtin>2000000000008</g:gtin>'),
    item('<g:sale_price>5.00 GBP</g:sale_price>'),
    item().replace('in_stock', 'in stock'),
    item().replace('<g:brand>B</g:brand>', ''),
    item() + item(),
  ])
    assert.notDeepEqual(feedProblems(readGoogleFeed(feed(wrong))), [], wrong)
  assert.throws(() => readGoogleFeed('<rss><channel>'))
  assert.deepEqual(readLocations('<urlset><url><loc>http://shop/?a=1&amp;b</loc></url></urlset>'), ['http://shop/?a=1&b'])
})
