import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePriceList, writeQuotedPrices } from '#conditions'
import { connectSearch, rebuildIndex } from '#listing'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Colleague } from '../checkout/testing.ts'
import { addSecondOffer, addSecondSeller } from './testing.ts'

/**
 * Of several sellers' offers of one product a company is given the one it pays least for, wherever the shop chooses for it: quick order,
 * lists, buy again and orders bought once more.
 */

const database = await testDatabase()
const { pool, db } = database
const { newCompany, join } = companiesIn(database)
const host = 'pro.gb.localhost:3000'

await fillShop(database)
await addSecondSeller(database)
for (const id of ['701', '702', '703', '704']) await addOffer(database, { id, price: 100_00, stock: id === '703' ? 5 : 100 })
for (const id of ['701', '702', '703']) await addSecondOffer(database, id, { price: 99_00 })
await addSecondOffer(database, '704', { price: 99_00, breaks: [{ group: 'b2b', from: 10, price: 60_00 }] })
// Of which delivery is a large part: seller 1 takes five more for it.
const small = ['711', '712', '713']
for (const id of small) {
  await addOffer(database, { id, price: 10_00, stock: 100, delivery: [{ kind: 'standard', fee: 9_90, daysMin: 2, daysMax: 4 }] })
  await addSecondOffer(database, id, { price: 9_99 })
}
// Cheaper by the piece at seller 4: by the pack, or without the delivery that seller 1 is paid already. The third one is cheaper at seller 1.
await addOffer(database, { id: '705', price: 100_00, stock: 100 })
await addSecondOffer(database, '705', { price: 60_00 })
await pool.query('update catalogue.offer set bulk = 6 where id = 2705')
await addOffer(database, { id: '706', price: 12_00, stock: 100 })
await addSecondOffer(database, '706', { price: 10_00 })
await addOffer(database, { id: '707', price: 90_00, stock: 100 })
await addSecondOffer(database, '707', { price: 99_00 })
// The slower the cheaper: seller 5 takes 99.00.
const within = (days: number) => [{ kind: 'standard' as const, fee: 4_90, daysMin: days, daysMax: days }]
for (const id of ['721', '722']) {
  await addOffer(database, { id, price: 100_00, delivery: within(1) })
  await addSecondOffer(database, id, { price: 99_50, delivery: within(4) })
}
await pool.query(`
  insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone, response_hours, commission_bp, free_delivery_from)
  select 5, 'seller-5', 'Seller 5', 'Seller 5 Ltd', country, 'GB987654322', 'R5', address, 'seller5@example.com', phone, response_hours, commission_bp, free_delivery_from
  from sellers.seller where id = 4`)
await pool.query(
  `insert into catalogue.offer (id, product_id, seller_id, market, pim_offer_id, condition, currency, price, stock, delivery)
   select 3722, 722, 5, 'gb', 3722, 'new', 'GBP', 9900, 100, $1`,
  [JSON.stringify(within(9))],
)
await pool.query(`insert into catalogue.price_history (offer_id, price, valid_from) values (3722, 9900, now() - interval '200 days')`)
const gateway = await testGateway(pool)
const engine = await testEngine()
await rebuildIndex({ db, engine })
connectSearch(engine)

async function ask<Value>({ cookie }: { cookie: string }, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie, host })
  const { data, errors } = body as { data: { answer: Value } | null; errors?: unknown }
  assert.ok(data && !errors, JSON.stringify(body))
  return structuredClone(data.answer)
}
/** Seller 1 has agreed 70.00 with the buyer's company for most products, 11.00 for 706, and 8.00 for the small ones. */
async function withContract(): Promise<Colleague> {
  const company = await newCompany()
  const list = {
    name: 'Contract',
    market: 'gb',
    validFrom: null,
    validTo: null,
    companies: [{ companyId: company.id }],
    groups: [],
  } as const
  const prices: Record<number, string[]> = { 7000: ['701', '703', '704', '705', '707'], 1100: ['706'], 800: small }
  const agreed = Object.entries(prices).flatMap(([price, ids]) => ids.map((id) => [id, Number(price)] as const))
  const rules = agreed.map(([productId, price]) => ({ productId, categoryId: null, price, percentBp: null }))
  must(await database.command({}, (scope) => givePriceList(scope, 1, { ...list, rules })))
  return join(company, 'buyer')
}
const without = async () => join(await newCompany(), 'buyer')

