import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PriceAmount, PriceBlock } from '@purlin/contract/price.ts'
import {
  Alert,
  aroundFigures,
  Badges,
  bySeverity,
  Check,
  ErrorSummary,
  Facets,
  Field,
  FlashList,
  Gallery,
  Logo,
  Meter,
  pagesAround,
  Pagination,
  Price,
  ProductCard,
  Quantity,
  Rating,
  Select,
  Steps,
  Table,
  type CardData,
  type CardWords,
} from './index.ts'

const amount = (integer: string, decimal: string, asString: string): PriceAmount => ({
  integer,
  decimal,
  ranges: null,
  asString,
  asFloat: Number(`${integer.replace(/\D/g, '')}.${decimal}`),
})
const priceWords = {
  from: 'from',
  retail: 'Lowest price in 30 days',
  retailShort: '30-day price',
  withVat: 'incl. VAT',
  withoutVat: 'excl. VAT',
  priceWithVat: (price: string) => `${price} incl. VAT`,
  priceWithoutVat: (price: string) => `${price} excl. VAT`,
  noVat: 'No VAT',
  reduction: (off: number) => `-${off}%`,
  pack: (quantity: number, price: string) => `${price} for ${quantity}`,
}
const block: PriceBlock = {
  main: amount('1,234', '50', '£1,234.50'),
  taxKey: 'with_vat',
  retail: null,
  secondary: null,
  discount: null,
  unit: null,
  hasNoVATForDE: false,
  isZeroRated: false,
  pack: null,
}
const cardWords: CardWords = {
  price: priceWords,
  soldBy: (seller) => `Sold by ${seller}`,
  models: (count) => `${count} versions`,
  rating: { label: (value, count) => `${value} out of 5, ${count} reviews`, figure: (count) => `(${count.toLocaleString('en-GB')})` },
  freeDelivery: 'Free delivery',
  fulfilled: 'Sent by Purlin',
  soldOut: 'Sold out',
}
const card: CardData = {
  productId: '12',
  title: 'Cordless drill 18 V',
  brandName: 'Kastor',
  imageFullpath: '/pictures/12.svg',
  url: '/p/cordless-drill-18-v-12',
  prices: block,
  rating: 4.4,
  ratingCount: 120,
  badges: [],
  bestOffer: true,
  deliveryPromise: 'Arrives Tue 24 Nov',
  sellerName: 'Nordwerk',
  modelsCount: 3,
  hasFreeDelivery: true,
  isMmf: false,
}
const markup = (element: Parameters<typeof renderToStaticMarkup>[0]) => renderToStaticMarkup(element)
const count = (html: string, part: string | RegExp) => html.split(part).length - 1

test('a price is announced as a whole and displayed with separate decimals', () => {
  const html = markup(h(Price, { offerId: null, block, words: priceWords }))
  assert.match(html, /<b>£1,234<small>\.50<\/small><\/b>/)
  const euros = markup(h(Price, { offerId: null, block: { ...block, main: amount('1.234', '50', '1.234,50\u00a0€') }, words: priceWords }))
  assert.match(euros, />1\.234<small>,50\u00a0€<\/small>/)
})

test('the currency is placed as usual in the market', () => {
  const cases: [PriceAmount, ReturnType<typeof aroundFigures>][] = [
    [amount('1,234', '50', '£1,234.50'), { before: '£', separator: '.', after: '' }],
    [amount('1.234', '50', '1.234,50\u00a0€'), { before: '', separator: ',', after: '€' }],
    [amount('1\u202f234', '50', '1\u202f234,50\u00a0€'), { before: '', separator: ',', after: '€' }],
    [amount('5', '05', '5,05 €'), { before: '', separator: ',', after: '€' }],
    [amount('9', '99', 'on request'), { before: '', separator: '', after: '' }],
  ]
  for (const [given, expected] of cases) assert.deepEqual(aroundFigures(given), expected, given.asString)
})

