import * as v from 'valibot'
import { sellerIdOf } from '#accounts'
import { readQuantityBreaks, setQuantityBreaks } from '#catalogue'
import { endpoint, found } from './endpoint.ts'
import { amount, market, offerId, quantity, time } from './schemas.ts'
import { takeOfferChange } from './take-offer-change.ts'

const tag = 'Prices'
const params = v.strictObject({ market, offerId })
const breaks = v.pipe(
  v.array(v.strictObject({ group: v.picklist(['b2c', 'b2b']), from: quantity, price: amount })),
  v.maxLength(12),
  v.description('Prices per piece from a quantity on. Professionals pay the better price of both groups.'),
)

export const priceCalls = [
  endpoint({
    id: 'readQuantityBreaks',
    method: 'get',
    path: '/offers/{market}/{offerId}/quantity-breaks',
    summary: 'Quantity breaks of an offer, and those it had before, the last hundred',
    tag,
    scope: 'prices:read',
    action: 'sellerPrice.set',
    params,
    result: v.object({ breaks, history: v.array(v.object({ validFrom: time, breaks })) }),
    handle: async (scope, { params: offer }) => found(await readQuantityBreaks(scope.db, { ...offer, sellerId: sellerIdOf(scope) ?? 0 })),
  }),
  endpoint({
    id: 'setQuantityBreaks',
    method: 'put',
    path: '/offers/{market}/{offerId}/quantity-breaks',
    summary: 'Replaces the quantity breaks of an offer; an empty list removes them',
    description:
      'In each group more pieces must cost less each, beginning below the price of one piece; quantities are multiples of the pack and within the limit of an order.',
    tag,
    scope: 'prices:write',
    action: 'sellerPrice.set',
    params,
    body: v.strictObject({ breaks }),
    result: v.object({ changed: v.boolean() }),
    handle: async (scope, { params: offer, body }) => {
      const sellerId = sellerIdOf(scope) ?? 0
      const taken = await takeOfferChange({ ...offer, sellerId })
      const outcome = await setQuantityBreaks(scope, { ...offer, sellerId, breaks: body.breaks })
      if (!outcome.ok || !outcome.changed) await taken.giveBack()
      return outcome.ok ? { ok: true, body: { changed: outcome.changed } } : outcome
    },
  }),
]
