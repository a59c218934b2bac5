import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceDisplay } from './tax-mode.ts'
import { askedPrice, priceBlock } from './price-block.ts'
import { priceSteps, withQuote } from './price-steps.ts'

const offer = {
  price: 1200,
  proPrice: 1080,
  quantityBreaks: [
    { group: 'b2b', from: 10, price: 960 },
    { group: 'b2b', from: 50, price: 840 },
    { group: 'b2c', from: 20, price: 1140 },
    { group: 'b2c', from: 60, price: 780 },
  ],
} as const
const consumer = { business: false }
const professional = { business: true }

// group × quantity: price per piece with VAT
const table: [who: { business: boolean }, quantity: number, price: number][] = [
  [consumer, 1, 1200],
  [consumer, 10, 1200],
  [consumer, 19, 1200],
  [consumer, 20, 1140],
  [consumer, 59, 1140],
  [consumer, 60, 780],
  [professional, 1, 1080],
  [professional, 9, 1080],
  [professional, 10, 960],
  [professional, 20, 960],
  [professional, 49, 960],
  [professional, 50, 840],
  [professional, 60, 780],
  [professional, 999, 780],
]
for (const [who, quantity, price] of table)
  test(`${who.business ? 'a professional' : 'a consumer'} pays ${price} for each of ${quantity} pieces`, () => {
    assert.equal(askedPrice(who, offer, quantity), price)
  })

test('a break that costs more than fewer pieces is not a step: the professional price counts for everybody in the group', () => {
  assert.deepEqual(priceSteps(professional, offer), [
    { from: 1, price: 1080 },
    { from: 10, price: 960 },
    { from: 50, price: 840 },
    { from: 60, price: 780 },
  ])
  assert.deepEqual(priceSteps(consumer, { ...offer, price: 1000 }), [
    { from: 1, price: 1000 },
    { from: 60, price: 780 },
  ])
})

test('a quote counts for its quantity alone, and names the price without it; one that is not lower changes nothing', () => {
  const steps = [
    { from: 1, price: 1080 },
    { from: 10, price: 960 },
  ]
  const quote = { quoteId: 'q', delivery: 0, lines: 1 }
  assert.deepEqual(withQuote(steps, { ...quote, quantity: 9, price: 800 }), [
    { from: 1, price: 1080 },
    { from: 9, price: 800, unquoted: 1080 },
    { from: 10, price: 960 },
  ])
  assert.deepEqual(withQuote(steps, { ...quote, quantity: 20, price: 960 }), steps)
  const twice = [850, 800].reduce<readonly (typeof steps)[number][]>(
    (all, price) => withQuote(all, { ...quote, quantity: 20, price }),
    steps,
  )
  assert.deepEqual(twice.slice(2), [
    { from: 20, price: 800, unquoted: 960 },
    { from: 21, price: 960 },
  ])
})

// group × quantity × tax mode: the main price of the block
const blocks: [mode: 'b2c' | 'b2b', prefersVat: boolean, quantity: number, main: number][] = [
  ['b2c', false, 1, 12],
  ['b2c', false, 20, 11.4],
  ['b2b', false, 1, 9],
  ['b2b', true, 1, 10.8],
  ['b2b', false, 10, 8],
  ['b2b', true, 10, 9.6],
]
for (const [mode, prefersVat, quantity, main] of blocks)
  test(`${mode}${prefersVat ? ' with VAT' : ''}: the block of ${quantity} pieces shows ${main}`, () => {
    const display = priceDisplay({ market: 'fr', mode, prefersVat })
    const block = priceBlock(display, {
      ...offer,
      quantity,
      retailPrice: null,
      sellerCountry: 'FR',
      vat: { rateBp: 2000, hasNoVATForDE: false },
      unit: null,
      range: null,
    })
    assert.equal(block.main.asFloat, main)
  })
