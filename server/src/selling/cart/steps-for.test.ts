import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferToPrice } from '#catalogue'
import type { AgreedPrice, PriceViewer } from '#pricing'
import type { Seller } from '#sellers'
import { emptyCart } from './cart.ts'
import { appliedQuotes } from './steps-for.ts'

test('of 300 goods that are added, each with a quote, none is priced more than twice', () => {
  const offers = Array.from({ length: 300 }, (_, at) => ({
    id: `${at + 1}`,
    productId: `${at + 1}`,
    sellerId: 1,
    market: 'gb',
    condition: 'new',
    price: 1000,
    proPrice: null,
    quantityBreaks: [],
    stock: 10,
    bulk: null,
    maxQuantity: null,
    isSample: false,
    isMmf: false,
    delivery: [{ kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }],
    onSale: true,
    categoryId: 2,
    weightG: 1000,
  })) as unknown as OfferToPrice[]
  let priced = 0
  const categoryPath = () => (priced++, [])
  // Every other one for the quantity that is added.
  const quoteOf = (id: string) => ({ quoteId: `q${id}`, quantity: 2 + (Number(id) % 2), price: 900, delivery: 490, lines: 1 })
  const quotesFor = appliedQuotes({
    cart: { ...emptyCart, lines: offers.map(({ id }) => ({ offerId: id, quantity: 2, seenPrice: 0 })) },
    offers: new Map(offers.map((offer) => [offer.id, offer])),
    sellers: new Map([[1, { id: 1, country: 'GB', freeDeliveryFrom: {}, status: 'active' } as unknown as Seller]]),
    categoryPath,
    vatRules: [{ market: 'gb', categoryId: null, rateBp: 2000, validFrom: '2000-01-01', validTo: null }] as never,
    viewer: {
      market: 'gb',
      mode: 'b2b',
      prefersVat: false,
      principal: { kind: 'member', company: { id: 'c', country: 'GB' } },
    } as unknown as PriceViewer,
    agreed: new Map(offers.map(({ id }): [string, AgreedPrice] => [id, { price: null, percentBp: null, quotes: [quoteOf(id)] }])),
    now: new Date('2026-06-01'),
  })
  for (const offer of offers)
    assert.deepEqual(
      quotesFor(offer).map(({ quoteId }) => quoteId),
      [`q${offer.id}`],
    )
  assert.ok(priced <= 2 * offers.length, `${priced}`)
})
