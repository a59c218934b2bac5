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
  orderId: null,
  ...more,
})
const at = { cookie, host }

test('the list of quotes names number, seller, state and total, and says so when there are none', async () => {
  const filled = await pageOf({ myQuotes: [quote()] }, '/my-account/quotes', at)
  assert.equal(filled.status, 200)
  for (const part of ['Q10001', 'Nordwerk', 'Answered', '£183.00']) assert.ok(textOf(filled.body).includes(part), part)
  assert.match(filled.body, new RegExp(`href="${path}"`))
  assert.match(textOf((await pageOf({ myQuotes: [] }, '/my-account/quotes', at)).body), /No quotes yet/)
})

test('an answered quote shows its prices, validity and both decisions; all others show their state and none of the forms', async () => {
  const { body } = await pageOf({ quote: quote() }, path, at)
  const text = textOf(body)
  for (const part of ['£5.00', '£4.10', 'Valid until 20 December 2026', 'Total incl. VAT: £183.00', 'Two parcels'])
    assert.ok(text.includes(part), part)
  assert.match(body, /value="accept"/)
  assert.match(body, /value="end"/)
  const states = {
    REFUSED: 'Refused by the seller',
    EXPIRED: 'Expired',
    DECLINED: 'Declined',
    WITHDRAWN: 'Withdrawn',
    ORDERED: 'Ordered',
    ACCEPTED: 'in the basket',
  }
  for (const [state, said] of Object.entries(states)) {
    const page = await pageOf({ quote: quote({ state }) }, path, at)
    assert.ok(textOf(page.body).includes(said), state)
    assert.doesNotMatch(page.body, /value="(?:accept|end)"/, state)
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

test('accepting leads to the cart, without script; a refusal is shown', async () => {
  let refusal: object | null = null
  const shop = await shopWith({ quote: quote(), acceptQuote: () => ({ quoteId: id, refusal }) })
  const accepted = await shop.ask(path, { form: { do: 'accept' }, ...at })
  assert.deepEqual([accepted.status, accepted.headers['location']], [303, '/cart'])
  refusal = { reason: 'quote-not-open', message: 'This quote is no longer open.' }
  const refused = await shop.ask(path, { form: { do: 'accept' }, ...at })
  assert.match(textOf(refused.body), /no longer open/)
})

test('a quote is requested for an offer or a seller of the cart; without either there is nothing to quote', async () => {
  const draft = { sellerId: 1, sellerName: 'Nordwerk', lines: [{ ...line, price: null }] }
  const page = await pageOf({ quoteDraft: draft }, '/my-account/quotes/request?offer=12', at)
  assert.match(textOf(page.body), /Nordwerk will quote a price/)
  assert.match(page.body, /name="quantity"/)
  const none = await pageOf({ quoteDraft: null }, '/my-account/quotes/request', at)
  assert.match(textOf(none.body), /nothing here to quote/)
})
