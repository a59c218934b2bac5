import type { describeRefusal } from '#cart'
import type { describeReferenceRefusal } from '#purchasing'
import type { Known } from './show-order.ts'

interface Refusable {
  refusal: ReturnType<typeof describeRefusal> | null
}

/** Result of a command on an order; the order itself is read after the commit. */
export interface OrderAnswer extends Known {
  orderId?: string
  refusal: ReturnType<typeof describeRefusal> | ReturnType<typeof describeReferenceRefusal> | null
}

/** The next step of the funnel, computed only when requested. */
export interface FunnelAnswer extends Refusable {
  ok: boolean
}
