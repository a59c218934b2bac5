import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testMember } from '@purlin/contract/testing.ts'
import type { Mode } from '@purlin/contract/markets.ts'
import { addToCart, loadPricedCart } from '#cart'
import { findProduct, setQuantityBreaks } from '#catalogue'
import { givePriceList } from '#conditions'
import { testDatabase } from '#platform/testing'
import { inTaxMode, showMoney, vatOf, vatRules } from '#pricing'
import { showYourPrices } from '../../goods/conditions/your-prices.ts'
import { pricedProduct } from '../../goods/pricing/graphql.ts'
import { addCompany } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'

/** One price from the page to the order: group × quantity × tax mode × contract. */

const database = await testDatabase()
await fillShop(database)
const company = await addCompany(database.db)
let next = 9000

interface Case {
  mode: Mode
  prefersVat: boolean
  quantity: number
  hasContract: boolean
}
const cases: Case[] = (['b2c', 'b2b'] as const).flatMap((mode) =>
  [1, 9, 10, 25].flatMap((quantity) =>
    [false, true].flatMap((hasContract) =>
      [false, true].map((prefersVat) => ({ mode, prefersVat: mode === 'b2b' && prefersVat, quantity, hasContract })),
    ),
  ),
)
/** With VAT, per piece: professionals 1100, from 10 on 1000, by contract 1050; consumers 1200, from 25 on 1150. */
function expected({ mode, quantity, hasContract }: Case): number {
  if (mode === 'b2c') return quantity >= 25 ? 1150 : 1200
  if (quantity >= 10) return 1000
  return hasContract ? 1050 : 1100
}

for (const each of cases) {
  const { mode, prefersVat, quantity, hasContract } = each
  const who = `${mode}${prefersVat ? ' with VAT' : ''}${hasContract ? ' by contract' : ''}`
  test(`${quantity} pieces, ${who}: page, cart and order name the same price`, async () => {
    const id = String(++next)
    await addOffer(database, { id, market: 'fr', price: 1200, proPrice: 1100, categoryId: 2 })
    await database.command({}, (scope) =>
      setQuantityBreaks(scope, {
        market: 'fr',
        offerId: id,
        sellerId: 1,
        breaks: [
          { group: 'b2b', from: 10, price: 1000 },
          { group: 'b2c', from: 25, price: 1150 },
        ],
      }),
    )
    const rules = [{ productId: id, categoryId: null, percentBp: null, price: 1050 }]
    const list = {
      market: 'fr',
      name: 'Ours',
      validFrom: null,
      validTo: null,
      companies: [{ companyId: company.id }],
      groups: [],
      rules,
    } as const
    if (hasContract) assert.ok((await database.command({}, (scope) => givePriceList(scope, 1, list))).ok)
    const principal = testMember({
      role: 'buyer',
      id: `00000000-0000-7000-8000-${id.padStart(12, '0')}`,
      company: { ...company, country: 'FR' },
    })
    const buyer = newBuyer(database, { market: 'fr', mode, prefersVat, ...(mode === 'b2b' && { principal }) })
    const scope = buyer.scope()

    const sheet = await findProduct(scope, id)
    assert.ok(sheet)
    const page = (await pricedProduct(database.scope({ market: 'fr', mode, prefersVat }), sheet)).best
    const onPage = page?.steps.findLast(({ from }) => from <= quantity)?.price ?? 0
    const [own] = await showYourPrices(scope, [id])
    const rule = vatOf(await vatRules(scope), 'fr', [2], scope.now)
    if (own) assert.equal(own.price, page && showMoney('fr', inTaxMode(page.block.taxKey, 1050, rule)).formatted)
    assert.equal(own !== undefined, mode === 'b2b' && hasContract)
    assert.equal(Math.min(onPage, own ? 1050 : Number.POSITIVE_INFINITY), expected(each))

    must(await buyer.does((command) => addToCart(command, { offerId: id, quantity })))
    const [line] = (await loadPricedCart(buyer.scope())).sellers.flatMap(({ lines }) => lines)
    assert.deepEqual([line?.unitPrice, line?.state], [expected(each), 'ok'])
    const order = await draftOrder(buyer, [])
    must(await place(buyer, order))
    const { rows } = await database.pool.query(
      'select unit_price, total, net + vat as paid from orders.order_line where customer_order_id = $1',
      [order],
    )
    const total = expected(each) * quantity
    assert.deepEqual(rows, [{ unit_price: expected(each), total, paid: total }])
  })
}
