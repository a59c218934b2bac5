import { namesOf } from '@purlin/web/form-action.ts'
import { optionalText, text, wholeNumber } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

const offerId = text(40)
const quantity = wholeNumber({ most: 999_999 })

/** The forms of the cart, distinguished by `do`. */
export const cartForm = v.variant('do', [
  v.object({ do: v.literal('add'), offerId, quantity: v.optional(quantity, '1') }),
  // A shopping list: the ticked items, and the quantity of each.
  v.object({
    do: v.literal('add-all'),
    take: v.pipe(v.array(offerId), v.maxLength(30)),
    quantities: v.record(offerId, quantity),
    // The page of the list, which says what is wrong.
    from: v.optional(text(300)),
  }),
  v.object({ do: v.literal('set'), offerId, quantity, to: v.optional(quantity) }),
  v.object({ do: v.literal('remove'), offerId }),
  v.object({ do: v.literal('replace'), offerId, byOfferId: offerId }),
  v.object({ do: v.literal('coupon'), code: text(64) }),
  v.object({ do: v.literal('remove-coupon') }),
  v.object({ do: v.literal('delivery'), sellerId: wholeNumber({ most: 2_147_483_647 }), kind: text(40) }),
  v.object({ do: v.literal('confirm') }),
  v.object({
    do: v.literal('express'),
    idempotencyKey: text(100),
    // Sent by members of a company.
    purchaseOrder: v.optional(optionalText(40)),
    costCentre: v.optional(optionalText(40)),
    siteId: v.optional(optionalText(40)),
  }),
])
export type CartInput = v.InferOutput<typeof cartForm>

/** Field names of these forms. */
export const cartField = namesOf(cartForm)