const rows = [
  { code: 'E701', quantity: '10' },
  { code: 'E702', quantity: '10' },
]
const linesOf = async (who: Colleague) => {
  const cart = await ask<{ sellers: { lines: { offerId: string; quantity: number; total: { amount: number } }[] }[] }>(
    who,
    '{ answer: cart { sellers { lines { offerId quantity total { amount } } } } }',
  )
  const lines = cart.sellers.flatMap((group) => group.lines)
  return lines.map(({ offerId, quantity, total }) => `${quantity} of ${offerId}: ${total.amount}`).toSorted()
}
const check = (who: Colleague, asked: readonly object[]) =>
  ask<{ rows: { offerId: string | null; total: { amount: number } | null; problem: { reason: string } | null }[] }>(
    who,
    'query ($rows: [OrderRowInput!]!) { answer: quickOrder(rows: $rows) { rows { offerId total { amount } problem { reason } } } }',
    { rows: asked },
  )

test('quick order chooses the seller who has agreed a lower price with the company, and adds that offer; nobody else sees another one', async () => {
  const [buyer, other] = [await withContract(), await without()]
  const offers = async (who: Colleague) => (await check(who, rows)).rows.map(({ offerId, total }) => [offerId, total?.amount])
  assert.deepEqual(await offers(buyer), [
    ['701', 700_00],
    ['2702', 990_00],
  ])
  assert.deepEqual(await offers(other), [
    ['2701', 990_00],
    ['2702', 990_00],
  ])
  await ask(buyer, 'mutation ($rows: [OrderRowInput!]!) { answer: addQuickOrder(rows: $rows) { added } }', { rows })
  assert.deepEqual(await linesOf(buyer), ['10 of 2702: 99000', '10 of 701: 70000'])
})

test('the price of the pieces that are wanted decides, and a seller who has too few is not chosen', async () => {
  const buyer = await withContract()
  const chosen = async (code: string, ...quantities: number[]) => {
    const checked = await check(
      buyer,
      quantities.map((quantity) => ({ code, quantity: String(quantity) })),
    )
    return checked.rows.map(({ offerId, problem }) => problem?.reason ?? offerId)
  }
  assert.deepEqual(await chosen('E704', 9), ['704'])
  assert.deepEqual(await chosen('E704', 10), ['2704'], 'ten cost less elsewhere')
  assert.deepEqual(await chosen('E704', 6, 4), ['2704', '2704'], 'rows of one product count together')
  assert.deepEqual(await chosen('E703', 5), ['703'])
  assert.deepEqual(await chosen('E703', 6), ['2703'], 'only five are left at the agreed price')
})

test('buy again shows and buys the offer of the agreed price, and so does an order that is bought again', async () => {
  const [buyer, other] = [await withContract(), await without()]
  for (const who of [buyer, other]) {
    const id = await draftOrder(who, [{ offerId: '2701', quantity: 3 }])
    must(await place(who, id))
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [id])
    await pool.query(`delete from cart.line`)
    const { products } = await ask<{ products: { card: Wished['card'] & { sellerName: string } }[] }>(
      who,
      '{ answer: boughtProducts { products { card { offerId sellerName prices { main { asFloat } } } } } }',
    )
    assert.deepEqual(
      products.map(({ card }) => [card.offerId, card.sellerName, card.prices.main.asFloat]),
      [who === buyer ? ['701', 'Seller 1', 70] : ['2701', 'Seller 4', 99]],
    )
    await ask(who, 'mutation ($id: ID!) { answer: orderAgain(customerOrderId: $id) { added } }', { id })
    assert.deepEqual(await linesOf(who), [who === buyer ? '3 of 701: 21000' : '3 of 2701: 29700'])
  }
})

interface Wished {
  dropped: { amount: number } | null
  card: { offerId: string; prices: { main: { asFloat: number }; retail: object | null } }
}

