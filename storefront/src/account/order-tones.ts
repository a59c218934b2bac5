import type { CustomerOrderState } from '../generated/documents.ts'

/** Colour of each state, in addition to its label. */
export const tones: Record<CustomerOrderState, 'waits' | 'runs' | 'done' | 'ended'> = {
  DRAFT: 'runs',
  AWAITING_PAYMENT: 'waits',
  AUTHORISED: 'runs',
  PAID: 'runs',
  PART_SHIPPED: 'runs',
  SHIPPED: 'runs',
  DELIVERED: 'done',
  CLOSED: 'done',
  CANCELLED: 'ended',
  PART_REFUNDED: 'runs',
  REFUNDED: 'ended',
}
