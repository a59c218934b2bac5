import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const cookie = 'who=professional'
const id = '0199c0de-0000-7000-8000-0000000000a1'
const path = `/my-account/quotes/${id}`
const money = (amount: number) => ({ amount, currency: 'GBP', formatted: `£${(amount / 100).toFixed(2)}` })
const line = {
  offerId: '12',
  title: 'Slate hook',
  url: '/p/slate-hook-12',
  quantity: 40,
  listPrice: money(500),
  price: money(410),
  total: money(16400),
}
const quote = (more: object = {}) => ({
  id,
  number: 'Q10001',
  state: 'ANSWERED',
  sellerName: 'Nordwerk',
  requestedBy: 'Priya Shah',
  canAccept: (more as { state?: string }).state === undefined,
  canEnd: ['ANSWERED', 'REQUESTED'].includes((more as { state?: string }).state ?? 'ANSWERED'),
  isInYourCart: (more as { state?: string }).state === 'ACCEPTED',
  taxKey: 'with_vat',
  message: 'For a roof in Leeds',
  note: 'Two parcels',
  wantedOn: null,
  createdAt: '2026-11-20T10:00:00Z',
  answerBy: '2026-11-27T10:00:00Z',
  validUntil: '2026-12-20T10:00:00Z',
  lines: [line],
  delivery: money(1900),
  total: money(18300),
  totalWithoutVat: money(15250),
  vat: money(3050),
  totalWithVat: money(18300),
  saving: money(3600),
  orderId: null,
  ...more,
})
const at = { cookie, host }
/** The only page of a list. */
const myQuoteCount = { total: 1, pages: 1 }
const draft = {
  sellerId: 1,
  sellerName: 'Nordwerk',
  wantedFrom: '2026-11-29',
  wantedUntil: '2028-11-28',
  taxKey: 'without_vat',
  lines: [{ ...line, price: null }],
}

test('the list of quotes names number, goods, seller, requester, days, state and total, leads to a request, and says so when there are none', async () => {
  const filled = await pageOf({ myQuotes: [quote()], myQuoteCount }, '/my-account/quotes', at)
  assert.equal(filled.status, 200)
  for (const part of [
    'Q10001',
    'Slate hook',
    'Nordwerk',
    'Priya Shah',
    '20 Nov 2026',
    '20 Dec 2026',
    'Answered',
    '£152.50 excl. VAT',
    '£183.00 incl. VAT',
  ])
    assert.ok(textOf(filled.body).includes(part), part)
  assert.match(filled.body, new RegExp(`href="${path}"`))
  assert.match(filled.body, /href="\/my-account\/quotes\/request"/)
  const long = await pageOf(
    { myQuotes: [quote({ lines: [line, { ...line, offerId: '13' }, { ...line, offerId: '14' }], requestedBy: null })], myQuoteCount },
    '/my-account/quotes',
    at,
  )
  for (const part of ['Slate hook and 2 more', 'Former member']) assert.ok(textOf(long.body).includes(part), part)
  assert.match(textOf((await pageOf({ myQuotes: [], myQuoteCount }, '/my-account/quotes', at)).body), /No quotes yet/)
})