test('R-384 with a second price both are labelled with their tax mode', () => {
  const html = markup(
    h(Price, {
      offerId: null,
      block: { ...block, taxKey: 'without_vat', secondary: amount('1,481', '40', '£1,481.40') },
      words: priceWords,
    }),
  )
  assert.match(html, /excl\. VAT/)
  assert.match(html, /£1,481\.40 incl\. VAT/)
  assert.doesNotMatch(markup(h(Price, { offerId: null, block, words: priceWords })), /VAT/)
})

test('R-385 V-32 a struck price is labelled in visible words, next to the percentage off', () => {
  const html = markup(
    h(Price, { offerId: null, block: { ...block, retail: amount('1,500', '00', '£1,500.00'), discount: 17 }, words: priceWords }),
  )
  assert.match(html, />-17%</)
  assert.match(html, /30-day price <s>£1,500\.00<\/s>/)
  assert.doesNotMatch(html, /title=/)
  const large = markup(
    h(Price, {
      offerId: null,
      block: { ...block, retail: amount('1,500', '00', '£1,500.00'), discount: 17 },
      words: priceWords,
      size: 'l',
    }),
  )
  assert.match(large, /Lowest price in 30 days <s>/)
  assert.doesNotMatch(markup(h(Price, { offerId: null, block, words: priceWords })), /<s[ >]/)
})

test('R-386 the unit price is shown with the price', () => {
  const unit = { amount: amount('4', '20', '£4.20'), unit: 'm2' as const, label: '£4.20 /m²' }
  assert.match(markup(h(Price, { offerId: null, block: { ...block, unit }, words: priceWords })), /£4\.20 \/m²/)
})

test('V-35 at a zero rate no price is labelled with its tax mode', () => {
  const zero = { ...block, taxKey: 'without_vat' as const }
  assert.match(markup(h(Price, { offerId: null, block: zero, words: priceWords, saysTax: true })), /excl\. VAT/)
  const html = markup(
    h(Price, { offerId: null, block: { ...zero, isZeroRated: true, hasNoVATForDE: true }, words: priceWords, saysTax: true }),
  )
  assert.doesNotMatch(html, /excl\. VAT|incl\. VAT/)
  assert.match(html, /No VAT/)
})

test('V-31 if a minimum quantity applies, its price is shown with the price per piece', () => {
  const html = markup(
    h(Price, { offerId: null, block: { ...block, pack: { quantity: 5, amount: amount('72', '45', '£72.45') } }, words: priceWords }),
  )
  assert.match(html, /£72\.45 for 5/)
})

test('V-29 one badge, about the price, is on the picture; the others are in the text', () => {
  const badges = ['coupon', 'top_sale', 'promo'].map((type) => ({ type, label: type }) as CardData['badges'][number])
  const html = markup(h(ProductCard, { personalPrice: null, card: { ...card, badges }, words: cardWords }))
  const [before, after] = html.split('<h3') as [string, string]
  assert.deepEqual(
    [before, after].map((part) => [...part.matchAll(/data-badge="(\w+)"/g)].map(([, type]) => type)),
    [['promo'], ['coupon', 'top_sale']],
  )
  const quiet = markup(h(ProductCard, { personalPrice: null, card: { ...card, badges: badges.slice(0, 2) }, words: cardWords }))
  assert.equal(count(quiet.split('<h3')[0]!, 'data-badge'), 0, 'facts about the goods are no reason to cover them')
})

test('V-38 a sold-out product says so, promises no delivery date and cannot be added', () => {
  const html = markup(
    h(ProductCard, { personalPrice: null, card: { ...card, bestOffer: false }, words: cardWords, quickAdd: h('button', null, 'Add') }),
  )
  assert.match(html, /Sold out/)
  assert.doesNotMatch(html, /Arrives|<button/)
})

