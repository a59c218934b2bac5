/** Two sellers of one product: the one that quick order and lists choose is the one a company pays least for, and its price is that of cart and order. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { markets } from '@purlin/contract/markets.ts'
import { testMember } from '@purlin/contract/testing.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { givePriceList, writeQuotedPrices } from '@purlin/server/goods/conditions/index.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { draftOrder, must, newBuyer, place, type Buyer } from '@purlin/server/selling/checkout/testing.ts'
import { inMode, piecePrice, type PricedCase } from './priced-cases.ts'
import { serveShop } from './serve-shop.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const generated = Number(process.env['CASES'] ?? 80)

/** Of sellers whose delivery and ratings are the same, so that the buy box is decided by the price. */
const sellers = [1, 4] as const

interface OneOffer {
  /** Percent of the product's price. */
  percent: number
  proOff: number | null
  bulk: number | null
  maxQuantity: number | null
  stock: number
  /** For professionals, as a percentage of the price. */
  step: { from: number; percent: number } | null
  /** Agreed with the company: a price, as a percentage of the offer's, or a percentage off. */
  rule: { kind: 'price' | 'off'; percent: number } | null
}
const anyOffer: fc.Arbitrary<OneOffer> = fc.record({
  percent: fc.integer({ min: 85, max: 115 }),
  proOff: fc.option(fc.integer({ min: 1, max: 60 })),
  bulk: fc.constantFrom(null, null, null, 2, 3, 6),
  maxQuantity: fc.constantFrom(null, null, null, 4, 6, 12),
  stock: fc.constantFrom(10, 40, 200),
  step: fc.option(fc.record({ from: fc.integer({ min: 2, max: 12 }), percent: fc.integer({ min: 50, max: 95 }) })),
  rule: fc.option(fc.record({ kind: fc.constantFrom('price', 'off'), percent: fc.integer({ min: 5, max: 60 }) }), { freq: 3 }),
})
const anyPair = fc.record({
  market: fc.constantFrom('gb', 'fr'),
  price: fc.integer({ min: 1000, max: 20_000 }),
  offers: fc.tuple(anyOffer, anyOffer),
  quantity: fc.integer({ min: 1, max: 18 }),
  /** Accepted for one of the offers, for the quantity that is ordered or for one more. */
  quote: fc.option(fc.record({ of: fc.constantFrom(0, 1), percent: fc.integer({ min: 30, max: 120 }), more: fc.constantFrom(0, 0, 1) })),
  /** A row of the same product that can never be ordered. */
  badRow: fc.constantFrom(null, '400000', 'five'),
  /** On the list; null: no number is named. */
  wished: fc.option(fc.integer({ min: 1, max: 18 })),
})
type Pair = typeof anyPair extends fc.Arbitrary<infer Of> ? Of : never

/** An offer as the table of prices has it. */
function pricedOf({ market, price: of, quantity, offers }: Pair, at: 0 | 1): PricedCase {
  const { percent, proOff, step, rule } = offers[at]
  const price = Math.round((of * percent) / 100)
  const stepPrice = step && Math.floor((price * step.percent) / 100)
  const by = rule?.kind === 'price' ? { price: Math.round((price * (100 - rule.percent)) / 100), percentBp: null } : null
  return {
    market,
    seller: sellers[at],
    isSolar: false,
    price,
    proPrice: proOff === null ? null : price - proOff,
    breaks: step && stepPrice ? [{ group: 'b2b', from: step.from, price: stepPrice }] : [],
    rules: rule ? [{ on: 'product', to: 'company', by: by ?? { price: null, percentBp: rule.percent * 100 } }] : [],
    group: 'member',
    prefersVat: false,
    isSubscribed: false,
    isConfirmed: true,
    companyFrom: market,
    quantity,
    quote: null,
  }
}
function quoteOf(pair: Pair): { at: 0 | 1; quantity: number; price: number } | null {
  if (!pair.quote) return null
  const { of: at, percent, more } = pair.quote
  const quantity = pair.quantity + more
  return { at, quantity, price: Math.max(1, Math.floor((piecePrice(pricedOf(pair, at), quantity) * percent) / 100)) }
}

/** The company's total for a quantity of an offer, excluding delivery. */
function costOf(pair: Pair, at: 0 | 1, pieces: number): number {
  const quote = quoteOf(pair)
  const each = piecePrice(pricedOf(pair, at), pieces)
  return Math.min(each, quote?.at === at && quote.quantity === pieces ? quote.price : each) * pieces
}

/**
 * The choice, written down independently of the shop: the offer and its pieces, null if it will be refused. `piecesOf` are the pieces that
 * would be bought from an offer. Two offers of the same cost are both right.
 */
