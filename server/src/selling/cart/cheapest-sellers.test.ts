import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cheapestSellers, type Option } from './cheapest-sellers.ts'

interface Shop {
  products: Option[][]
  fees: number[]
  freeFrom: number[]
}
const sellersIn = 5
const anyShop = (products: number): fc.Arbitrary<Shop> =>
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
    .map(({ goods, sells, ...rest }) => ({
      ...rest,
      products: goods.map((prices, at) =>
        prices.flatMap((price, sellerId) =>
          (((sells[at] ?? 0) + 1) >> sellerId) & 1 ? [{ offerId: `${at}-${sellerId}`, sellerId, goods: price, quoteIds: [] }] : [],
        ),
      ),
    }))

function costIn({ fees, freeFrom }: Shop) {
  return (sellerId: number, bought: readonly Option[]): number => {
    const goods = bought.reduce((sum, option) => sum + option.goods, 0)
    return goods + (bought.length === 0 || goods >= (freeFrom[sellerId] ?? 0) ? 0 : (fees[sellerId] ?? 0))
  }
}
const total = (shop: Shop, chosen: readonly Option[]): number =>
  shop.fees.reduce(
    (sum, _, sellerId) =>
      sum +
      costIn(shop)(
        sellerId,
        chosen.filter((option) => option.sellerId === sellerId),
      ),
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
    return bought.filter(({ quoteIds }) => quoteIds.length > 0).length === quoted.length ? goods - saved : goods
  }
  const fromSeller2 = (saved: number) =>
    cheapestSellers(products, costWith(saved)).flatMap(({ offerId, sellerId }) => (sellerId === 2 ? offerId : []))
  assert.deepEqual(fromSeller2(301), ['2-0', '2-1', '2-2'])
  assert.deepEqual(fromSeller2(300), [])
})

test('of offers that cost the same the public winner is chosen', () => {
  const options = [1, 2, 3].map((sellerId) => ({ offerId: `${sellerId}`, sellerId, goods: 1000, quoteIds: [] }))
  const costOf = (_: number, bought: readonly Option[]) => bought.reduce((sum, { goods }) => sum + goods, 0)
  for (const length of [1, 20])
    assert.ok(
      cheapestSellers(
        Array.from({ length }, () => options),
        costOf,
      ).every(({ offerId }) => offerId === '1'),
    )
})
