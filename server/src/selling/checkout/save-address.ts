import { markets } from '@purlin/contract/markets.ts'
import type { Refused, Result } from '@purlin/contract/refusals.ts'
import { companyOf, emailOf, ownerOf } from '#accounts'
import { checkAddress, findAddress, keepAddress, listAddresses, type AddressInput } from '#addresses'
import { loadPricedCart, type PricedCart } from '#cart'
import { findSite } from '#companies'
import { moveOrder, newOrderId, readOpenOrder, saveDraft, type CustomerOrder, type Draft } from '#orders'
import { readingAside, type Db, type Scope } from '#platform'
import { setOrderSite } from '#purchasing'
import { reopen } from './reopen-order.ts'

/**
 * Saves the delivery address; turns the cart into a draft order, or updates its draft. Reopens an order awaiting payment.
 * Returns the draft and the cart in their new state. Without `siteId` the order keeps its building site, which the form of an address
 * names by itself (`saveOrderReference`).
 */
export async function saveAddress(
  scope: Scope,
  input: AddressInput & { keep?: boolean | null },
  { within, siteId }: { within?: Db; siteId?: string | null } = {},
): Promise<Result<{ orderId: string; order: CustomerOrder; priced: PricedCart }>> {
  const owner = ownerOf(scope)
  const priced = await loadPricedCart(readingAside(scope))
  const { cart, totals } = priced
  if (owner === null || cart.id === null || cart.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  const email = emailOf(scope)
  if (email === null) return { ok: false, reason: 'email-invalid', fields: { email: 'missing' } }
  const checked = checkAddress(scope.market, input)
  if ('fields' in checked) return { ok: false, reason: 'address-invalid', fields: checked.fields }

  const draft: Draft = {
    id: newOrderId(),
    owner,
    companyId: companyOf(scope),
    cartId: cart.id,
    market: scope.market,
    mode: scope.mode,
    origin: scope.origin,
    currency: markets[scope.market].currency,
    taxKey: totals.taxKey,
    email,
    address: checked.address,
    billingAddress: checked.billing,
  }
  // With nothing else to write, saving the draft is a transaction of its own.
  const order =
    (await saveDraft(within ?? (input.keep || draft.companyId !== null ? scope.db : scope.db.alone), draft)) ??
    (await reopenAndSave(scope, draft))
  if ('ok' in order) return order
  if (draft.companyId !== null && siteId !== undefined) await setOrderSite(scope.db, order.id, draft.companyId, siteId)
  // A full address book is no reason not to sell.
  if (input.keep) await keepAddress(scope, null, { ...input, country: checked.address.country, defaults: [] })
  return { ok: true, orderId: order.id, order, priced }
}

/** Delivers to an address from the customer's account. Addresses of others, or in another country, count as unknown. */
export async function chooseSavedAddress(scope: Scope, addressId: string, within: { within?: Db } = {}): ReturnType<typeof saveAddress> {
  const address = await findAddress(scope, addressId)
  if (!address || address.country !== markets[scope.market].country) return { ok: false, reason: 'address-missing' }
  const invoiced = (await listAddresses(scope)).find(({ isBillingDefault, id }) => isBillingDefault && id !== address.id)
  const name = invoiced && (invoiced.company ?? `${invoiced.firstName} ${invoiced.lastName}`)
  return saveAddress(scope, { ...address, billing: invoiced && name ? { ...invoiced, name } : null }, { ...within, siteId: null })
}

/** Delivers to a building site of the viewer's company. Other companies' sites and archived ones count as unknown. */
export async function chooseSite(scope: Scope, siteId: string): ReturnType<typeof saveAddress> {
  const site = await findSite(scope, siteId)
  return site ? saveAddress(scope, site.address, { siteId }) : { ok: false, reason: 'address-missing' }
}

/** The cart's order awaits payment, has just ceased to be a draft, or was begun for another company, which ends it. */
async function reopenAndSave(scope: Scope, draft: Draft): Promise<CustomerOrder | Refused> {
  const open = await readOpenOrder(scope.db, draft.cartId)
  const reopened = open && (await reopen(scope, open.id))
  if (reopened && !reopened.ok) return reopened
  // Purchase order, cost centre and site of one company are not another's.
  if (open && open.companyId !== null && open.companyId !== draft.companyId)
    await moveOrder(scope.db, open.id, 'cancelled', 'buyer', 'other-company')
  return (await saveDraft(scope.db, draft)) ?? { ok: false, reason: 'payment-in-progress' }
}
