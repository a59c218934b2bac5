/** The page of a seller in the published API, against a model that recomputes cards, counts and prices from the drawn offers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { conditions, type Condition } from '@purlin/contract/product-card.ts'
import { testDatabase } from '#platform/testing'
import { writePrices } from '../catalogue/write-price.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { reindexProducts } from './reindex-products.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)

interface Goods {
  id: number
  modelId: number | null
  brandId: number
  categoryId: number
  popularity: number
  voltage: number
}
interface Drawn {
  id: number
  productId: number
  sellerId: number
  price: number
  proPrice: number | null
  stock: number
  condition: Condition
  isSample: boolean
  delivery: { kind: string; fee: number; daysMin: number; daysMax: number }[]
}

// Drawn by a fixed seed: the same shop in every run, different pages of it in each.
const goods = fc.sample(
  fc.record({
    modelId: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
    brandId: fc.integer({ min: 1, max: 2 }),
    categoryId: fc.constantFrom(11, 12),
    popularity: fc.integer({ min: 0, max: 3 }),
    voltage: fc.constantFrom(12, 18, 36),
  }),
  { numRuns: 40, seed: 7 },
)
const shelf: Goods[] = goods.map((one, at) => ({ ...one, id: at + 1 }))
const drawn = fc.sample(
  fc.record({
    productId: fc.integer({ min: 1, max: shelf.length }),
    sellerId: fc.integer({ min: 1, max: 4 }),
    price: fc.integer({ min: 10, max: 200 }).map((euros) => euros * 100),
    proPrice: fc.option(fc.integer({ min: 5, max: 190 }).map((euros) => euros * 100)),
    stock: fc.constantFrom(0, 0, 5),
    condition: fc.constantFrom(...conditions),
    isSample: fc.constantFrom(false, false, false, true),
    delivery: fc.constantFrom<Drawn['delivery'][]>(
      [{ kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }],
      [{ kind: 'standard', fee: 0, daysMin: 1, daysMax: 1 }],
      [{ kind: 'relay', fee: 290, daysMin: 2, daysMax: 3 }],
      [],
    ),
  }),
  { numRuns: 130, seed: 8 },
)
const offers: Drawn[] = drawn.map((one, at) => ({ ...one, id: at + 1_000 }))
for (const { voltage, ...product } of shelf) await testProduct(db, { ...product, attributes: { voltage } })
for (const offer of offers) await testOffer(db, offer)

const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine, markets: ['gb'] })
const gateway = await testGateway(database.pool)

interface Answer {
  total: number
  pages: number
  cards: { productId: string; offerId: string; sellerId: number; condition: string; prices: { main: { asFloat: number } } }[]
  facets: { key: string; min: number | null; max: number | null; values: { value: string; count: number }[] }[]
}
const query = `query ($input: ListingInput!) { listing(input: $input) { total pages
  cards { productId offerId sellerId condition prices { main { asFloat } } }
  facets { key min max values { value count } } } }`

async function ask(input: object, mode: Mode): Promise<Answer> {
  const { status, body } = await gateway.post(query, { input }, { host: mode === 'b2b' ? 'pro.gb.localhost' : 'gb.localhost' })
  const { data, errors } = body as { data: { listing: Answer }; errors?: unknown }
  assert.equal(status, 200, JSON.stringify(errors))
  assert.equal(errors, undefined)
  return data.listing
}

interface Chosen {
  brand: string[]
  condition: string[]
  delivery: string[]
  voltage: string[]
  inStock: boolean
  min: number | null
  max: number | null
}
const product = new Map(shelf.map((one) => [one.id, one]))
const brands = ['', 'Tarvok', 'Brexiro']
const group = (condition: Condition) => (condition === 'new' ? 'new' : condition.startsWith('refurbished') ? 'refurbished' : 'used')
/** Seller 2 delivers free from 50; what reaches the home for nothing is free. */
const isFree = ({ sellerId, price }: Drawn, fee: number) => fee === 0 || (sellerId === 2 && price >= 5_000)
const tags = (offer: Drawn) =>
  offer.delivery.flatMap(({ kind, fee, daysMax }) =>
    kind === 'relay' ? ['relay'] : [...(isFree(offer, fee) ? ['free'] : []), ...(daysMax <= 1 ? ['1day'] : [])],
  )
