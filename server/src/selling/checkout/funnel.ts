import { companyOf, emailOf, ownerOf } from '#accounts'
import type { Scope } from '#platform'
import { loadCart } from '#cart'
import { readOpenOrder } from '#orders'
import { readPaymentOfOrder } from '#payments'

export interface Funnel {
  step: 'cart' | 'register' | 'address' | 'delivery' | 'payment' | 'receipt'
  customerOrderId: string | null
  email: string | null
}

/** The next step of the funnel, derived from cart, session and order; read-only. Source: R-128. */
export async function findFunnelStep(scope: Scope): Promise<Funnel> {
  const email = emailOf(scope)
  const at = (step: Funnel['step'], customerOrderId: string | null = null): Funnel => ({ step, customerOrderId, email })
  const cart = await loadCart(scope)
  if (ownerOf(scope) === null || cart.id === null || cart.lines.length === 0) return at('cart')
  if (email === null) return at('register')
  const order = await readOpenOrder(scope.db, cart.id)
  if (!order) return at('address')
  // Begun for another company: saving the address begins anew.
  if (order.companyId !== null && order.companyId !== companyOf(scope)) return at('address')
  // The e-mail address was changed after the draft was saved: saving the address again adopts it.
  const isSameBuyer = order.email === email
  if (order.state === 'draft') return at(isSameBuyer ? 'delivery' : 'address', order.id)
  if (order.state === 'authorised') return at('receipt', order.id)
  const payment = await readPaymentOfOrder(scope.db, order.id)
  if (payment?.state === 'authorised' || payment?.state === 'captured') return at('receipt', order.id)
  // The cart has grown since: saving the address reopens the order.
  return isSameBuyer && order.cartVersion === cart.version ? at('payment', order.id) : at('address', order.id)
}
