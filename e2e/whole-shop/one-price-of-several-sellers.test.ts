/** Three sellers of the same products: those that quick order and lists choose cost the company least, all in all, and their prices are those of cart and order. */
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
import { netOf, piecePrice, showsNet, type PricedCase } from './priced-cases.ts'
import { serveShop } from './serve-shop.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const generated = Number(process.env['CASES'] ?? 100)

/** Sellers of the same ratings; the second one delivers for free from this value of the goods on. */
const sellers = [1, 4, 2] as const
const freeFrom = [Infinity, 15_000, Infinity] as const
type At = 0 | 1 | 2
const places = [0, 1, 2] as const

interface OneOffer {
  /** Percent of the product's price. */
  percent: number
  proOff: number | null
  bulk: number | null
  maxQuantity: number | null
  stock: number
  /** For professionals, as a percentage of the price. */
  step: { from: number; percent: number } | null
  /** Agreed with the company: a price, so many percent below that of the offer or far above it, or a percentage off. */
  rule: { kind: 'price' | 'off'; percent: number } | null
  fee: number
  isUsed: boolean
}
const anyOffer: fc.Arbitrary<OneOffer> = fc.record({
  percent: fc.integer({ min: 85, max: 115 }),
  proOff: fc.option(fc.integer({ min: 1, max: 60 })),
  bulk: fc.constantFrom(null, null, null, null, null, 2, 3, 6),
  maxQuantity: fc.constantFrom(null, null, null, null, null, 4, 6, 12),
  stock: fc.constantFrom(4, 10, 40, 200),
  step: fc.option(fc.record({ from: fc.integer({ min: 2, max: 12 }), percent: fc.integer({ min: 50, max: 95 }) })),
  rule: fc.option(
    fc.oneof(
      { arbitrary: fc.record({ kind: fc.constantFrom('price', 'off'), percent: fc.integer({ min: 5, max: 60 }) }), weight: 5 },
      { arbitrary: fc.constant({ kind: 'price' as const, percent: -900 }), weight: 1 },
    ),
    { freq: 2 },
  ),
  fee: fc.constantFrom(0, 490, 490, 990, 990, 4000),
  isUsed: fc.constantFrom(false, false, false, false, false, true),
})
/** The cheapest has few, the next has enough and no agreement, and the dearest has one. */
const offersOfFew = fc.tuple(anyOffer, anyOffer, anyOffer).map(([few, next, dear]): [OneOffer, OneOffer, OneOffer] => [
  { ...few, percent: 86, stock: 4, rule: null },
  { ...next, stock: 200, bulk: null, maxQuantity: null, rule: null },
  { ...dear, percent: 2 * dear.percent, stock: 200 },
])
const anyProduct = fc.record({
  /** Low ones as well, of which delivery is a large part. */
  price: fc.oneof(fc.integer({ min: 200, max: 1500 }), fc.integer({ min: 1000, max: 20_000 })),
  offers: fc.oneof({ arbitrary: fc.tuple(anyOffer, anyOffer, anyOffer), weight: 4 }, { arbitrary: offersOfFew, weight: 1 }),
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 18 })),
  /** A row of the same product that can never be ordered. */
  badRow: fc.constantFrom(null, null, '400000', 'five'),
  /** On the list; null: no number is named. */
  wished: fc.option(fc.integer({ min: 1, max: 18 })),
  /** Packs of an offer that the cart holds already. */
  held: fc.option(fc.record({ at: fc.constantFrom(...places), packs: fc.integer({ min: 1, max: 4 }) }), { freq: 2 }),
})
const anyPurchase = fc.record({
  market: fc.constantFrom('gb', 'fr'),
  isSubscribed: fc.boolean(),
  products: fc.array(anyProduct, { minLength: 1, maxLength: 3, size: 'max' }),
  /** Accepted for an offer of the first product, for the quantity that is ordered or for one more. */
  quote: fc.option(
    fc.record({
      at: fc.constantFrom(...places),
      percent: fc.integer({ min: 30, max: 120 }),
      more: fc.constantFrom(0, 0, 1),
      delivery: fc.constantFrom(0, 490, 490, 3000, 40_000),
    }),
  ),
})
type AnyPurchase = typeof anyPurchase extends fc.Arbitrary<infer Of> ? Of : never
type AnyProduct = AnyPurchase['products'][number]
interface Product extends AnyProduct {
  /** Pieces in another row of the same product. */
  again: number | null
}
interface Purchase extends AnyPurchase {
  products: Product[]
}
const inOneRow = ({ products, ...purchase }: AnyPurchase): Purchase => ({
  ...purchase,
  products: products.map((product) => ({ ...product, again: null })),
})
/** The winner has few pieces, mostly enough for the first row alone, and where `nobodyElse` has more, the dearest alone has those of both. */
const inTwoRows = fc
  .tuple(
    anyPurchase,
    fc.constantFrom(1, 2, 4),
    fc.integer({ min: 3, max: 18 }),
    offersOfFew,
    fc.boolean(),
    fc.integer({ min: -5, max: 30 }),
  )
  .map(([{ products, ...purchase }, quantity, again, [few, next, dear], nobodyElse, below]): Purchase => ({
    ...purchase,
    products: products.map((product, n) => {
      if (n > 0) return { ...product, again: null }
      // Agreed near the public price of the winner, on an offer of twice that price.
      const rule = { kind: 'off' as const, percent: 40 + below }
      return { ...product, quantity, again, offers: [few, { ...next, stock: nobodyElse ? 4 : 200 }, { ...dear, percent: 160, rule }] }
    }),
  }))

