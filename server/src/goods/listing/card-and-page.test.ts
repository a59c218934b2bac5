import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, modes } from '@purlin/contract/markets.ts'
import { conditions } from '@purlin/contract/product-card.ts'
import { testDatabase } from '#platform/testing'
import { findProduct, reference } from '#catalogue'
import { badgesOnCard, connectCodesForSome, priceDisplay, priceProduct } from '#pricing'
import { makeCard } from './card.ts'
import { documentsOf } from './load-documents.ts'
import { testOffer, testProduct, testReference, type TestOffer } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
connectCodesForSome(() => Promise.resolve([]))

const delivery = fc.array(
  fc.record({
    kind: fc.constantFrom('standard', 'kerbside', 'express', 'relay', 'appointment'),
    fee: fc.constantFrom(0, 290, 490, 1_990),
    daysMin: fc.integer({ min: 0, max: 3 }),
    daysMax: fc.integer({ min: 3, max: 9 }),
  }),
  { maxLength: 3 },
)
const now = new Date()
const offer: fc.Arbitrary<Partial<TestOffer>> = fc.record({
  sellerId: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 500, max: 20_000 }),
  was: fc.option(fc.integer({ min: 500, max: 30_000 })),
  proPrice: fc.option(fc.integer({ min: 400, max: 20_000 })),
  stock: fc.constantFrom(0, 1, 2, 9, 50),
  bulk: fc.constantFrom(undefined, undefined, 2, 10),
  condition: fc.constantFrom(...conditions),
  isSample: fc.boolean(),
  isMmf: fc.boolean(),
  sponsored: fc.boolean(),
  couponCode: fc.constantFrom(null, 'TOOLS10'),
  promotionEndsAt: fc.constantFrom(null, new Date(now.getTime() - 86_400_000), new Date(now.getTime() + 2 * 86_400_000)),
  operations: fc.constantFrom([], [70]),
  delivery,
}) as fc.Arbitrary<Partial<TestOffer>>

let products = 0
let offers = 0

test('lists and product page name the same winner, at the same price and with the same texts, on every storefront', async () => {
  let sold = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(offer, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(...marketCodes),
      fc.constantFrom(...modes),
      fc.boolean(),
      async (drawn, market, mode, prefersVat) => {
        const id = (products += 1)
        await testProduct(db, { id, categoryId: id % 3 ? 11 : 2257, unit: { measure: 'kg', quantityMilli: 2_500 } })
        for (const one of drawn) await testOffer(db, { ...one, id: (offers += 1), productId: id, market })

        const scope = database.scope({ market, mode, prefersVat, now })
        const sheet = await findProduct(scope, String(id))
        assert.ok(sheet)
        const { best } = await priceProduct(scope, sheet.product, sheet.offers)
        const [document] = await documentsOf(db, market, [String(id)], now)
        const isListed = document?.storefronts.includes(mode) ?? false
        assert.equal(isListed, best !== null)
        if (!document || !best || !isListed) return
        sold += 1

        const card = makeCard(document, { display: priceDisplay(scope), mode, now, catalogue: await reference({ db }) })
        assert.equal(card.offerId, best.offer.id)
        assert.deepEqual(card.prices, best.block)
        assert.equal(card.deliveryPromise, best.promise)
        assert.equal(card.proAdvantagePercentage, best.proAdvantagePercentage)
        assert.equal(card.commercialAnimation.retailPriceTimeLeftLabel, best.retailPriceTimeLeftLabel)
        assert.deepEqual(card.badges, best.badges.slice(0, badgesOnCard))
      },
    ),
    { numRuns: 150 },
  )
  assert.ok(sold > 75, `${sold} of 150 were sold`)
})
