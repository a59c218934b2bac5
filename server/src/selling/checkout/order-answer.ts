import type { describeRefusal } from '#cart'
import type { Known } from './show-order.ts'

interface Refusable {
  refusal: ReturnType<typeof describeRefusal> | null
}

/** Result of a command on an order; the order itself is read after the commit. */
export interface OrderAnswer extends Known, Refusable {
  orderId?: string
}

/** The next step of the funnel, computed only when requested. */
export interface FunnelAnswer extends Refusable {
  ok: boolean
}
