import { randomUUID } from 'node:crypto'
import { markets, type Market } from '@purlin/contract/markets.ts'
import type { Member, MemberRole, Principal } from '@purlin/contract/principal.ts'
import { emailOf } from '#accounts'
import { addToCart, chooseCartDelivery, connectWaitlist, loadPricedCart } from '#cart'
import { connectPaymentProcess } from '#payments'
import type { Scope } from '#platform'
import type { TestDatabase } from '#platform/testing'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addresses } from '../../people/addresses/testing.ts'
import { continueAsGuest } from './continue-as-guest.ts'
import { followPayment } from './follow-payment.ts'
import { placeOrder, type PlaceOrder } from './place-order.ts'
import { saveAddress } from './save-address.ts'
import { waitForStock } from './wait-for-stock.ts'

/** For tests: a small shop and buyers in it. */

connectPaymentProcess(followPayment)
connectWaitlist(waitForStock)

const statement = (text: string) => ({ name: `test.${text.slice(0, 50)}`, text })

export interface TestOffer {
  id: string
  sellerId?: number
  market?: Market
  price?: number
  proPrice?: number | null
  stock?: number
  bulk?: number | null
  maxQuantity?: number | null
  isSample?: boolean
  categoryId?: number
  delivery?: object[]
}

export const standardDelivery = [
  { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 },
  { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 },
]

/** Two categories (3 is solar goods), three sellers (1 gb, 2 de, 3 fr), VAT rules of the five markets. */
export async function fillShop({ db }: Pick<TestDatabase, 'db'>): Promise<void> {
  await db.run(
    statement(`insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone,
      response_hours, commission_bp, free_delivery_from)
    select id, 'seller-' || id, 'Seller ' || id, 'Seller ' || id || ' Ltd', country, country || number, 'R' || id,
      '{"line1": "Mill Lane 1"}', 'seller' || id || '@example.com', '+44 20 7946 0000', 12, 1200, free::jsonb
    from (values (1, 'GB', '123456789', '{"gb": 5000}'), (2, 'DE', '123456788', '{}'), (3, 'FR', '32123456789', '{}')) as s (id, country, number, free)`),
  )
  await db.run(
    statement(`insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs) values
      (1, null, 0, 0, '{1}', 'tools', '{"en": "Tools"}', '{"en": "tools"}'), (2, 1, 1, 0, '{1,2}', 'tools', '{"en": "Drills"}', '{"en": "drills"}'),
      (3, 1, 1, 1, '{1,3}', 'tools', '{"en": "Solar"}', '{"en": "solar"}')`),
  )
  await db.run(statement(`insert into catalogue.brand (id, slug, name, tier, country) values (1, 'brand', 'Brand', 1, 'DE')`))
  await db.run(
    statement(`insert into pricing.vat_rule (id, market, category_id, rate_bp, valid_from) values (1, 'gb', null, 2000, '2020-01-01'),
      (2, 'fr', null, 2000, '2020-01-01'), (3, 'de', null, 1900, '2020-01-01'), (4, 'es', null, 2100, '2020-01-01'),
      (5, 'it', null, 2200, '2020-01-01'), (6, 'de', 3, 0, '2023-01-01'), (7, 'gb', 3, 500, '2023-01-01')`),
  )
}

/** An offer with its own product and its opening stock movement. */
export async function addOffer({ db }: Pick<TestDatabase, 'db'>, offer: TestOffer): Promise<void> {
  const { id, sellerId = 1, market = 'gb', price = 1200, proPrice = null, stock = 100, bulk = null, maxQuantity = null } = offer
  await db.run(
    statement(`insert into catalogue.product (id, article_id, brand_id, category_id, family, ean, mpn, titles, descriptions, slugs, attributes, weight_g, pictures)
      values ($1::bigint, $1::bigint, 1, $2, 'drill', 'E' || $1::bigint, 'M' || $1::bigint, jsonb_build_object('en', 'Drill ' || $1::bigint, 'de', 'Bohrer ' || $1::bigint),
      '{}', jsonb_build_object('en', 'drill-' || $1::bigint), '{}', 1000, '[{"view": "main"}]')`),
    [id, offer.categoryId ?? 2],
  )
  await db.run(
    statement(`insert into catalogue.offer (id, product_id, seller_id, market, pim_offer_id, condition, currency, price, pro_price, stock, bulk,
      max_quantity, is_sample, delivery) values ($1, $1, $2, $3, $1, 'new', $4, $5, $6, $7, $8, $9, $10, $11)`),
    [
      id,
      sellerId,
      market,
      markets[market].currency,
      price,
      proPrice,
      stock,
      bulk,
      maxQuantity,
      offer.isSample ?? false,
      JSON.stringify(offer.delivery ?? standardDelivery),
    ],
  )
  await db.run(
    statement(`insert into catalogue.price_history (offer_id, price, valid_from) values ($1, $2, now() - interval '200 days')`),
    [id, price],
  )
  await db.run(statement(`insert into catalogue.stock_movement (id, offer_id, delta, reason) values ($1, $2, $3, 'initial')`), [
    randomUUID(),
    id,
    stock,
  ])
}

