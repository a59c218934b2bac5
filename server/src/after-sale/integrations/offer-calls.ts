import * as v from 'valibot'
import { sellerIdOf } from '#accounts'
import { changeOfferState, readOfferStanding } from '#catalogue'
import { endpoint, found } from './endpoint.ts'
import { market, offerId } from './schemas.ts'
import { takeOfferChange } from './take-offer-change.ts'

const tag = 'Offers'
const params = v.strictObject({ market, offerId })
const state = v.pipe(
  v.picklist(['draft', 'pending_match', 'active', 'out_of_stock', 'paused', 'suspended', 'ended']),
  v.description(
    'Only active offers are shown and sold. An active offer without stock is out of stock; a suspended one was stopped by the marketplace.',
  ),
)

export const offerCalls = [
  endpoint({
    id: 'readOfferState',
    method: 'get',
    path: '/offers/{market}/{offerId}/state',
    summary: 'State of an offer',
    tag,
    scope: 'offers:read',
    action: 'sellerOffer.move',
    params,
    result: v.object({ state }),
    handle: async (scope, { params: offer }) => found(await readOfferStanding(scope.db, { ...offer, sellerId: sellerIdOf(scope) ?? 0 })),
  }),
  endpoint({
    id: 'moveOffer',
    method: 'put',
    path: '/offers/{market}/{offerId}/state',
    summary: 'Submits, pauses, resumes or ends an offer',
    description:
      'A draft is submitted with `pending_match` and goes on sale once it is matched to its product. Resuming and submitting require an active account; ended offers stay ended.',
    tag,
    scope: 'offers:write',
    action: 'sellerOffer.move',
    params,
    body: v.strictObject({ state: v.picklist(['draft', 'pending_match', 'active', 'paused', 'ended']) }),
    result: v.object({ state, changed: v.boolean() }),
    handle: async (scope, { params: offer, body }) => {
      const sellerId = sellerIdOf(scope) ?? 0
      const taken = await takeOfferChange({ ...offer, sellerId })
      const outcome = await changeOfferState(scope, { ...offer, sellerId, to: body.state })
      if (!outcome.ok || !outcome.changed) await taken.giveBack()
      return outcome.ok ? { ok: true, body: { state: outcome.state, changed: outcome.changed } } : outcome
    },
  }),
]