/** An offer as the table of prices has it. */
function pricedOf({ market, isSubscribed }: Purchase, { price: of, quantity, offers }: Product, at: At): PricedCase {
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
    isSubscribed,
    isConfirmed: true,
    companyFrom: market,
    quantity,
    held: 0,
    quote: null,
  }
}
function quoteOf(of: Purchase): { at: At; quantity: number; price: number; delivery: number } | null {
  const [product] = of.products
  if (!of.quote || !product) return null
  const { at, percent, more, delivery } = of.quote
  const quantity = product.quantity + (product.again ?? 0) + more
  // Adding goods to a cart that matches a quote may invalidate the quote; the cart then asks the buyer to confirm the new price.
  if (heldOf(product, at) === quantity) return null
  return { at, quantity, price: Math.max(1, Math.floor((piecePrice(pricedOf(of, product, at), quantity) * percent) / 100)), delivery }
}
const canTake = ({ bulk, maxQuantity, stock }: OneOffer, pieces: number) =>
  pieces % (bulk ?? 1) === 0 && pieces <= (maxQuantity ?? 999) && pieces <= stock
/** Pieces that the cart holds of an offer before anything is ordered. */
function heldOf({ offers, held }: Product, at: At): number {
  const pieces = held?.at === at ? held.packs * (offers[at].bulk ?? 1) : 0
  return canTake(offers[at], pieces) ? pieces : 0
}

interface Line {
  n: number
  at: At
  pieces: number
  goods: number
}

/** Goods and delivery of a cart, written down independently of the shop. */
function costOf(of: Purchase, held: readonly Omit<Line, 'goods'>[]): { lines: Line[]; total: number } {
  const quote = quoteOf(of)
  const parts = places.map((at) => {
    const own = held.filter((line) => line.at === at)
    const fee = Math.max(0, ...own.map(({ n }) => (of.products[n] as Product).offers[at].fee))
    const charged = (lines: Line[], quotedFee: number | null) => {
      const goods = lines.reduce((sum, line) => sum + line.goods, 0)
      const isFree = of.isSubscribed || goods >= freeFrom[at]
      return { lines, total: goods + (of.isSubscribed ? 0 : (quotedFee ?? (isFree ? 0 : fee))) }
    }
    const asShop = own.map((line) => ({
      ...line,
      goods: piecePrice(pricedOf(of, of.products[line.n] as Product, at), line.pieces) * line.pieces,
    }))
    const shop = charged(asShop, null)
    const isQuoted = ({ n, pieces }: Line) => quote?.at === at && n === 0 && pieces === quote.quantity
    if (!quote || !asShop.some(isQuoted)) return shop
    const quoted = charged(
      asShop.map((line) => (isQuoted(line) ? { ...line, goods: quote.price * line.pieces } : line)),
      asShop.length === 1 ? quote.delivery : null,
    )
    return quoted.total <= shop.total ? quoted : shop
  })
  return { lines: parts.flatMap(({ lines }) => lines), total: parts.reduce((sum, { total }) => sum + total, 0) }
}

