import type { JobScope } from '#platform'
import { requestRefund } from '#refunds'
import { piecesLeft } from './are-still-free.ts'
import { deductionAllowed, type ReturnRequest } from './return-request.ts'

/**
 * The whole of the goods with what the right includes of the delivery charge, less a deduction; or the part of the price that the buyer named.
 * Undefined if nothing is left to be paid. Locks the part: incidents of it end before its return is settled, or after.
 */
export async function refundReturn(
  scope: Pick<JobScope, 'db' | 'emit'>,
  request: ReturnRequest,
  amount: number | null,
): Promise<string | undefined> {
  const { id, customerOrderId, sellerOrderId, basis } = request
  const units = await piecesLeft(scope, request, { areOwn: false })
  const cause = basis === 'withdrawal' ? 'withdrawal' : 'return'
  const part = deductionAllowed(request) === 'as-wished' ? (amount ?? request.wishedAmount) : null
  const common = { customerOrderId, sellerOrderId, cause, key: `return:${id}` } as const
  const offerId = request.lines.map((line) => line.offerId)
  if (part !== null) return requestRefund(scope, { ...common, extra: { offerId, amount: part } })
  if (units.length === 0) return undefined
  const delivery = basis === 'withdrawal' ? 'standard' : basis === 'policy' ? 'none' : 'full'
  return requestRefund(scope, { ...common, units, delivery, ...(amount !== null && { goodsAtMost: amount }) })
}
