import type { tellRefusal } from '#cart'
import type { Known } from './show-order.ts'

interface Refusable {
  refusal: ReturnType<typeof tellRefusal> | null
}

/** What a command on an order answers; the order itself is read after the commit. */
export interface OrderAnswer extends Known, Refusable {
  orderId?: string
}

/** Where the funnel goes next is worked out only for who asks. */
export interface FunnelAnswer extends Refusable {
  ok: boolean
}