test('an answered quote shows its prices, validity and both decisions; all others show their state and none of the forms', async () => {
  const { body } = await pageOf({ quote: quote() }, path, at)
  const text = textOf(body)
  for (const part of [
    '£5.00',
    '£4.10',
    'Valid until 20 December 2026',
    'Total excl. VAT: £152.50',
    'VAT: £30.50',
    'Total incl. VAT: £183.00',
    'You save £36.00 on the products (incl. VAT)',
    'Delivery, incl. VAT: £19.00',
    'Two parcels',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /value="accept"/)
  assert.match(body, /value="end"/)
  const states = {
    REFUSED: 'Refused by the seller',
    EXPIRED: 'Expired',
    DECLINED: 'Declined',
    WITHDRAWN: 'Withdrawn',
    ORDERED: 'Ordered',
    ACCEPTED: 'Go to the basket',
  }
  const over = ['REFUSED', 'EXPIRED', 'DECLINED', 'WITHDRAWN']
  for (const [state, said] of Object.entries(states)) {
    const page = await pageOf({ quote: quote({ state }) }, path, at)
    assert.ok(textOf(page.body).includes(said), state)
    assert.doesNotMatch(page.body, /value="(?:accept|end)"/, state)
    assert.equal(page.body.includes(`/my-account/quotes/request?again=${id}`), over.includes(state), `${state}: ask again`)
  }
  const waiting = await pageOf(
    { quote: quote({ state: 'REQUESTED', total: null, delivery: null, lines: [{ ...line, price: null }] }) },
    path,
    at,
  )
  assert.match(textOf(waiting.body), /The seller can answer until 27 November 2026/)
  assert.doesNotMatch(waiting.body, /value="accept"/)
  assert.equal((await pageOf({ quote: null }, path, at)).status, 404)
})

test('a colleague who may not decide reads a quote without its buttons; an admin takes over what a former member had in the basket', async () => {
  const read = await pageOf({ quote: quote({ canAccept: false, canEnd: false }) }, path, at)
  assert.doesNotMatch(read.body, /value="(?:accept|end)"/)
  const left = await pageOf({ quote: quote({ state: 'ACCEPTED', canAccept: true, isInYourCart: false, requestedBy: null }) }, path, at)
  assert.match(left.body, /value="accept"/)
  assert.doesNotMatch(textOf(left.body), /Go to the basket/)
  assert.match(textOf(left.body), /Requested by Former member/)
})

test('accepting leads to the cart, without script; a refusal is shown', async () => {
  let refusal: object | null = null
  const shop = await shopWith({ quote: quote(), acceptQuote: () => ({ quoteId: id, refusal }) })
  const accepted = await shop.ask(path, { form: { do: 'accept' }, ...at })
  assert.deepEqual([accepted.status, accepted.headers['location']], [303, '/cart'])
  refusal = { reason: 'quote-not-open', message: 'This quote is no longer open.' }
  const refused = await shop.ask(path, { form: { do: 'accept' }, ...at })
  assert.match(textOf(refused.body), /no longer open/)
})

test('a quote is requested for an offer or a seller of the cart; without either the sellers of the cart are offered, and without those there is nothing to quote', async () => {
  const page = await pageOf({ quoteDraft: draft }, '/my-account/quotes/request?offer=12', at)
  assert.match(textOf(page.body), /Nordwerk will quote a price/)
  assert.match(page.body, /name="quantity"/)
  const seller = { id: 7, name: 'Nordwerk' }
  const choice = await pageOf({ quoteDraft: null, cart: { sellers: [{ seller }] } }, '/my-account/quotes/request', at)
  assert.match(textOf(choice.body), /Which seller/)
  assert.match(choice.body, /href="\/my-account\/quotes\/request\?seller=7"/)
  const none = await pageOf({ quoteDraft: null, cart: { sellers: [] } }, '/my-account/quotes/request', at)
  assert.match(textOf(none.body), /nothing here to quote/)
})

test('a request that is refused keeps what was typed, and the field of the day offers only days that are taken', async () => {
  const refusal = { reason: 'day-invalid', message: 'Please choose a day from today on.' }
  const shop = await shopWith({ quoteDraft: draft, requestQuote: () => ({ quoteId: null, refusal }) })
  const message = 'For a roof in Leeds.\nBy crane, before noon.'
  const form = { quantity: '75', wantedOn: '2026-11-28', message }
  const { status, body } = await shop.ask('/my-account/quotes/request?offer=12&quantity=3', { form, ...at })
  assert.equal(status, 422)
  assert.match(textOf(body), /Please choose a day from today on/)
  assert.match(body, /<input[^>]*name="quantity"[^>]*value="75"/)
  const [day = ''] = /<input[^>]*name="wantedOn"[^>]*>/.exec(body) ?? []
  for (const part of ['value="2026-11-28"', 'min="2026-11-29"', 'max="2028-11-28"']) assert.ok(day.includes(part), part)
  assert.ok(/<textarea[^>]*name="message"[^>]*>([^<]*)/.exec(body)?.[1]?.replace(/^\n/, '').includes(message), 'the message')
  await shop.close()
})

test('members whose role does not include requests read quotes without a way to request one, whose page says why', async () => {
  const past = quote({ state: 'EXPIRED' })
  const data = { myQuotes: [past], myQuoteCount, quote: past, quoteDraft: draft }
  const pages = ['/my-account/quotes', path]
  for (const who of ['accountant', 'professional']) {
    const as = { host, cookie: `who=${who}` }
    for (const page of pages) {
      const { status, body } = await pageOf(data, page, as)
      assert.deepEqual([status, body.includes('/my-account/quotes/request')], [200, who === 'professional'], `${who}: ${page}`)
    }
    const { body } = await pageOf(data, '/my-account/quotes/request?offer=12', as)
    assert.equal(/Your role does not include this page/.test(textOf(body)), who === 'accountant', who)
    assert.equal(body.includes('name="message"'), who === 'professional', who)
  }
})

test('every amount of a quote and of its request says whether it includes VAT, in the mode of its seller’s prices', async () => {
  const heads = ['Price without quote', 'Quoted price', 'Total']
  for (const [taxKey, tax] of [
    ['with_vat', 'incl. VAT'],
    ['without_vat', 'excl. VAT'],
  ]) {
    const { body } = await pageOf({ quote: quote({ taxKey }) }, path, at)
    for (const part of [...heads.map((head) => `${head}, ${tax}`), `(${tax})`, `Delivery, ${tax}: £19.00`])
      assert.ok(textOf(body).includes(part), `${taxKey}: ${part}`)
    const request = await pageOf({ quoteDraft: { ...draft, taxKey } }, '/my-account/quotes/request?seller=1', at)
    for (const head of ['Price without quote', 'Total']) assert.ok(textOf(request.body).includes(`${head}, ${tax}`), `${taxKey}: ${head}`)
  }
})

test('the list of quotes goes on on further pages, and there are no pages beyond the last one', async () => {
  const asked: unknown[] = []
  const shop = await shopWith({
    myQuotes: ({ page }: { page: number }) => (asked.push(page), [quote({ number: `Q1000${page}` })]),
    myQuoteCount: { total: 101, pages: 3 },
  })
  const first = await shop.ask('/my-account/quotes', at)
  assert.match(first.body, /href="\/my-account\/quotes\?page=2"/)
  const second = await shop.ask('/my-account/quotes?page=2', at)
  assert.ok(textOf(second.body).includes('Q10002'))
  assert.equal((await shop.ask('/my-account/quotes?page=4', at)).status, 404)
  assert.deepEqual(asked, [1, 2, 4])
  await shop.close()
})
