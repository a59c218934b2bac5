import type { Invoice, Order } from './store.ts'

export interface Reply {
  status: number
  body: unknown
}

export const failed = (status: number, code: string): Reply => ({ status, body: { error: { code } } })

/** Queues a message to the shop. */
export type Tell = (event: 'order' | 'invoice' | 'debit', type: string, wire: object) => void

export function orderWire(order: Order, origin: string) {
  const { uuid, code, state, amount, currency: of, confirmed, refunded, reduced, reason, secret } = order
  const page_url = state === 'pre_approved' ? `${origin}/orders/${uuid}?secret=${secret}` : null
  return { uuid, external_code: code, state, amount, currency: of, confirmed, refunded, reduced, decline_reason: reason, page_url }
}

export function invoiceWire({ uuid, code, dueOn, amount, credited, paid: repaid, returned = 0 }: Invoice) {
  return { uuid, external_code: code, due_date: dueOn, amount, credited, paid: repaid, returned }
}
