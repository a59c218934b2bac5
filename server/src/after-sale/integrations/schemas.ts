import { marketCodes } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

/** Schemas that several calls share. */

export const market = v.picklist(marketCodes)
export const time = v.pipe(v.string(), v.isoTimestamp())
export const id = v.pipe(v.string(), v.uuid())
export const quantity = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))
export const amount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000), v.description('Minor units, with VAT'))
export const money = v.object({ amount: v.pipe(v.number(), v.integer()), currency: v.picklist(['EUR', 'GBP']) })
export const orderId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,40}-\d{1,9}$/), v.description("Id of the seller's part of an order"))
export const offerId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/))
export const cursor = v.optional(v.pipe(v.string(), v.maxLength(100), v.description('`next` of the page before')))
export const next = v.pipe(v.nullable(v.string()), v.description('Cursor of the next page; null on the last'))
export const lines = v.optional(
  v.pipe(
    v.array(v.strictObject({ offerId, quantity })),
    v.minLength(1),
    v.maxLength(200),
    v.description('Without it, all pieces that can be handled this way'),
  ),
)
export const note = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most))