/** An offer for each product. */
type Choice = {
  at: At
  /** Pieces of the rows by which offers are compared. */
  compared: number
  /** The rows that the cart takes of this offer, and their pieces. */
  taken: readonly boolean[]
  added: number
}[]

/** The cart after a choice was added. */
function cartWith(of: Purchase, choice: Choice, piecesAs: 'compared' | 'added' = 'added') {
  const lines = of.products.flatMap((product, n) =>
    places.flatMap((at) => {
      const chosen = choice[n] as Choice[number]
      const pieces = heldOf(product, at) + (chosen.at === at ? chosen[piecesAs] : 0)
      return pieces > 0 ? [{ n, at, pieces }] : []
    }),
  )
  return costOf(of, lines)
}

/** The public price of one piece, and the one of the company's price list. */
function singlePrices(of: Purchase, product: Product, at: At): { everybody: number; agreed: number } {
  const priced = pricedOf(of, product, at)
  const everybody = piecePrice({ ...priced, rules: [] }, 1)
  return { everybody, agreed: priced.rules[0]?.by.price ?? (priced.rules.length > 0 ? piecePrice(priced, 1) : Infinity) }
}

/** The unit price at this quantity: the company's, without quotes, and the public one, for at most the quantity in stock. */
function pricesOf(of: Purchase, product: Product, { at, pieces }: { at: At; pieces: number }): { own: number; everybody: number } {
  const { bulk, maxQuantity, stock } = product.offers[at]
  const most = Math.min(stock, maxQuantity ?? 999)
  const priced = pricedOf(of, product, at)
  const available = Math.max(1, Math.min(pieces, most - (most % (bulk ?? 1))))
  return { own: piecePrice(priced, pieces), everybody: piecePrice({ ...priced, rules: [] }, available) }
}
/** The rows that an offer can take one after the other, next to what the cart holds of it. */
function takenRows(product: Product, at: At, rows: readonly number[]): boolean[] {
  let sum = heldOf(product, at)
  return rows.map((pieces) => {
    const isTaken = canTake(product.offers[at], sum + pieces)
    if (isTaken) sum += pieces
    return isTaken
  })
}
const sumOf = (rows: readonly number[], taken: readonly boolean[]) => rows.reduce((sum, pieces, row) => sum + (taken[row] ? pieces : 0), 0)

/**
 * The choices that may be made. Offers are compared by the rows that the public winner takes, or one with an agreement that counts, the
 * first rows first. A company never pays more for them than for the first offer of the public order that can take all of them, and buys
 * from no other seller than that one or one with whom it has an agreement; new goods stay new. A list counts if it takes all rows that
 * the public winner takes; if it takes others as well, only up to the public price of the winner, or if the winner takes none, of the
 * next offer that takes them. Without an agreement the company is given what everybody is given: the public winner, or a refusal.
 * `rowsOf` are the pieces that would be bought from an offer, by row.
 */
