import type { Market } from '@purlin/contract/markets.ts'
import type { RefusalReason, Refused } from '@purlin/contract/refusals.ts'
import { gramsOf, type DeliveryChoice, type PricedCart } from '#cart'
import type { CustomerOrder } from '#orders'
import { findPoint, reasonAgainstPoint, type OfferedPoint } from '#pickup'
import { requireQuota, type Scope } from '#platform'
import type { ProposedPoint } from '#purchasing'

/** The chosen pick-up points as their carrier has them now, by seller; null for one that is gone, undefined if the carrier is silent. */
export type ChosenPoints = ReadonlyMap<number, OfferedPoint | null | undefined>

type RefusedPoint = Refused & { reason: Extract<RefusalReason, `pick-up-point-${string}`> }

export const noPoints: ChosenPoints = new Map()

/** Requested before the transaction begins, which must not wait for anybody. */
export async function findChosenPoints(scope: Scope, choices: readonly DeliveryChoice[]): Promise<ChosenPoints> {
  const chosen = choices.flatMap(({ sellerId, kind, pointId }) => (kind === 'relay' && pointId ? [{ sellerId, pointId }] : []))
  if (chosen.length === 0) return noPoints
  await requireQuota('pick-up-points', { address: scope.remoteAddress })
  const ids = [...new Set(chosen.map(({ pointId }) => pointId))]
  const found = new Map(await Promise.all(ids.map(async (id) => [id, await findPoint(id)] as const)))
  return new Map(chosen.map(({ sellerId, pointId }) => [sellerId, found.get(pointId)]))
}

/** A point chosen for a seller's part. */
export interface ChosenPoint {
  sellerId: number
  pointId: string
}

/** The points of a request for approval as their carrier has them now. */
export function pointsOfProposal(scope: Scope, points: readonly ProposedPoint[] = []): Promise<ChosenPoints> {
  return findChosenPoints(scope, asChoices(points.map(({ sellerId, point }) => ({ sellerId, pointId: point.id }))))
}

export function asChoices(points: readonly ChosenPoint[]): DeliveryChoice[] {
  return points.map((chosen) => ({ ...chosen, kind: 'relay' }))
}

/** The points an order was placed with, which were confirmed then. */
export function pointsOf({ sellerOrders }: Pick<CustomerOrder, 'sellerOrders'>): ChosenPoints {
  return new Map(
    sellerOrders.flatMap(({ sellerId, pickUpPoint }) =>
      pickUpPoint ? [[sellerId, { ...pickUpPoint, distance: 0, isFull: false }] as const] : [],
    ),
  )
}

/** A part that goes to a pick-up point needs one that takes it: it still exists, in this market, is not full, and takes the weight. (V-22) */
export function reasonAgainstPoints(market: Market, { sellers }: PricedCart, points: ChosenPoints): RefusedPoint | null {
  for (const { seller, kind, lines } of sellers) {
    if (kind !== 'relay') continue
    const point = points.get(seller.id)
    if (!points.has(seller.id)) return { ok: false, reason: 'pick-up-point-missing' }
    if (point === undefined) return { ok: false, reason: 'pick-up-point-unconfirmed' }
    const reason = reasonAgainstPoint(point, { market, grams: gramsOf(lines) })
    if (reason) return { ok: false, reason }
  }
  return null
}