test('a list shows the offer of the agreed price with that price, and puts it into the cart as a whole and one by one', async () => {
  const buyer = await withContract()
  const { id } = await ask<{ id: string }>(buyer, 'mutation { answer: createWishlist(name: "Walls") { id } }')
  await ask(buyer, 'mutation ($id: ID!) { answer: addToWishlist(productId: "701", listId: $id, quantity: 4) { id } }', { id })
  const shown = async () => {
    const document =
      'query ($id: ID!) { answer: wishlist(id: $id) { items { dropped { amount } card { offerId prices { main { asFloat } retail { asFloat } } } } } }'
    const { items } = await ask<{ items: Wished[] }>(buyer, document, { id })
    return items.map(({ card, dropped }) => [card.offerId, card.prices.main.asFloat, card.prices.retail, dropped?.amount ?? null])
  }
  await pool.query(`update wishlists.item set known_price = 12000, known_mode = 'b2b' where list_id = $1`, [id])
  assert.deepEqual(await shown(), [['701', 70, null, null]], 'a public price that has dropped is not that of this card')
  await ask(buyer, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id })
  assert.deepEqual(await linesOf(buyer), ['4 of 701: 28000'])
  await pool.query(`delete from cart.line`)
  await ask(buyer, 'mutation ($id: ID!) { answer: moveToCart(listId: $id, productId: "701") { refusal { reason } } }', { id })
  assert.deepEqual(await linesOf(buyer), ['4 of 701: 28000'])
})

test('a list shows the offer that it puts into the cart, also where only a quote for its quantity makes that one cheaper', async () => {
  const buyer = await without()
  await writeQuotedPrices(db, {
    quoteId: newId(),
    customerId: buyer.principal.id,
    companyId: buyer.principal.company.id,
    market: 'gb',
    delivery: 490,
    validUntil: new Date(Date.now() + 86_400_000),
    sellerId: 1,
    lines: [{ offerId: '702', quantity: 10, price: 50_00 }],
  })
  const id = await listWith(buyer, '702', 10)
  await pool.query(`update wishlists.item set known_price = 12000, known_mode = 'b2b' where list_id = $1`, [id])
  const document =
    'query ($id: ID!) { answer: wishlist(id: $id) { items { dropped { amount } card { offerId prices { main { asFloat } } } } } }'
  const { items } = await ask<{ items: Wished[] }>(buyer, document, { id })
  assert.deepEqual(
    items.map(({ card, dropped }) => [card.offerId, card.prices.main.asFloat, dropped?.amount]),
    [['702', 100, undefined]],
  )
  assert.deepEqual(await listInCart(buyer, '702', 10), ['10 of 702: 50000'])
})

test('a list and an order bought again are chosen as a whole, products of buy again and those moved from a list each by itself', async () => {
  const buyer = await withContract()
  const { id } = await ask<{ id: string }>(buyer, 'mutation { answer: createWishlist(name: "Walls") { id } }')
  for (const productId of small)
    await ask(buyer, 'mutation ($id: ID!, $productId: ID!) { answer: addToWishlist(productId: $productId, listId: $id) { id } }', {
      id,
      productId,
    })
  const together = small.map((productId) => `1 of ${productId}: 800`)
  const page = await ask<{ items: { card: { offerId: string } }[] }>(
    buyer,
    'query ($id: ID!) { answer: wishlist(id: $id) { items { card { offerId } } } }',
    { id },
  )
  assert.deepEqual(page.items.map(({ card }) => card.offerId).toSorted(), small)
  await ask(buyer, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id })
  assert.deepEqual(await linesOf(buyer), together)
  const orderId = await draftOrder(buyer, [])
  must(await place(buyer, orderId))
  await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [orderId])
  await pool.query('delete from cart.line')
  const { products } = await ask<{ products: { card: { offerId: string } }[] }>(
    buyer,
    '{ answer: boughtProducts { products { card { offerId } } } }',
  )
  assert.deepEqual(
    products.map(({ card }) => card.offerId).toSorted(),
    small.map((productId) => `2${productId}`),
  )
  await ask(buyer, 'mutation ($id: ID!) { answer: orderAgain(customerOrderId: $id) { added } }', { id: orderId })
  assert.deepEqual(await linesOf(buyer), together)
  await pool.query('delete from cart.line')
  await ask(buyer, 'mutation ($id: ID!) { answer: moveToCart(listId: $id, productId: "711") { refusal { reason } } }', { id })
  assert.deepEqual(await linesOf(buyer), ['1 of 2711: 999'])
})

