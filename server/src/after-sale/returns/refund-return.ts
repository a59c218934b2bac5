import type { JobScope } from '#platform'
import { requestRefund } from '#refunds'
import { deductionAllowed, type ReturnRequest } from './return-request.ts'

/** The whole of the goods with what the right includes of the delivery charge, less a deduction; or the part of the price that the buyer named. */
export function refundReturn(
  scope: Pick<JobScope, 'db' | 'emit'>,
  request: ReturnRequest,
  amount: number | null,
): Promise<string | undefined> {
  const { id, customerOrderId, sellerOrderId, lines, basis } = request
  const cause = basis === 'withdrawal' ? 'withdrawal' : 'return'
  const part = deductionAllowed(request) === 'as-wished' ? (amount ?? request.wishedAmount) : null
  const common = { customerOrderId, sellerOrderId, cause, key: `return:${id}` } as const
  if (part !== null) return requestRefund(scope, { ...common, extra: { offerId: lines.map(({ offerId }) => offerId), amount: part } })
  const delivery = basis === 'withdrawal' ? 'standard' : basis === 'policy' ? 'none' : 'full'
  return requestRefund(scope, { ...common, units: lines, delivery, ...(amount !== null && { goodsAtMost: amount }) })
}
