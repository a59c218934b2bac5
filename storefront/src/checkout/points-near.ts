import { PickUpPointsDocument, type PointsNearFragment } from '../generated/documents.ts'
import { queryText } from '@purlin/web/query-text.ts'
import type { ShopContext } from '../shell/context.ts'

export interface PointsNear extends PointsNearFragment {
  /** The postcode as it was typed. */
  typed: string
  /** Whether the visitor searched for it. */
  isSearched: boolean
}

const maxPostcodeLength = 12

/** Pick-up points near `?near=`, or near this postcode; null if neither is known. */
export async function pointsNear(
  { client, query }: Pick<ShopContext, 'client' | 'query'>,
  postcode: string | null,
): Promise<PointsNear | null> {
  const searched = queryText(query, 'near').trim()
  const typed = (searched || postcode || '').slice(0, maxPostcodeLength)
  if (typed === '') return null
  return { ...(await client.query(PickUpPointsDocument, { near: typed })).pickUpPoints, typed, isSearched: searched !== '' }
}

/** The choices of a form as the gateway takes them; a point belongs to delivery to one alone, a time to an appointment. */
export function choicesOf(
  delivery: Readonly<Record<string, string>>,
  point: Readonly<Record<string, string>>,
  slot: Readonly<Record<string, string>> = {},
) {
  return Object.entries(delivery).map(([sellerId, kind]) => ({
    sellerId: Number(sellerId),
    kind,
    ...(kind === 'relay' && point[sellerId] && { pointId: point[sellerId] }),
    ...(kind === 'appointment' && slot[sellerId] && { slotId: slot[sellerId] }),
  }))
}