/** Minor units that the viewer pays: gb quotes professionals with VAT too. */
const priceOf = (offer: Drawn, mode: Mode) => (mode === 'b2b' ? Math.min(offer.proPrice ?? offer.price, offer.price) : offer.price)
const groupOf = (offer: Drawn) => {
  const { modelId } = product.get(offer.productId)!
  return modelId === null ? `p${offer.productId}` : `m${modelId}`
}

/** Whether an offer passes the selection; `without` leaves one facet's own selection out. */
function passes(offer: Drawn, chosen: Chosen, mode: Mode, without: string | null): boolean {
  const { brandId, voltage } = product.get(offer.productId)!
  const among = (key: 'brand' | 'condition' | 'delivery' | 'voltage', values: string[]) =>
    key === without || chosen[key].length === 0 || values.some((value) => chosen[key].includes(value))
  const major = priceOf(offer, mode) / 100
  return (
    among('brand', [brands[brandId]!]) &&
    among('condition', [group(offer.condition)]) &&
    among('delivery', tags(offer)) &&
    among('voltage', [String(voltage)]) &&
    (without === 'stock' || !chosen.inStock || offer.stock > 0) &&
    (without === 'price' || ((chosen.min === null || major >= chosen.min) && (chosen.max === null || major <= chosen.max)))
  )
}

/** What a seller offers on a storefront; seller 3 serves professionals alone. */
const ownOf = (sellerId: number, mode: Mode) =>
  sellerId === 3 && mode === 'b2c'
    ? []
    : offers.filter((offer) => offer.sellerId === sellerId && !offer.isSample && offer.delivery.length > 0)
const countGroups = (list: Drawn[]) => new Set(list.map(groupOf)).size

const some = (...values: string[]) => fc.subarray(values, { minLength: 0, maxLength: 2 })
const page = fc.record({
  sellerId: fc.integer({ min: 1, max: 4 }),
  mode: fc.constantFrom<Mode>('b2c', 'b2b'),
  sort: fc.constantFrom('relevance', 'price_asc', 'price_desc'),
  pageSize: fc.constantFrom(2, 5, 48),
  chosen: fc.record({
    brand: some('Tarvok', 'Brexiro'),
    condition: some('new', 'refurbished', 'used'),
    delivery: some('free', '1day', 'relay'),
    voltage: some('12', '18', '36'),
    inStock: fc.boolean(),
    min: fc.option(fc.integer({ min: 10, max: 120 }), { freq: 1 }),
    max: fc.option(fc.integer({ min: 60, max: 200 }), { freq: 1 }),
  }),
})