function rightChoices(pair: Pair, piecesOf: (offer: OneOffer) => number): { at: 0 | 1; pieces: number; isTaken: boolean }[] {
  const all = ([0, 1] as const).map((at) => {
    const { bulk, maxQuantity, stock } = pair.offers[at]
    const pieces = piecesOf(pair.offers[at])
    return { at, pieces, isTaken: pieces % (bulk ?? 1) === 0 && pieces <= (maxQuantity ?? 999) && pieces <= stock }
  })
  const takers = all.filter(({ isTaken }) => isTaken)
  const isAgreed = pair.quote !== null || pair.offers.some(({ rule }) => rule !== null)
  if (isAgreed && takers.length > 0) {
    const least = Math.min(...takers.map(({ at, pieces }) => costOf(pair, at, pieces)))
    return takers.filter(({ at, pieces }) => costOf(pair, at, pieces) === least)
  }
  const publicPrice = (at: 0 | 1) => pricedOf(pair, at).proPrice ?? pricedOf(pair, at).price
  return all.filter(({ at }) => at === (publicPrice(1) < publicPrice(0) ? 1 : 0))
}

const pairs = fc.sample(anyPair, { seed, numRuns: generated }).map((pair, index) => ({ pair, id: 7000 + index }))
const database = await testDatabase()
const { db, pool } = database
await testReference(db)
const offerIdOf = (id: number, at: 0 | 1) => String(id * 10 + at)
for (const { pair, id } of pairs) {
  await testProduct(db, { id, title: `Qv${id} tool` })
  for (const at of [0, 1] as const) {
    const { seller, price, proPrice, market, breaks } = pricedOf(pair, at)
    const { bulk, maxQuantity, stock } = pair.offers[at]
    const packed = bulk === null ? {} : { bulk }
    await testOffer(db, { id: Number(offerIdOf(id, at)), productId: id, sellerId: seller, market, price, proPrice, stock, ...packed })
    await pool.query('update catalogue.offer set max_quantity = $2, quantity_breaks = $3 where id = $1', [
      offerIdOf(id, at),
      maxQuantity,
      JSON.stringify(breaks),
    ])
  }
}
const shop = await serveShop(database)
after(() => shop.close())

async function visitorOf(pair: Pair, id: number): Promise<{ buyer: Buyer; cookie: string }> {
  const { market } = pair
  const { country } = markets[market]
  const company = await addCompany(db, { country, vatNumber: `${country}123456789` })
  const customer = await addCustomer(db, { market })
  await addMembership(db, customer.id, company.id, 'admin')
  const principal = testMember({ ...customer, role: 'admin', company })
  const buyer = newBuyer(database, { market, mode: 'b2b', principal, session: null })
  for (const at of [0, 1] as const) {
    const { seller, rules } = pricedOf(pair, at)
    const list = { market, name: `${id}`, validFrom: null, validTo: null, companies: [{ companyId: company.id }], groups: [] }
    const own = rules.map(({ by }) => ({ productId: String(id), categoryId: null, ...by }))
    if (own.length > 0) must(await database.command({}, (scope) => givePriceList(scope, seller, { ...list, rules: own })))
  }
  const quote = quoteOf(pair)
  if (quote)
    await writeQuotedPrices(db, {
      quoteId: newId(),
      sellerId: sellers[quote.at],
      customerId: customer.id,
      companyId: company.id,
      market,
      // As much as without the quote, so that the goods decide whether it applies.
      delivery: 490,
      validUntil: new Date(Date.now() + 86_400_000),
      lines: [{ offerId: offerIdOf(id, quote.at), quantity: quote.quantity, price: quote.price }],
    })
  const { token } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
  return { buyer, cookie: `__Host-purlin=${token}` }
}

interface Line {
  offerId: string
  quantity: number
  total: { amount: number }
  totalWithVat?: { amount: number }
}
interface Told {
  quickOrder: { rows: { offerId: string | null; total: { amount: number } | null; problem: { reason: string } | null }[] }
  createWishlist: { id: string }
  wishlist: { items: { quantity: number; card: { offerId: string } }[] }
  cart: { sellers: { lines: Line[] }[] }
  customerOrder: { sellerOrders: { lines: Line[] }[] }
}