/** Offer, quantity and price of each product on a list, and the rows that the quick order has of it. */
async function shownOn(who: Colleague, id: string) {
  const document = 'query ($id: ID!) { answer: wishlist(id: $id) { items { quantity card { offerId prices { main { asFloat } } } } } }'
  const { items = [] } = (await ask<{ items: (Wished & { quantity: number })[] } | null>(who, document, { id })) ?? {}
  const rows = await ask<{ code: string; quantity: string }[]>(
    who,
    'query ($id: ID!) { answer: wishlistRows(id: $id) { code quantity } }',
    { id },
  )
  return {
    items: items.map(({ quantity, card }) => `${quantity} of ${card.offerId}: ${card.prices.main.asFloat}`).toSorted(),
    rows: rows.map(({ code, quantity }) => `${quantity} of ${code}`).toSorted(),
  }
}
const move = (who: Colleague, listId: string, productId: string, offerId?: string) =>
  ask<{ refusal: { reason: string } | null }>(
    who,
    'mutation ($listId: ID!, $productId: ID!, $offerId: ID) { answer: moveToCart(listId: $listId, productId: $productId, offerId: $offerId) { refusal { reason } } }',
    { listId, productId, offerId },
  )
async function addTo(who: Colleague, id: string, productId: string, quantity: number | null = null): Promise<void> {
  const add =
    'mutation ($id: ID!, $productId: ID!, $quantity: Int) { answer: addToWishlist(productId: $productId, listId: $id, quantity: $quantity) { id } }'
  await ask(who, add, { id, productId, quantity })
}

test('a list has one piece of the offer sold singly where it was chosen, on its page, as a quick order and in the cart', async () => {
  const [buyer, other] = [await withContract(), await without()]
  const id = await listWith(buyer, '705', null)
  assert.deepEqual(await shownOn(buyer, id), { items: ['1 of 705: 70'], rows: ['1 of E705'] })
  assert.deepEqual(await listInCart(buyer, '705', null), ['1 of 705: 7000'])
  assert.deepEqual(await shownOn(other, await listWith(other, '705', null)), { items: ['6 of 2705: 60'], rows: ['6 of E705'] })
  assert.deepEqual((await shownOn(other, id)).rows, [], 'somebody else’s list')
})

test('a list shows the offer it puts into the cart where it is dearer by the piece and saves a delivery; the button of a product has the same one', async () => {
  const buyer = await withContract()
  const id = await listWith(buyer, '706', 2)
  assert.deepEqual((await shownOn(buyer, id)).items, ['2 of 2706: 10'])
  await addTo(buyer, id, '701')
  assert.deepEqual(await shownOn(buyer, id), { items: ['1 of 701: 70', '2 of 706: 11'], rows: ['1 of E701', '2 of E706'] })
  await ask(buyer, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id })
  assert.deepEqual(await linesOf(buyer), ['1 of 701: 7000', '2 of 706: 2200'])
  await pool.query(`delete from cart.line`)
  await move(buyer, id, '706', '706')
  assert.deepEqual(await linesOf(buyer), ['2 of 706: 2200'])
})

test('a product comes from the best offer if the list showed one that is of another product, unknown, or cannot be bought any more', async () => {
  const buyer = await withContract()
  const id = await listWith(buyer, '706', 2)
  for (const shown of ['701', '2707', '404404', 'x', `9${'9'.repeat(30)}`]) {
    assert.deepEqual(await move(buyer, id, '706', shown), { refusal: null })
    assert.deepEqual(await linesOf(buyer), ['2 of 2706: 2000'], shown)
    await pool.query(`delete from cart.line`)
    await addTo(buyer, id, '706', 2)
  }
  for (const change of ['stock = 1', `status = 'paused'`, 'bulk = 3']) {
    await pool.query(`update catalogue.offer set ${change} where id = 706`)
    await move(buyer, id, '706', '706')
    await pool.query(`update catalogue.offer set stock = 100, status = 'active', bulk = null where id = 706`)
    assert.deepEqual(await linesOf(buyer), [change === 'bulk = 3' ? '3 of 706: 3300' : '2 of 2706: 2000'], change)
    await pool.query(`delete from cart.line`)
    await addTo(buyer, id, '706', 2)
  }
})

test('the agreed price stands on a list and in buy again also where everybody buys from the same seller', async () => {
  const [buyer, other] = [await withContract(), await without()]
  for (const [who, price] of [
    [buyer, 70],
    [other, 90],
  ] as const) {
    assert.deepEqual((await shownOn(who, await listWith(who, '707', null))).items, [`1 of 707: ${price}`])
    await buy(who, ['707'], 1)
    assert.deepEqual(await bought(who), [`707: ${price}`])
  }
})

test('what is needed again is ticked in buy again, and chosen to be bought together', async () => {
  const buyer = await withContract()
  for (const daysAgo of [62, 42, 21])
    await buy(
      buyer,
      small.map((id) => `2${id}`),
      daysAgo,
    )
  await buy(buyer, ['2706'], 1)
  assert.deepEqual(await bought(buyer), ['2706: 10', ...small.map((id) => `${id}: 8`)])
})