test('R-387 "from" is shown only where prices differ, before the lowest', () => {
  const ranged = (min: string, max: string) => ({ ...block, main: { ...block.main, asString: '£10.00', ranges: { min, max } } })
  assert.match(markup(h(Price, { offerId: null, block: ranged('£10.00', '£20.00'), words: priceWords })), />from /)
  assert.doesNotMatch(markup(h(Price, { offerId: null, block: ranged('£10.00', '£10.00'), words: priceWords })), />from /)
  assert.doesNotMatch(markup(h(Price, { offerId: null, block: ranged('£8.00', '£20.00'), words: priceWords })), />from /)
})

test('a card is one link with a real address, with its actions next to it', () => {
  const html = markup(
    h(ProductCard, { personalPrice: null, card, words: cardWords, quickAdd: h('button', null, 'Add'), heart: h('button', null, 'Save') }),
  )
  assert.equal(count(html, '<a '), 1)
  assert.match(html, /<a href="\/p\/cordless-drill-18-v-12">Cordless drill 18 V<\/a>/)
  const link = /<a .*?<\/a>/.exec(html)![0]
  assert.doesNotMatch(link, /<button/)
  assert.equal(count(html, '<button>'), 2)
})

test('a card shows brand, rating, models, delivery promise and seller', () => {
  const html = markup(h(ProductCard, { personalPrice: null, card, words: cardWords }))
  for (const part of ['Kastor', '4.4 out of 5, 120 reviews', '3 versions', 'Arrives Tue 24 Nov', 'Free delivery', 'Sold by Nordwerk'])
    assert.ok(html.includes(part), part)
  assert.match(html, /width="480" height="480"/)
})

test('a reduction is shown once on a card: by its badge, or next to the struck price', () => {
  const reduced = { ...block, retail: amount('1,500', '00', '£1,500.00'), discount: 17 }
  const with_ = (badges: { type: 'promo' | 'coupon'; label: string }[]) =>
    count(markup(h(ProductCard, { personalPrice: null, card: { ...card, prices: reduced, badges }, words: cardWords })), /17 ?%/)
  assert.equal(with_([{ type: 'promo', label: '-17%' }]), 1)
  assert.equal(with_([{ type: 'coupon', label: 'SAVE' }]), 1)
})

test('R-371 a card says when the marketplace ships it itself', () => {
  assert.match(markup(h(ProductCard, { personalPrice: null, card: { ...card, isMmf: true }, words: cardWords })), /Sent by Purlin/)
  assert.doesNotMatch(markup(h(ProductCard, { personalPrice: null, card, words: cardWords })), /Sent by Purlin/)
})

test('at most three badges, in their fixed order, whatever the order of the input', () => {
  const given = ['is_local', 'coupon', 'sponsored', 'promo'].map((type) => ({ type, label: type }))
  const html = markup(h(Badges, { badges: given }))
  assert.deepEqual(
    [...html.matchAll(/data-badge="(\w+)"/g)].map(([, type]) => type),
    ['sponsored', 'promo', 'coupon'],
  )
  assert.equal(markup(h(Badges, { badges: [] })), '')
})

test('without ratings no stars are shown; the number of ratings is in the market’s format', () => {
  const words = cardWords.rating
  assert.equal(markup(h(Rating, { value: 4, count: 0, words })), '')
  const html = markup(h(Rating, { value: 4.4, count: 1120, words }))
  assert.match(html, /--share:88%/)
  assert.match(html, /aria-label="4\.4 out of 5, 1120 reviews"/)
  assert.match(html.replaceAll('<!-- -->', ''), />\(1,120\)</)
})

test('a field has its label, and is described by its error', () => {
  const html = markup(
    h(Field, { name: 'email', label: 'Email', hint: 'For the receipt', error: 'Enter an email address', autoComplete: 'email' }),
  )
  const id = /<input id="([^"]+)"/.exec(html)![1]!
  assert.ok(html.includes(`<label for="${id}"`))
  assert.ok(html.includes(`aria-describedby="${id}-hint ${id}-error"`))
  assert.ok(html.includes(`id="${id}-error"`) && html.includes(`id="${id}-hint"`))
  assert.match(html, /aria-invalid="true"/)
  assert.ok(html.indexOf('Enter an email address') < html.indexOf('<input'), 'the error is read before the box')
  assert.doesNotMatch(markup(h(Field, { name: 'email', label: 'Email' })), /aria-invalid|aria-describedby/)
})