test('V-80 a seller’s page filters, counts, sorts and pages by that seller’s own offers, and shows their prices', async () => {
  let shown = 0
  await fc.assert(
    fc.asyncProperty(page, async ({ sellerId, mode, sort, pageSize, chosen }) => {
      const { brand, condition, delivery, voltage, inStock, min, max } = chosen
      const filters = Object.entries({ brand, condition, delivery, voltage, stock: inStock ? ['true'] : [] })
        .filter(([, values]) => values.length > 0)
        .map(([key, values]) => ({ key, values }))
      const ranges = min === null && max === null ? [] : [{ key: 'price', min, max }]
      const input = { kind: 'seller', id: sellerId, sort, pageSize, filters, ranges }
      const own = ownOf(sellerId, mode)
      const fitting = own.filter((offer) => passes(offer, chosen, mode, null))
      const first = await ask(input, mode)
      assert.equal(first.total, countGroups(fitting))

      const cards = [...first.cards]
      for (let at = 2; at <= first.pages; at++) cards.push(...(await ask({ ...input, page: at }, mode)).cards)
      shown += cards.length
      // One card per model, each an offer that passes the filters, at its price.
      const byOffer = new Map(fitting.map((offer) => [String(offer.id), offer]))
      const shownOffers = cards.map((card) => {
        const offer = byOffer.get(card.offerId)
        assert.ok(offer, `offer ${card.offerId} is not among those that fit`)
        assert.deepEqual(
          [card.sellerId, card.productId, card.condition, card.prices.main.asFloat],
          [sellerId, String(offer.productId), offer.condition, priceOf(offer, mode) / 100],
        )
        return offer
      })
      assert.deepEqual(shownOffers.map(groupOf).toSorted(), [...new Set(fitting.map(groupOf))].toSorted())

      const prices = shownOffers.map((offer) => priceOf(offer, mode))
      if (sort !== 'relevance') {
        const byGroup = [...Map.groupBy(fitting, groupOf).values()].map((list) => list.map((offer) => priceOf(offer, mode)))
        const best = byGroup.map((list) => (sort === 'price_asc' ? Math.min(...list) : Math.max(...list)))
        assert.deepEqual(
          prices,
          best.toSorted((a, b) => (sort === 'price_asc' ? a - b : b - a)),
        )
      } else {
        // In stock first, then by popularity; neither is better within a group than what is shown.
        const rank = (offer: Drawn) => (offer.stock > 0 ? 10 : 0) + product.get(offer.productId)!.popularity
        const best = [...Map.groupBy(fitting, groupOf).values()].map((list) => Math.max(...list.map(rank)))
        assert.deepEqual(
          shownOffers.map(rank),
          best.toSorted((a, b) => b - a),
        )
      }

      // A facet counts cards, without its own selection.
      const counted: [key: string, values: (offer: Drawn) => string[]][] = [
        ['brand', (offer) => [brands[product.get(offer.productId)!.brandId]!]],
        ['condition', (offer) => [group(offer.condition)]],
        ['delivery', tags],
        ['category', (offer) => [String(product.get(offer.productId)!.categoryId)]],
        ['voltage', (offer) => [String(product.get(offer.productId)!.voltage)]],
      ]
      for (const [key, valuesOf] of counted) {
        const facet = first.facets.find((one) => one.key === key)
        const list = own.filter((offer) => passes(offer, chosen, mode, key))
        for (const { value, count } of facet?.values ?? [])
          if (key !== 'category' || value.length > 1)
            assert.equal(count, countGroups(list.filter((offer) => valuesOf(offer).includes(value))), `${key} ${value}`)
      }
      const range = first.facets.find(({ key }) => key === 'price')
      const all = own.filter((offer) => passes(offer, chosen, mode, 'price')).map((offer) => priceOf(offer, mode) / 100)
      if (range) assert.deepEqual([range.min, range.max], [Math.min(...all), Math.max(...all)])
      else assert.ok(new Set(all).size < 2)
    }),
    { numRuns: 120 },
  )
  assert.ok(shown > 100, `${shown} cards`)
})

test('a seller’s page follows the seller’s price, and loses an offer that is paused, though neither changes the product’s card', async () => {
  const market: Market = 'gb'
  await testProduct(db, { id: 900, title: 'Bench vice' })
  await testOffer(db, { id: 9_001, productId: 900, sellerId: 1, price: 5_000 })
  await testOffer(db, { id: 9_002, productId: 900, sellerId: 2, price: 9_000 })
  const reindex = () => reindexProducts({ db, engine, now: new Date() }, ['900'], [market])
  const card = async () => (await ask({ kind: 'seller', id: 2, pageSize: 100 }, 'b2c')).cards.find(({ productId }) => productId === '900')
  assert.ok((await reindex()).includes('product:900'))
  assert.deepEqual([(await card())?.offerId, (await card())?.prices.main.asFloat], ['9002', 90])
  const winner = async () => (await engine.getObjects(productsIndex(market), ['900']))[0] as ProductDocument | null
  const before = await winner()

  await writePrices(db, [{ offerId: '9002', price: 9_900, proPrice: null }])
  assert.deepEqual(await reindex(), ['seller:2'], 'no list but the seller’s shows it')
  assert.equal((await card())?.prices.main.asFloat, 99)
  assert.deepEqual(await winner(), before)

  await db.run({ name: 'test.pause', text: `update catalogue.offer set status = 'paused' where id = 9002` })
  assert.ok((await reindex()).includes('seller:2'))
  assert.equal(await card(), undefined)
})