function choicesOf(of: Purchase, orders: readonly At[][], rowsOf: (offer: OneOffer, product: Product) => readonly number[]): Choice[] {
  const quote = quoteOf(of)
  return of.products.reduce<Choice[]>(
    (all, product, n) => {
      const order = orders[n] ?? []
      const every = order
        .filter((at) => product.offers[at].isUsed === product.offers[order[0] as At].isUsed)
        .map((at) => {
          const rows = rowsOf(product.offers[at], product)
          const taken = takenRows(product, at, rows)
          return { at, rows, taken, added: sumOf(rows, taken) }
        })
      const [winner] = every
      if (!winner) return all
      type One = typeof winner
      const ofWinner = winner.taken
      const takesAll = ({ at, rows }: One, taken: readonly boolean[]) =>
        takenRows(
          product,
          at,
          rows.filter((_, row) => taken[row]),
        ).every(Boolean)
      const pricesFor = ({ at, rows }: One, taken: readonly boolean[]) =>
        pricesOf(of, product, { at, pieces: heldOf(product, at) + sumOf(rows, taken) })
      const agreed = every.filter((one) => {
        const { at, taken, added } = one
        if (added === 0) return false
        if (n === 0 && quote?.at === at && quote.quantity === heldOf(product, at) + added) return true
        if (product.offers[at].rule === null || ofWinner.some((isTaken, row) => isTaken && !taken[row])) return false
        if (taken.every((isTaken, row) => isTaken === ofWinner[row])) {
          // A list above all public prices is none.
          const own = singlePrices(of, product, at)
          return one === winner || own.agreed < Math.max(own.everybody, singlePrices(of, product, winner.at).everybody)
        }
        const next = winner.added > 0 ? undefined : every.find((other) => other !== one && takesAll(other, taken))
        return pricesFor(one, taken).own <= pricesFor(next ?? winner, taken).everybody
      })
      const inOrder = (taken: readonly boolean[]) => taken.map(Number).join('')
      const compared = agreed.reduce((best, { taken }) => (inOrder(taken) > inOrder(best) ? taken : best), ofWinner)
      const first = every.find((one) => takesAll(one, compared))
      const options =
        agreed.length > 0
          ? every.filter((one) => one === first || (agreed.includes(one) && inOrder(one.taken) === inOrder(compared)))
          : [winner]
      return all.flatMap((some) =>
        options.map(({ at, rows, taken, added }) => [...some, { at, compared: sumOf(rows, compared), taken, added }]),
      )
    },
    [[]],
  )
}
/** Those that cost least; all of the same cost are right. */
function rightChoices(of: Purchase, choices: readonly Choice[]): Choice[] {
  const costs = choices.map((choice) => cartWith(of, choice, 'compared').total)
  return choices.filter((_, at) => costs[at] === Math.min(...costs))
}

const purchases = [
  ...fc.sample(anyPurchase, { seed, numRuns: generated }).map(inOneRow),
  ...fc.sample(inTwoRows, { seed, numRuns: Math.ceil(generated / 4) }),
].map((of, index) => ({ of, first: 7000 + index * 3 }))
const database = await testDatabase()
const { db, pool } = database
await testReference(db)
for (const at of places)
  await pool.query('update sellers.seller set free_delivery_from = $2 where id = $1', [
    sellers[at],
    freeFrom[at] === Infinity ? {} : { gb: freeFrom[at], fr: freeFrom[at] },
  ])
const offerIdOf = (id: number, at: At) => String(id * 10 + at)
for (const { of, first } of purchases)
  for (const [n, product] of of.products.entries()) {
    const id = first + n
    await testProduct(db, { id, title: `Qv${id} tool` })
    for (const at of places) {
      const { seller, price, proPrice, market, breaks } = pricedOf(of, product, at)
      const { bulk, maxQuantity, stock, fee, isUsed } = product.offers[at]
      const delivery = [{ kind: 'standard' as const, fee, daysMin: 2, daysMax: 4 }]
      const packed = bulk === null ? {} : { bulk }
      await testOffer(db, {
        id: Number(offerIdOf(id, at)),
        productId: id,
        sellerId: seller,
        market,
        price,
        proPrice,
        stock,
        delivery,
        condition: isUsed ? 'used_good' : 'new',
        ...packed,
      })
      await pool.query('update catalogue.offer set max_quantity = $2, quantity_breaks = $3 where id = $1', [
        offerIdOf(id, at),
        maxQuantity,
        JSON.stringify(breaks),
      ])
    }
  }
const shop = await serveShop(database)
after(() => shop.close())

