import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cheapestSellers, mostGoodsPriced, type Option } from './cheapest-sellers.ts'
import type { SellerCost } from './price-lines.ts'

interface Shop {
  products: Option[][]
  fees: number[]
  freeFrom: number[]
}
const sellersIn = 5
/** @param unit of all amounts: the larger it is, the more choices cost the same */
const anyShop = (products: number, unit = 1): fc.Arbitrary<Shop> =>
  fc
    .record({
      goods: fc.array(fc.array(fc.integer({ min: 500, max: 2000 }), { minLength: sellersIn, maxLength: sellersIn }), {
        minLength: 1,
        maxLength: products,
      }),
      sells: fc.array(fc.nat(2 ** sellersIn - 2), { minLength: products, maxLength: products }),
      fees: fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: sellersIn, maxLength: sellersIn }),
      freeFrom: fc.array(fc.integer({ min: 1000, max: 20_000 }), { minLength: sellersIn, maxLength: sellersIn }),
    })
    .map(({ goods, sells, fees, freeFrom }) => ({
      fees: fees.map((fee) => fee - (fee % unit)),
      freeFrom,
      products: goods.map((prices, at) =>
        prices.flatMap((price, sellerId) =>
          (((sells[at] ?? 0) + 1) >> sellerId) & 1
            ? [{ offerId: `${at}-${sellerId}`, sellerId, goods: price - (price % unit), quoteIds: [] }]
            : [],
        ),
      ),
    }))

function costIn({ fees, freeFrom }: Shop) {
  return (sellerId: number, bought: readonly Option[]): SellerCost => {
    const goods = bought.reduce((sum, option) => sum + option.goods, 0)
    const fee = bought.length === 0 || goods >= (freeFrom[sellerId] ?? 0) ? 0 : (fees[sellerId] ?? 0)
    return { total: goods + fee, avoidable: fee }
  }
}
const total = (shop: Shop, chosen: readonly Option[]): number =>
  shop.fees.reduce(
    (sum, _, sellerId) =>
      sum +
      costIn(shop)(
        sellerId,
        chosen.filter((option) => option.sellerId === sellerId),
      ).total,
    0,
  )

test('of a few products nothing else is cheaper', () => {
  fc.assert(
    fc.property(anyShop(2), (shop) => {
      const all = shop.products.reduce<Option[][]>(
        (some, options) => some.flatMap((one) => options.map((option) => [...one, option])),
        [[]],
      )
      const least = Math.min(...all.map((chosen) => total(shop, chosen)))
      assert.equal(total(shop, cheapestSellers(shop.products, costIn(shop))), least)
    }),
    { seed: 29 },
  )
})

test('of many products neither the public winners nor one seller nor another offer of a single product is cheaper', () => {
  fc.assert(
    fc.property(anyShop(40), (shop) => {
      const chosen = cheapestSellers(shop.products, costIn(shop))
      const cost = total(shop, chosen)
      assert.ok(
        cost <=
          total(
            shop,
            shop.products.map(([winner]) => winner as Option),
          ),
      )
      for (const sellerId of shop.fees.keys()) {
        const from = (options: readonly Option[], otherwise: Option) => options.find((option) => option.sellerId === sellerId) ?? otherwise
        assert.ok(
          cost <=
            total(
              shop,
              shop.products.map((options, at) => from(options, chosen[at] as Option)),
            ),
        )
      }
      for (const [at, options] of shop.products.entries())
        for (const option of options) assert.ok(cost <= total(shop, chosen.with(at, option)))
    }),
    { seed: 29 },
  )
})

test('of many products all goods of a quote are chosen together, if the quote saves more than they cost elsewhere', () => {
  const quoted = ['0', '1', '2']
  const products = Array.from({ length: 20 }, (_, at) => [
    { offerId: `1-${at}`, sellerId: 1, goods: 1000, quoteIds: [] },
    { offerId: `2-${at}`, sellerId: 2, goods: 1100, quoteIds: quoted.includes(`${at}`) ? ['q'] : [] },
  ])
  const costWith = (saved: number) => (_: number, bought: readonly Option[]) => {
    const goods = bought.reduce((sum, option) => sum + option.goods, 0)
    const isWhole = bought.filter(({ quoteIds }) => quoteIds.length > 0).length === quoted.length
    return { total: isWhole ? goods - saved : goods, avoidable: 0 }
  }
  const fromSeller2 = (saved: number) =>
    cheapestSellers(products, costWith(saved)).flatMap(({ offerId, sellerId }) => (sellerId === 2 ? offerId : []))
  assert.deepEqual(fromSeller2(301), ['2-0', '2-1', '2-2'])
  assert.deepEqual(fromSeller2(300), [])
})

