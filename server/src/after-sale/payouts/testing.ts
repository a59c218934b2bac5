import { randomUUID } from 'node:crypto'
import { markets, type Currency, type Market } from '@purlin/contract/markets.ts'
import { book, captureEntries } from '#ledger'
import type { TestDatabase } from '#platform/testing'
import { sealBank, type Bank } from './bank-account.ts'
import { lockAccount, writeAccount } from './payout-store.ts'
import { writeSale } from './sale-store.ts'

/** For tests: sales as checkout, payments and fulfilment leave them. */

const statement = (text: string) => ({ name: `test.payouts.${text.slice(0, 50)}`, text })
const address = JSON.stringify({
  firstName: 'Ann',
  lastName: 'Lee',
  line1: '1 Mill Lane',
  postcode: 'LS1 1AA',
  city: 'Leeds',
  country: 'GB',
})
let count = 0

interface Sold {
  sellerId?: number
  market?: Market
  /** Minor units, with VAT. */
  price?: number
  state?: 'pending' | 'delivered'
  now?: Date
}

export interface SoldOrder {
  customerOrderId: string
  sellerOrderId: string
  paymentId: string
}

/**
 * A captured order of one piece from one seller, with the commission of 12 % and VAT on it; its booking is the one of a
 * capture. Price in minor units, with VAT.
 */
export async function sold(
  { db }: Pick<TestDatabase, 'db'>,
  { sellerId = 1, market = 'gb', price = 10_000, state = 'pending', now = new Date() }: Sold = {},
): Promise<SoldOrder> {
  count += 1
  const customerOrderId = `PAYTEST${String(count).padStart(9, '0')}`
  const sellerOrderId = `${customerOrderId}-1`
  const paymentId = randomUUID()
  const { currency } = markets[market]
  const commission = Math.floor(price * 0.12)
  const commissionVat = Math.floor(commission / 5)
  await db.run(
    statement(`insert into orders.customer_order (id, owner, cart_id, market, mode, currency, tax_key, email, state, address, billing_address,
      total, placed_at, paid_at) values ($1, 's:test', $2, $3, 'b2c', $4, 'with_vat', 'ann@example.com', 'paid', $5, $5, $6, $7, $7)`),
    [customerOrderId, randomUUID(), market, currency, address, price, now],
  )
  await db.run(
    statement(`insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, goods, delivery,
      discount, total, seller_discount, commission, commission_vat)
      values ($1, $2, $3, $4, '{}', 'standard', '[]', $5, 0, 0, $5, 0, $6, $7)`),
    [sellerOrderId, customerOrderId, sellerId, state, price, commission, commissionVat],
  )
  await db.run(
    statement(`insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total,
      discount, net, vat, vat_rate_bp, tax_key, snapshot) values ($1, 1, $2, 1, 0, 1, $3, $3, 0, $3, 0, 0, 'with_vat', '{"title": "Drill"}')`),
    [customerOrderId, sellerOrderId, price],
  )
  await db.run(
    statement(`insert into payments.payment (id, customer_order_id, placement, provider, amount, currency, market, mode, origin, state, captured, provider_reference)
      values ($1, $2, 1, 'embedded', $3, $4, $5, 'b2c', 'https://shop.example', 'captured', $3, $6)`),
    [paymentId, customerOrderId, price, currency, market, `pi_${count}`],
  )
  const part = { sellerId, goods: price, delivery: 0, discount: 0, sellerDiscount: 0, commission, commissionVat }
  await book(db, {
    key: `capture:${paymentId}`,
    kind: 'capture',
    customerOrderId,
    currency,
    entries: captureEntries('embedded', price, [part]),
  })
  return { customerOrderId, sellerOrderId, paymentId }
}

/** A sale that has been delivered long ago and is payable. */
export async function payable(database: Pick<TestDatabase, 'db'>, about: Sold = {}): Promise<SoldOrder> {
  const order = await sold(database, { ...about, state: 'delivered' })
  const { sellerId = 1, market = 'gb', price = 10_000 } = about
  const commission = Math.floor(price * 0.12)
  await writeSale(database.db, {
    ...order,
    sellerId,
    market,
    currency: markets[market].currency,
    sold: price,
    commission,
    commissionVat: Math.floor(commission / 5),
    withheldVat: 0,
    payableAt: new Date(),
  })
  return order
}

/** Bank details of a seller, usable from an instant on. */
export async function setBank(
  { db }: Pick<TestDatabase, 'db'>,
  sellerId: number,
  currency: Currency,
  bank: Bank,
  usableFrom = new Date(0),
): Promise<void> {
  await lockAccount(db, sellerId, currency)
  const end = ('iban' in bank ? bank.iban : bank.accountNumber).slice(-4)
  const sealed = sealBank(`${sellerId}:${currency}`, bank)
  await writeAccount(db, { sellerId, currency, bank: sealed, end, holder: bank.holder, changedBy: '', now: new Date(), usableFrom })
}

/** Many sales that are payable, in a few statements: 100.00 each, with the commission of `sold`. */
export async function soldMany(
  { db }: Pick<TestDatabase, 'db'>,
  { sellerId, market, orders, offset = 0 }: { sellerId: number; market: Market; orders: number; offset?: number },
): Promise<void> {
  const { currency } = markets[market]
  const id = `'P' || lpad(${sellerId}::text, 5, '0') || lpad(n::text, 10, '0')`
  const from = `from generate_series(${offset + 1}::int, ${offset + orders}::int) n`
  const run = (text: string) => db.run({ name: `test.many.${sellerId}.${offset}.${text.slice(0, 40)}`, text }, [])
  await run(`insert into payouts.sale (seller_order_id, customer_order_id, seller_id, market, currency, sold, commission, commission_vat, payable_at)
    select ${id} || '-1', ${id}, ${sellerId}, '${market}', '${currency}', 10000, 1200, 240, now() ${from}`)
  await run(`with b as (insert into ledger.booking (id, key, kind, customer_order_id, currency)
      select gen_random_uuid(), 'capture:many:' || ${id}, 'capture', ${id}, '${currency}' ${from} returning id)
    insert into ledger.entry (booking_id, position, account, amount) select b.id, e.* from b
      cross join (values (1, 'provider:embedded', 10000), (2, 'seller:${sellerId}', -8560), (3, 'commission', -1200), (4, 'vat-on-commission', -240))
        as e (position, account, amount)`)
}