test('selects and checkboxes are named by their labels', () => {
  const select = markup(h(Select, { name: 'sort', label: 'Sort by', quiet: true, options: [{ value: 'a', label: 'A' }] }))
  assert.match(select, /<label for="([^"]+)" class="hidden">Sort by<\/label>/)
  assert.match(markup(h(Check, { name: 'terms', label: 'I agree' })), /<label[^>]*><input type="checkbox".*I agree.*<\/label>/)
})

test('the error summary links to each field', () => {
  const html = markup(h(ErrorSummary, { title: 'There is a problem', errors: [{ href: '#postcode', message: 'Enter a postcode' }] }))
  assert.match(html, /role="alert"/)
  assert.match(html, /<a href="#postcode">Enter a postcode<\/a>/)
  assert.equal(markup(h(ErrorSummary, { title: 'x', errors: [] })), '')
})

test('a stepper that submits sends the next quantities and works without script', () => {
  const words = { label: 'Quantity', less: 'One less', more: 'One more' }
  const html = markup(h(Quantity, { name: 'quantity', value: 6, step: 3, max: 8, words, submitAs: 'set' }))
  assert.match(html, /<button type="submit" value="3"[^>]*aria-label="One less" name="set"/)
  assert.match(html, /aria-label="One more" disabled="" name="set"/, 'eight is no multiple of three')
  assert.doesNotMatch(/<button[^>]*>/.exec(html)![0], /name=/, 'Enter in the field must not press "one less"')
  assert.equal(count(markup(h(Quantity, { name: 'quantity', value: 3, step: 3, max: 9, words })), 'needs-js'), 2)
  assert.match(markup(h(Quantity, { name: 'quantity', value: 8, max: 8, words })), /aria-label="One more" disabled=""/)
})

test('pagination shows the pages around the current one, with gaps only where more than one is left out', () => {
  const cases: [number, number, (number | null)[]][] = [
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, null, 9]],
    [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [9, 20, [1, null, 7, 8, 9, 10, 11, null, 20]],
    [20, 20, [1, null, 18, 19, 20]],
  ]
  for (const [page, pages, expected] of cases) assert.deepEqual(pagesAround(page, pages), expected, `${page} of ${pages}`)
})

test('R-071 pagination uses crawlable links', () => {
  const words = { label: 'Pages', previous: 'Previous', next: 'Next', page: (n: number) => `Page ${n}` }
  const html = markup(h(Pagination, { page: 2, pages: 3, hrefOf: (page) => `/drills-4?page=${page}`, words }))
  for (const page of [1, 2, 3]) assert.ok(html.includes(`href="/drills-4?page=${page}" aria-label="Page ${page}"`))
  assert.match(html, /aria-current="page">2</)
  assert.equal(markup(h(Pagination, { page: 1, pages: 1, hrefOf: String, words })), '')
})

test('R-071 facets are a GET form with counts; selected values are ticked and never collapsed', () => {
  const values = Array.from({ length: 12 }, (_, n) => ({ value: `${n}`, label: `Brand ${n}`, count: n + 1, selected: n === 11, hex: null }))
  const words = {
    title: 'Filters',
    min: 'from',
    max: 'to',
    apply: 'OK',
    show: 'Show',
    more: (n: number) => `${n} more`,
    close: 'Close',
    clear: 'Clear',
    figure: String,
  }
  const html = markup(
    h(Facets, {
      action: '/drills-4',
      facets: [
        { key: 'brand', label: 'Brand', kind: 'values', unit: null, values, min: null, max: null },
        { key: 'price', label: 'Price', kind: 'range', unit: '£', values: [], min: 3.5, max: 99.2 },
      ],
      ranges: { price: { min: '10', max: '' } },
      kept: { sort: 'price_asc' },
      words,
      clearHref: '/drills-4',
      moreHref: (key) => `/drills-4?all=${key}`,
      all: null,
      chosen: 2,
    }),
  )
  assert.match(html, /<form[^>]* action="\/drills-4" method="get"/)
  assert.match(
    html,
    /name="f\[brand\]"[^>]* checked="" value="11"|checked=""[^>]*name="f\[brand\]"[^>]*value="11"|name="f\[brand\]" value="11"[^>]*checked=""/,
  )
  assert.ok(html.indexOf('Brand 11') < html.indexOf('7 more'), 'the chosen one stands before the link to the others')
  assert.match(html, /<a [^>]*href="\/drills-4\?all=brand"[^>]*>7 more/)
  assert.match(html, /name="min\[price\]"[^>]*value="10"|value="10"[^>]*name="min\[price\]"/)
  assert.match(html, /type="hidden" name="sort" value="price_asc"/)
})