async function visitorOf(of: Purchase, first: number): Promise<{ buyer: Buyer; cookie: string }> {
  const { market } = of
  const { country } = markets[market]
  const company = await addCompany(db, { country, vatNumber: `${country}123456789` })
  const customer = await addCustomer(db, { market })
  await addMembership(db, customer.id, company.id, 'admin')
  const principal = testMember({ ...customer, role: 'admin', company })
  const buyer = newBuyer(database, { market, mode: 'b2b', principal, session: null })
  for (const at of places) {
    const own = of.products.flatMap((product, n) =>
      pricedOf(of, product, at).rules.map(({ by }) => ({ productId: String(first + n), categoryId: null, ...by })),
    )
    const list = { market, name: `${first}`, validFrom: null, validTo: null, companies: [{ companyId: company.id }], groups: [] }
    if (own.length > 0) must(await database.command({}, (scope) => givePriceList(scope, sellers[at], { ...list, rules: own })))
  }
  const quote = quoteOf(of)
  if (quote)
    await writeQuotedPrices(db, {
      quoteId: newId(),
      sellerId: sellers[quote.at],
      customerId: customer.id,
      companyId: company.id,
      market,
      delivery: quote.delivery,
      validUntil: new Date(Date.now() + 86_400_000),
      lines: [{ offerId: offerIdOf(first, quote.at), quantity: quote.quantity, price: quote.price }],
    })
  if (of.isSubscribed)
    await pool.query(
      `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, created_at, paid_until)
       values ($1, $2, $3, $4, 'http://pro.localhost:3000', 'active', 'monthly', false, now(), now() + interval '20 days')`,
      [newId(), company.id, customer.id, market],
    )
  const { token } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
  return { buyer, cookie: `__Host-purlin=${token}` }
}

interface ToldLine {
  offerId: string
  quantity: number
  state?: string
  totalWithVat: { amount: number }
}
interface Told {
  product: { offers: { id: string }[] }
  quickOrder: { rows: { offerId: string | null; total: { amount: number } | null; problem: { reason: string } | null }[] }
  createWishlist: { id: string }
  wishlist: { items: { productId: string; quantity: number; card: { offerId: string; prices: { main: { asFloat: number } } } }[] }
  cart: { sellers: { lines: ToldLine[] }[]; totals: { totalWithVat: { amount: number } } }
  customerOrder: { sellerOrders: { lines: ToldLine[] }[]; totals: { totalWithVat: { amount: number } } }
}