/** A paid order of one piece of each offer, which leaves the cart empty. */
async function buy(who: Colleague, offerIds: readonly string[], daysAgo: number): Promise<void> {
  const id = await draftOrder(
    who,
    offerIds.map((offerId) => ({ offerId, quantity: 1 })),
  )
  must(await place(who, id))
  await pool.query(
    `update orders.customer_order set state = 'paid', placed_at = now() - $2 * interval '1 day', paid_at = now() - $2 * interval '1 day'
      where id = $1`,
    [id, daysAgo],
  )
  await pool.query('delete from cart.line')
}
/** Offer and price of each product in buy again. */
async function bought(who: Colleague): Promise<string[]> {
  const document = '{ answer: boughtProducts { products { card { offerId prices { main { asFloat } } } } } }'
  const { products } = await ask<{ products: Pick<Wished, 'card'>[] }>(who, document)
  return products.map(({ card }) => `${card.offerId}: ${card.prices.main.asFloat}`).toSorted()
}

/** A change of offers for the time of one test. */
async function withOffers(change: string, act: () => Promise<unknown>): Promise<void> {
  await pool.query(`update catalogue.offer set ${change}`)
  try {
    await act()
  } finally {
    await pool.query(`update catalogue.offer set max_quantity = null, bulk = null where id in (701, 2701)`)
  }
}
/** Offer, total and problem of each row. */
const outcomes = async (who: Colleague, ...asked: readonly [code: string, quantity: number | string][]) => {
  const checked = await check(
    who,
    asked.map(([code, quantity]) => ({ code, quantity: String(quantity) })),
  )
  return checked.rows.map(({ offerId, total, problem }) => [offerId, problem?.reason ?? total?.amount])
}
async function listWith(who: Colleague, productId: string, quantity: number | null): Promise<string> {
  const { id } = await ask<{ id: string }>(who, 'mutation { answer: createWishlist(name: "Walls") { id } }')
  const add =
    'mutation ($id: ID!, $productId: ID!, $quantity: Int) { answer: addToWishlist(productId: $productId, listId: $id, quantity: $quantity) { id } }'
  await ask(who, add, { id, productId, quantity })
  return id
}
/** The lines of a cart that was empty, after all of a list was added. */
async function listInCart(who: Colleague, productId: string, quantity: number | null): Promise<string[]> {
  await pool.query(`delete from cart.line`)
  const id = await listWith(who, productId, quantity)
  await ask(who, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id })
  return linesOf(who)
}

test('a seller who sells no more than five at a time is left out where another one has all that is wanted', async () => {
  const buyer = await withContract()
  const orderId = await draftOrder(buyer, [{ offerId: '2701', quantity: 10 }])
  must(await place(buyer, orderId))
  await withOffers('max_quantity = 5 where id = 701', async () => {
    assert.deepEqual(await outcomes(buyer, ['E701', 5]), [['701', 350_00]])
    assert.deepEqual(await outcomes(buyer, ['E701', 10]), [['2701', 990_00]])
    assert.deepEqual(
      await outcomes(buyer, ['E701', 3], ['E701', 3]),
      [
        ['2701', 297_00],
        ['2701', 297_00],
      ],
      'six in two rows',
    )
    assert.deepEqual(await listInCart(buyer, '701', 10), ['10 of 2701: 99000'])
    await pool.query(`delete from cart.line`)
    await ask(buyer, 'mutation ($id: ID!) { answer: orderAgain(customerOrderId: $id) { added } }', { id: orderId })
    assert.deepEqual(await linesOf(buyer), ['10 of 2701: 99000'])
  })
})

test('where no seller has as many as are wanted, the row is refused as it is for companies without agreed prices', async () => {
  const [buyer, other] = [await withContract(), await without()]
  await withOffers('max_quantity = 5 where id in (701, 2701)', async () => {
    for (const who of [buyer, other]) assert.deepEqual(await outcomes(who, ['E701', 10]), [['2701', 'quantity-too-large']])
  })
})

test('a seller by the pack is left out of a quick order for other numbers, and of a list where whole packs cost more than what is wanted', async () => {
  const buyer = await withContract()
  await withOffers('bulk = 6 where id = 701', async () => {
    assert.deepEqual(await outcomes(buyer, ['E701', 10]), [['2701', 990_00]])
    assert.deepEqual(await outcomes(buyer, ['E701', 12]), [['701', 840_00]])
    assert.deepEqual(await listInCart(buyer, '701', 4), ['4 of 2701: 39600'], 'six would cost 420')
    assert.deepEqual(await listInCart(buyer, '701', 5), ['6 of 701: 42000'], 'five would cost 495')
  })
})