export async function stockOf({ db }: Pick<TestDatabase, 'db'>, offerId: string): Promise<number> {
  return (await db.row<{ stock: number }>(statement('select stock from catalogue.offer where id = $1'), [offerId]))?.stock ?? -1
}

export async function addCoupon({ db }: Pick<TestDatabase, 'db'>, coupon: Record<string, unknown> & { code: string }): Promise<void> {
  const row = { market: 'gb', kind: 'percent', value: 10, starts_on: '2020-01-01', ends_on: '2099-12-31', ...coupon }
  await db.run(
    {
      name: `test.coupon.${Object.keys(row)
        .map((key) => key.slice(0, 2))
        .join('')}`,
      text: `insert into cart.coupon (${Object.keys(row).join()}) values (${Object.keys(row)
        .map((_, index) => `$${index + 1}`)
        .join()})`,
    },
    Object.values(row),
  )
}

export interface Buyer {
  overrides: Partial<Scope>
  /** Runs a command as this buyer. */
  does<Value>(operation: (scope: Scope) => Promise<Value>): Promise<Value>
  scope(): Scope
  email: string
}

/** A guest with a session of their own. */
export function newBuyer(database: TestDatabase, overrides: Partial<Scope> = {}): Buyer {
  const id = randomUUID()
  const principal: Principal = { kind: 'guest', id, email: `${id}@example.com` }
  const all = { principal, session: { id }, ...overrides }
  return {
    overrides: all,
    does: (operation) => database.command(all, operation),
    scope: () => database.scope(all),
    email: emailOf(all) ?? '',
  }
}

export interface Colleague extends Buyer {
  principal: Member
  cookie: string
}

/** Companies with a VAT number on the professional storefront of gb, and their members with sessions of their own. */
export function companiesIn(database: TestDatabase) {
  const { db } = database
  return {
    async newCompany() {
      const company = await addCompany(db)
      await db.run(statement(`update accounts.company set vat_number = 'GB123456789' where id = $1`), [company.id])
      return company
    },
    async join(company: Member['company'], role: MemberRole): Promise<Colleague> {
      const customer = await addCustomer(db)
      await addMembership(db, customer.id, company.id, role)
      const { id, token } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
      const principal: Member = { kind: 'member', ...customer, role, company }
      const buyer = newBuyer(database, { principal, session: { id }, market: 'gb', mode: 'b2b' })
      return { ...buyer, principal, cookie: `__Host-purlin=${token}` }
    },
  }
}

export { addresses }

/** From an empty cart to a draft with delivery chosen. Returns the order's id. */
export async function draftOrder(buyer: Buyer, lines: { offerId: string; quantity: number }[]): Promise<string> {
  for (const line of lines) must(await buyer.does((scope) => addToCart(scope, line)))
  const { principal } = buyer.scope()
  if (principal.kind === 'guest') must(await buyer.does((scope) => continueAsGuest(scope, principal.email ?? '')))
  const saved = must(await buyer.does((scope) => saveAddress(scope, addresses[scope.market])))
  const { sellers } = await loadPricedCart(buyer.scope())
  must(
    await buyer.does((scope) =>
      chooseCartDelivery(
        scope,
        sellers.map(({ seller, kind }) => ({ sellerId: seller.id, kind })),
      ),
    ),
  )
  return saved.orderId
}

export function place(
  buyer: Buyer,
  customerOrderId: string,
  idempotencyKey: string = randomUUID(),
  choices?: PlaceOrder['choices'],
): ReturnType<typeof placeOrder> {
  return buyer.does((scope) => placeOrder(scope, { customerOrderId, idempotencyKey, ...(choices && { choices }) }))
}

/** Unwraps a result that must be a success. */
export function must<Outcome extends { ok: boolean }>(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome)}`)
  return outcome as Extract<Outcome, { ok: true }>
}