const met = {
  chosen: new Set<At>(),
  refused: 0,
  swapped: 0,
  standIn: 0,
  overtaken: 0,
  together: 0,
  partly: 0,
  completed: 0,
  subscribed: 0,
  held: 0,
  quoted: 0,
  notQuoted: 0,
}
for (const { of, first } of purchases)
  test(`three sellers, ${JSON.stringify(of)}: quick order, list, cart and order`, async () => {
    const { market, products } = of
    const { buyer, cookie } = await visitorOf(of, first)
    const askAs = async (who: string, query: string, variables: object): Promise<Told> => {
      const { body } = await shop.send({ host: `pro.${market}.localhost:3000`, cookie: who, path: '/graphql', json: { query, variables } })
      const { data, errors } = JSON.parse(body) as { data: Told; errors?: unknown }
      assert.equal(errors, undefined, body)
      return data
    }
    const ask = (query: string, variables: object = {}) => askAs(cookie, query, variables)
    const quickOrder =
      'query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) { rows { offerId total { amount } problem { reason } } } }'
    const codeOf = (n: number) => `TV-${first + n}`
    const atOf = (n: number, offerId: string | null | undefined): At =>
      places.find((at) => offerId === offerIdOf(first + n, at)) ?? assert.fail(`${offerId}`)
    /** As everybody without a company meets them. */
    const { rows: publicRows } = (await askAs('', quickOrder, { rows: products.map((_, n) => ({ code: codeOf(n), quantity: '1' })) }))
      .quickOrder
    const winners = publicRows.map(({ offerId }, n) => atOf(n, offerId))
    const orders: At[][] = []
    for (const n of products.keys()) {
      const { product } = await askAs('', 'query ($id: ID!) { product(id: $id) { offers { id } } }', { id: String(first + n) })
      orders.push(product.offers.map(({ id }) => atOf(n, id)))
    }
    assert.deepEqual(
      winners,
      orders.map(([winner]) => winner),
    )
    const fillCart = async () => {
      await pool.query('delete from cart.line')
      for (const [n, product] of products.entries())
        for (const at of places) {
          const quantity = heldOf(product, at)
          const add =
            'mutation ($offerId: ID!, $quantity: Int!) { addToCart(offerId: $offerId, quantity: $quantity) { refusal { message } } }'
          if (quantity > 0) await ask(add, { offerId: offerIdOf(first + n, at), quantity })
        }
    }
    const told = (lines: readonly ToldLine[], total: number) => ({
      lines: lines.map(({ offerId, quantity, totalWithVat }) => [offerId, quantity, totalWithVat.amount]).toSorted(),
      total,
    })
    const inCart = async () => {
      const { cart } = await ask(
        '{ cart { sellers { lines { offerId quantity state totalWithVat { amount } } } totals { totalWithVat { amount } } } }',
      )
      const lines = cart.sellers.flatMap((group) => group.lines)
      assert.ok(
        lines.every(({ state }) => state === 'OK'),
        JSON.stringify(lines),
      )
      return told(lines, cart.totals.totalWithVat.amount)
    }
    const expected = (choice: Choice) => {
      const { lines, total } = cartWith(of, choice)
      return { lines: lines.map(({ n, at, pieces, goods }) => [offerIdOf(first + n, at), pieces, goods]).toSorted(), total }
    }
    const isOneOf = (choices: readonly unknown[], found: unknown, where: string) =>
      assert.ok(
        choices.some((choice) => JSON.stringify(choice) === JSON.stringify(found)),
        `${where}: ${JSON.stringify(found)}, not ${JSON.stringify(choices)}`,
      )

    const packed = (offer: OneOffer, { wished }: Product) => [Math.ceil((wished ?? 1) / (offer.bulk ?? 1)) * (offer.bulk ?? 1)]
    const ofList = rightChoices(of, choicesOf(of, orders, packed))
    await fillCart()
    const { id: listId } = (await ask('mutation { createWishlist(name: "Walls") { id } }')).createWishlist
    for (const [n, { wished }] of products.entries())
      await ask(
        'mutation ($id: ID!, $productId: ID!, $quantity: Int) { addToWishlist(productId: $productId, listId: $id, quantity: $quantity) { id } }',
        { id: listId, productId: String(first + n), quantity: wished },
      )
    const { wishlist } = await ask(
      'query ($id: ID!) { wishlist(id: $id) { items { productId quantity card { offerId prices { main { asFloat } } } } } }',
      { id: listId },
    )
    const shown = new Map(
      wishlist.items.map(({ productId, quantity, card }) => [
        productId,
        [card.offerId, quantity, Math.round(card.prices.main.asFloat * 100)],
      ]),
    )
    /** The expected cart line, with the company's unit price. */
    const shownOf = (choice: Choice) =>
      choice.map(({ at }, n) => {
        const product = products[n] as Product
        const priced = pricedOf(of, product, at)
        const gross = piecePrice(priced, 1)
        return [offerIdOf(first + n, at), ...packed(product.offers[at], product), showsNet(priced) ? netOf(priced, gross) : gross]
      })
    isOneOf(
      ofList.map(shownOf),
      products.map((_, n) => shown.get(String(first + n))),
      'list',
    )
    await ask('mutation ($id: ID!) { addWishlistToCart(id: $id) { added } }', { id: listId })
    isOneOf(ofList.map(expected), await inCart(), 'list in the cart')

    await fillCart()
    const rowsOfProduct = ({ quantity, again }: Product) => (again === null ? [quantity] : [quantity, again])
    const all = choicesOf(of, orders, (_, product) => rowsOfProduct(product))
    const right = rightChoices(of, all)
    const ordered = [0, 1].flatMap((row) =>
      products.flatMap((product, n) =>
        rowsOfProduct(product)
          .slice(row, row + 1)
          .map((quantity) => ({ n, row, quantity })),
      ),
    )
    const good = ordered.map(({ n, quantity }) => ({ code: codeOf(n), quantity: String(quantity) }))
    const bad = products.flatMap(({ badRow }, n) => (badRow === null ? [] : [{ code: codeOf(n), quantity: badRow }]))
    const { rows } = (await ask(quickOrder, { rows: [...good, ...bad] })).quickOrder
    /** The total of each row, at the price of its line in the cart, in the tax mode of all rows. */
    const rowsOf = (choice: Choice) => {
      const { lines } = cartWith(of, choice)
      const priced = choice.map(({ at }, n) => pricedOf(of, products[n] as Product, at))
      const isNet = priced.every((each, n) => choice[n]?.added === 0 || showsNet(each))
      return ordered.map(({ n, row, quantity }) => {
        const { at, taken } = choice[n] as Choice[number]
        const line = lines.find((each) => each.n === n && each.at === at)
        const gross = line && taken[row] ? (line.goods / line.pieces) * quantity : null
        return [offerIdOf(first + n, at), gross !== null && isNet ? netOf(priced[n] as PricedCase, gross) : gross]
      })
    }
    const found = rows.slice(0, ordered.length)
    isOneOf(
      right.map(rowsOf),
      found.map(({ offerId, total }) => [offerId, total?.amount ?? null]),
      'quick order',
    )
    for (const { problem, total } of found) assert.equal(problem === null, total !== null)
    for (const { problem } of rows.slice(ordered.length)) assert.ok(problem)
    await ask('mutation ($rows: [OrderRowInput!]!) { addQuickOrder(rows: $rows) { added } }', { rows: [...good, ...bad] })
    const choice = right.find((each) => each.every(({ at }, n) => at === atOf(n, found[n]?.offerId))) ?? assert.fail()
    const bought = await inCart()
    assert.deepEqual(bought, expected(choice), 'cart')

    met.refused += choice.filter(({ added }) => added === 0).length
    for (const { at } of choice) met.chosen.add(at)
    if (choice.some(({ at, added }, n) => added > 0 && at !== winners[n])) met.swapped++
    const isRight = (other: Purchase) => rightChoices(other, all).some((each) => JSON.stringify(each) === JSON.stringify(choice))
    for (const [n, { at, added, taken }] of choice.entries()) {
      if (at === winners[n] && taken.includes(true) && taken.includes(false) && products[n]?.offers.some(({ rule }) => rule)) met.partly++
      const ofWinner = takenRows(products[n] as Product, winners[n] as At, rowsOfProduct(products[n] as Product))
      if (at !== winners[n] && ofWinner.includes(true) && ofWinner.includes(false)) met.completed++
      if (added === 0 || at === winners[n] || (n === 0 && quoteOf(of)?.at === at)) continue
      const product = products[n] as Product
      const priced = pricedOf(of, product, at)
      const pieces = heldOf(product, at) + added
      if (priced.rules.length === 0) met.standIn++
      else if (piecePrice(priced, pieces) === piecePrice({ ...priced, rules: [] }, pieces)) met.overtaken++
    }
    if (of.isSubscribed && !isRight({ ...of, isSubscribed: false })) met.subscribed++
    if (!isRight({ ...of, products: products.map((product) => ({ ...product, held: null })) })) met.held++
    const singly = products.map((product, n) => {
      const alone = { ...of, products: [product], quote: n === 0 ? of.quote : null }
      return rightChoices(
        alone,
        choicesOf(alone, orders.slice(n), (_, each) => rowsOfProduct(each)),
      ).some(([each]) => each?.at === choice[n]?.at)
    })
    if (singly.includes(false)) met.together++
    const quote = quoteOf(of)
    const line = cartWith(of, choice).lines.find(({ n, at, pieces }) => n === 0 && at === quote?.at && pieces === quote.quantity)
    if (quote && line) met[line.goods === quote.price * quote.quantity ? 'quoted' : 'notQuoted']++
    if (bought.lines.length === 0) return
    const orderId = await draftOrder(buyer, [])
    must(await place(buyer, orderId))
    const { customerOrder } = await ask(
      `query ($id: ID!) { customerOrder(id: $id) {
        sellerOrders { lines { offerId quantity totalWithVat { amount } } } totals { totalWithVat { amount } } } }`,
      { id: orderId },
    )
    const placed = customerOrder.sellerOrders.flatMap(({ lines }) => lines)
    assert.deepEqual(told(placed, customerOrder.totals.totalWithVat.amount), bought, 'order')
  })

test('the cases chose all sellers, refused quantities, and were decided by agreed prices, the whole, quotes, subscriptions and the cart', () => {
  const counts = JSON.stringify({ ...met, chosen: [...met.chosen] })
  assert.equal(met.chosen.size, 3)
  assert.ok(met.swapped >= generated / 10, counts)
  for (const key of [
    'refused',
    'standIn',
    'overtaken',
    'together',
    'partly',
    'completed',
    'subscribed',
    'held',
    'quoted',
    'notQuoted',
  ] as const)
    assert.ok(met[key] > 0, `${key}: ${counts}`)
})