test('one piece on a list never becomes a pack of a hundred', async () => {
  const buyer = await withContract()
  await withOffers('bulk = 100 where id = 701', async () => {
    assert.deepEqual(await listInCart(buyer, '701', null), ['1 of 2701: 9900'])
    await pool.query(`delete from cart.line`)
    const id = await listWith(buyer, '701', null)
    const page = await ask<{ items: { quantity: number; card: { offerId: string } }[] }>(
      buyer,
      'query ($id: ID!) { answer: wishlist(id: $id) { items { quantity card { offerId } } } }',
      { id },
    )
    assert.deepEqual(
      page.items.map(({ quantity, card }) => [quantity, card.offerId]),
      [[1, '2701']],
    )
    await ask(buyer, 'mutation ($id: ID!) { answer: moveToCart(listId: $id, productId: "701") { refusal { reason } } }', { id })
    assert.deepEqual(await linesOf(buyer), ['1 of 2701: 9900'])
  })
})

test('a row that is refused changes neither seller nor price of another row of the product', async () => {
  const buyer = await withContract()
  const right = ['704', 350_00]
  assert.deepEqual(await outcomes(buyer, ['E704', 5]), [right])
  assert.deepEqual(await outcomes(buyer, ['E704', 5], ['E704', 400_000]), [right, ['704', 'quantity-too-large']])
  assert.deepEqual(await outcomes(buyer, ['E704', 400_000], ['E704', 5]), [['704', 'quantity-too-large'], right])
  assert.deepEqual(await outcomes(buyer, ['E704', 5], ['E704', 'five']), [right, ['704', 'quantity-invalid']])
  assert.deepEqual(await outcomes(buyer, ['E704', 5], ['E704', 96]), [right, ['704', 'out-of-stock']])
})

test('a price list that makes nothing cheaper leaves the public winner where it was, and one that does brings in no third seller', async () => {
  const [buyer, other] = [await withContract(), await without()]
  const winners = [
    ['721', 100_00],
    ['722', 100_00],
  ]
  const chosen = (who: Colleague) => outcomes(who, ['E721', 1], ['E722', 1])
  const agree = async (price: number) => {
    const rules = [{ productId: '722', categoryId: null, price, percentBp: null }]
    const companies = [{ companyId: buyer.principal.company.id }]
    const list = { name: 'Unasked', market: 'gb', validFrom: null, validTo: null, companies, groups: [], rules } as const
    must(await database.command({}, (scope) => givePriceList(scope, 4, list)))
  }
  assert.deepEqual(await chosen(other), winners, 'it comes the next day')
  await agree(9_999_00)
  assert.deepEqual(await chosen(buyer), winners)
  await agree(99_40)
  assert.deepEqual(await chosen(buyer), [winners[0], ['2722', 99_40]], 'not 99.00 from seller 5 in nine days')
})

test('an accepted quote wins for its quantity, also over a contract, and by itself', async () => {
  const [buyer, other] = [await withContract(), await without()]
  const quote = async ({ principal }: Colleague, line: { sellerId: number; offerId: string }) =>
    writeQuotedPrices(db, {
      quoteId: newId(),
      customerId: principal.id,
      companyId: principal.company.id,
      market: 'gb',
      delivery: 490,
      validUntil: new Date(Date.now() + 86_400_000),
      sellerId: line.sellerId,
      lines: [{ offerId: line.offerId, quantity: 10, price: 50_00 }],
    })
  await quote(buyer, { sellerId: 4, offerId: '2701' })
  await quote(other, { sellerId: 1, offerId: '702' })
  assert.deepEqual(await outcomes(buyer, ['E701', 10], ['E703', 5]), [
    ['2701', 500_00],
    ['703', 350_00],
  ])
  assert.deepEqual(await outcomes(buyer, ['E701', 11]), [['701', 770_00]], 'one piece more')
  assert.deepEqual(await outcomes(other, ['E702', 10]), [['702', 500_00]])
  assert.deepEqual(await listInCart(buyer, '701', 10), ['10 of 2701: 50000'])
  assert.deepEqual(await listInCart(other, '702', 10), ['10 of 702: 50000'])
})
