import { markets } from '@purlin/contract/markets.ts'
import type { Result } from '@purlin/contract/refusals.ts'
import { loadPricedCart, ownerOf, type PricedCart } from '#cart'
import { newOrderId, readOpenOrder, saveDraft } from '#orders'
import type { Scope } from '#platform'
import { checkAddress, type AddressInput } from './address-rules.ts'
import { reopen } from './reopen-order.ts'

/**
 * Where to deliver; makes the cart a draft order, or changes its draft. An order that awaits payment is opened again.
 * Answers the cart too, as it was priced for it.
 */
export async function saveAddress(scope: Scope, input: AddressInput): Promise<Result<{ orderId: string; priced: PricedCart }>> {
  const owner = ownerOf(scope)
  const priced = await loadPricedCart(scope)
  const { cart, totals } = priced
  if (owner === null || cart.id === null || cart.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  const email = scope.session?.guestEmail
  if (!email) return { ok: false, reason: 'email-invalid', fields: { email: 'missing' } }
  const checked = checkAddress(scope.market, input)
  if ('fields' in checked) return { ok: false, reason: 'address-invalid', fields: checked.fields }

  const open = await readOpenOrder(scope.db, cart.id)
  if (open && open.state !== 'draft') {
    const reopened = await reopen(scope, open.id)
    if (!reopened.ok) return reopened
  }
  const orderId = await saveDraft(scope.db, {
    id: newOrderId(),
    owner,
    cartId: cart.id,
    market: scope.market,
    mode: scope.mode,
    currency: markets[scope.market].currency,
    taxKey: totals.taxKey,
    email,
    address: checked.address,
    billingAddress: checked.billing,
  })
  return orderId === undefined ? { ok: false, reason: 'payment-in-progress' } : { ok: true, orderId, priced }
}