test('a table names its rows and columns', () => {
  const html = markup(
    h(Table<{ seller: string; price: string }>, {
      caption: 'Offers',
      columns: [
        { key: 'seller', label: 'Seller', cell: (row) => row.seller, isHead: true },
        { key: 'price', label: 'Price', cell: (row) => row.price, align: 'end' },
      ],
      rows: [{ seller: 'Nordwerk', price: '£9' }],
      keyOf: (row) => row.seller,
    }),
  )
  assert.match(html, /<caption[^>]*>Offers<\/caption>/)
  assert.match(html, /<th scope="row"[^>]*>Nordwerk<\/th>/)
  assert.equal(count(html, 'scope="col"'), 2)
})

test('R-288 steps mark the current one, and only completed steps are links', () => {
  const steps = [
    { label: 'Address', href: '/a' },
    { label: 'Delivery', href: '/b' },
    { label: 'Payment', href: '/c' },
  ]
  const html = markup(h(Steps, { steps, current: 1, label: 'Progress' }))
  assert.match(html, /aria-current="step"><span class="dot">2<\/span><span>Delivery<\/span>/)
  assert.match(html, /<a href="\/a">/)
  assert.doesNotMatch(html, /href="\/b"|href="\/c"/)
})

test('messages are sorted by severity, limited to three, and announced', () => {
  const items = (['info', 'success', 'danger', 'warning'] as const).map((severity) => ({ severity, message: severity }))
  assert.deepEqual(
    bySeverity(items).map((item) => item.severity),
    ['danger', 'warning', 'success', 'info'],
  )
  const html = markup(h(FlashList, { items, words: { area: 'Messages', close: 'Close' } }))
  assert.equal(count(html, 'data-flash="'), 3)
  assert.match(html, /aria-live="polite"/)
  assert.match(markup(h(Alert, { severity: 'danger', title: 'No', announces: true })), /role="alert"/)
})

test('pictures after the first are lazy, and thumbnails link to them', () => {
  const pictures = [1, 2].map((n) => ({ url: `/pictures/${n}.svg`, width: 480, height: 480, alt: `View ${n}` }))
  const html = markup(
    h(Gallery, {
      pictures,
      label: 'Pictures',
      words: { enlarge: (n) => `Enlarge picture ${n}`, zoom: 'Zoom', previous: 'Previous', next: 'Next', close: 'Close' },
      pictureOf: (n) => `Picture ${n}`,
    }),
  )
  assert.match(html, /<li id="picture-2"><a href="\/pictures\/2\.svg" aria-label="Enlarge picture 2"[^>]*><img[^>]*loading="lazy"/)
  assert.match(html, /href="#picture-2" aria-label="Picture 2"/)
})

test('a meter never exceeds its bounds, and the logo has a name', () => {
  assert.match(markup(h(Meter, { value: 80, max: 40, label: 'x' })), /aria-valuenow="100"/)
  assert.match(markup(h(Meter, { value: 1, max: 0, label: 'x' })), /aria-valuenow="0"/)
  assert.match(markup(h(Logo, { isPro: true })), /aria-label="Purlin Pro"/)
})