const met = { chosen: new Set<number>(), refused: 0, swapped: 0 }
for (const { pair, id } of pairs)
  test(`two sellers, ${JSON.stringify(pair)}: quick order, list, cart and order`, async () => {
    const { market, quantity, badRow, wished } = pair
    const { buyer, cookie } = await visitorOf(pair, id)
    const ask = async (query: string, variables: object = {}): Promise<Told> => {
      const { body } = await shop.send({ host: `pro.${market}.localhost:3000`, cookie, path: '/graphql', json: { query, variables } })
      const { data, errors } = JSON.parse(body) as { data: Told; errors?: unknown }
      assert.equal(errors, undefined, body)
      return data
    }
    const inCart = async () => {
      const { cart } = await ask('{ cart { sellers { lines { offerId quantity total { amount } } } } }')
      return cart.sellers.flatMap(({ lines }) => lines).map(({ offerId, quantity: pieces, total }) => [offerId, pieces, total.amount])
    }
    const lineOf = ({ at, pieces }: { at: 0 | 1; pieces: number }) => [
      offerIdOf(id, at),
      pieces,
      inMode(pricedOf(pair, at), costOf(pair, at, pieces)),
    ]
    const isOneOf = (choices: readonly unknown[], found: unknown, where: string) =>
      assert.ok(
        choices.some((choice) => JSON.stringify(choice) === JSON.stringify(found)),
        `${where}: ${JSON.stringify(found)}, not ${JSON.stringify(choices)}`,
      )

    const packed = (wanted: number) => (offer: OneOffer) => Math.ceil(wanted / (offer.bulk ?? 1)) * (offer.bulk ?? 1)
    const ofList = rightChoices(pair, packed(wished ?? 1))
    const { id: listId } = (await ask('mutation { createWishlist(name: "Walls") { id } }')).createWishlist
    await ask(
      'mutation ($id: ID!, $productId: ID!, $quantity: Int) { addToWishlist(productId: $productId, listId: $id, quantity: $quantity) { id } }',
      { id: listId, productId: String(id), quantity: wished },
    )
    const { wishlist } = await ask('query ($id: ID!) { wishlist(id: $id) { items { quantity card { offerId } } } }', { id: listId })
    const [shown] = wishlist.items
    isOneOf(
      ofList.map(({ at, pieces }) => [offerIdOf(id, at), pieces]),
      [shown?.card.offerId, shown?.quantity],
      'list',
    )
    await ask('mutation ($id: ID!) { addWishlistToCart(id: $id) { added } }', { id: listId })
    isOneOf(
      ofList.map((choice) => (choice.isTaken ? [lineOf(choice)] : [])),
      await inCart(),
      'list in the cart',
    )
    await pool.query('delete from cart.line')

    const right = rightChoices(pair, () => quantity)
    const code = `TV-${id}`
    const rows = [{ code, quantity: String(quantity) }, ...(badRow === null ? [] : [{ code, quantity: badRow }])]
    const { quickOrder } = await ask(
      'query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) { rows { offerId total { amount } problem { reason } } } }',
      { rows },
    )
    const [row, bad] = quickOrder.rows
    isOneOf(
      right.map((choice) => (choice.isTaken ? lineOf(choice) : [offerIdOf(id, choice.at), quantity, null])),
      [row?.offerId, quantity, row?.total?.amount ?? null],
      'quick order',
    )
    assert.equal(row?.problem === null, row?.total !== null)
    assert.ok(badRow === null || bad?.problem)
    await ask('mutation ($rows: [OrderRowInput!]!) { addQuickOrder(rows: $rows) { added } }', { rows })
    const inCartNow = await inCart()
    assert.deepEqual(inCartNow, row?.total ? [[row.offerId, quantity, row.total.amount]] : [], 'cart')
    if (!row?.total) return void met.refused++

    const at = row.offerId === offerIdOf(id, 0) ? 0 : 1
    met.chosen.add(at)
    if (
      rightChoices(
        {
          ...pair,
          quote: null,
          offers: [
            { ...pair.offers[0], rule: null },
            { ...pair.offers[1], rule: null },
          ],
        },
        () => quantity,
      )[0]?.at !== at
    )
      met.swapped++
    const orderId = await draftOrder(buyer, [])
    must(await place(buyer, orderId))
    const { customerOrder } = await ask(
      'query ($id: ID!) { customerOrder(id: $id) { sellerOrders { lines { offerId quantity total { amount } totalWithVat { amount } } } } }',
      { id: orderId },
    )
    assert.deepEqual(
      customerOrder.sellerOrders.flatMap(({ lines }) =>
        lines.map((line) => [line.offerId, line.quantity, line.total.amount, line.totalWithVat?.amount]),
      ),
      [[row.offerId, quantity, row.total.amount, costOf(pair, at, quantity)]],
      'order',
    )
  })

test('the cases chose both sellers, refused some quantities, and chose others than the public winner', () => {
  assert.equal(met.chosen.size, 2)
  assert.ok(met.refused > 0 && met.swapped >= generated / 10, JSON.stringify({ ...met, chosen: [...met.chosen] }))
})