test('of offers that cost the same the public winner is chosen', () => {
  const options = [1, 2, 3].map((sellerId) => ({ offerId: `${sellerId}`, sellerId, goods: 1000, quoteIds: [] }))
  const costOf = (_: number, bought: readonly Option[]) => ({ total: bought.reduce((sum, { goods }) => sum + goods, 0), avoidable: 0 })
  for (const length of [1, 20])
    assert.ok(
      cheapestSellers(
        Array.from({ length }, () => options),
        costOf,
      ).every(({ offerId }) => offerId === '1'),
    )
})

test('of many products none could come from a seller before the chosen one in the public order at the same cost', () => {
  fc.assert(
    fc.property(anyShop(40, 500), (shop) => {
      const chosen = cheapestSellers(shop.products, costIn(shop))
      const cost = total(shop, chosen)
      for (const [at, options] of shop.products.entries())
        for (const option of options.slice(0, options.indexOf(chosen[at] as Option))) assert.ok(cost < total(shop, chosen.with(at, option)))
    }),
    { seed: 29 },
  )
})

/** How often goods are priced while sellers are chosen. */
function goodsPriced(products: readonly Option[][], costOf: ReturnType<typeof costIn>): number {
  let priced = 0
  cheapestSellers(products, (sellerId, bought) => {
    priced += bought.length + 1
    return costOf(sellerId, bought)
  })
  return priced
}

for (const [quotes, lines] of [
  [6, 50],
  [30, 10],
] as const)
  test(`300 products of which a seller has quoted all, in ${quotes} quotes, are chosen without pricing each of them more than a hundred times`, () => {
    const products = Array.from({ length: 300 }, (_, at) =>
      [1, 2, 3].map((sellerId) => ({
        offerId: `${sellerId}-${at}`,
        sellerId,
        goods: 1000 + ((at * 7 + sellerId * 31) % 97),
        quoteIds: sellerId === 1 ? [`q${Math.floor(at / lines)}`] : [],
      })),
    )
    const costOf = (_: number, bought: readonly Option[]): SellerCost => {
      const goods = bought.reduce((sum, option) => sum + option.goods, 0)
      const quoted = Map.groupBy(
        bought.flatMap(({ quoteIds }) => quoteIds),
        (id) => id,
      )
      const whole = [...quoted.values()].filter(({ length }) => length === lines).length
      const fee = bought.length === 0 || goods >= 15_000 ? 0 : 490
      return { total: goods - whole * lines * 20 + fee, avoidable: fee }
    }
    assert.ok(goodsPriced(products, costOf) <= 100 * 300)
  })

test('300 products of 500 sellers are chosen without pricing each of them more than 150 times', () => {
  const products = Array.from({ length: 300 }, (_, at) =>
    [0, 1, 2, 3, 4].map((rank) => {
      const sellerId = (at * 37 + rank * 101) % 500
      return { offerId: `${sellerId}-${at}`, sellerId, goods: 1000 + ((at * 7 + rank * 31) % 97), quoteIds: [] }
    }),
  )
  const costOf = (_: number, bought: readonly Option[]): SellerCost => {
    const fee = bought.length > 0 ? 490 : 0
    return { total: bought.reduce((sum, { goods }) => sum + goods, fee), avoidable: fee }
  }
  assert.ok(goodsPriced(products, costOf) <= 150 * 300)
})

test('a choice that would take too long ends with the best so far, which never costs more than the public winners', () => {
  const products = Array.from({ length: 500 }, (_, at) =>
    Array.from({ length: 12 }, (__, rank) => {
      const sellerId = (at + rank * 7) % 20
      return { offerId: `${sellerId}-${at}`, sellerId, goods: 1000 + ((at * rank * 13) % 97), quoteIds: ['q'] }
    }),
  )
  const costOf = (_: number, bought: readonly Option[]): SellerCost => {
    const goods = bought.reduce((sum, option) => sum + option.goods, 0)
    return { total: goods + bought.length ** 2, avoidable: Infinity }
  }
  const cost = (chosen: readonly Option[]) =>
    [...Map.groupBy(chosen, ({ sellerId }) => sellerId)].reduce((sum, [sellerId, bought]) => sum + costOf(sellerId, bought).total, 0)
  assert.ok(goodsPriced(products, costOf) <= mostGoodsPriced + 2 * products.length)
  assert.ok(cost(cheapestSellers(products, costOf)) <= cost(products.map(([winner]) => winner as Option)))
})
