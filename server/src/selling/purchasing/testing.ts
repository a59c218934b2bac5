import type { TestDatabase } from '#platform/testing'
import { standardDelivery } from '../checkout/testing.ts'

/** A second seller, 4, of the country of seller 1, whose delivery is free from the same sum unless told otherwise. */
export async function addSecondSeller({ pool }: Pick<TestDatabase, 'pool'>, freeFrom?: object): Promise<void> {
  await pool.query(
    `insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone, response_hours,
      commission_bp, free_delivery_from)
    select 4, 'seller-4', 'Seller 4', 'Seller 4 Ltd', country, 'GB987654321', 'R4', address, 'seller4@example.com', phone, response_hours,
      commission_bp, coalesce($1::jsonb, free_delivery_from) from sellers.seller where id = 1`,
    [freeFrom ? JSON.stringify(freeFrom) : null],
  )
}

interface SecondOffer {
  /** Minor units. */
  price: number
  stock?: number
  breaks?: readonly object[]
  delivery?: readonly object[]
}

/** Seller 4's offer of a product that seller 1 offers; the offer's id is the product's with a 2 before it. */
export async function addSecondOffer(
  { pool }: Pick<TestDatabase, 'pool'>,
  productId: string,
  { price, stock = 100, breaks = [], delivery = standardDelivery }: SecondOffer,
): Promise<void> {
  await pool.query(
    `insert into catalogue.offer (id, product_id, seller_id, market, pim_offer_id, condition, currency, price, stock, delivery, quantity_breaks)
     values ($1, $2, 4, 'gb', $1, 'new', 'GBP', $3, $4, $5, $6)`,
    [`2${productId}`, productId, price, stock, JSON.stringify(delivery), JSON.stringify(breaks)],
  )
  await pool.query(`insert into catalogue.price_history (offer_id, price, valid_from) values ($1, $2, now() - interval '200 days')`, [
    `2${productId}`,
    price,
  ])
}
