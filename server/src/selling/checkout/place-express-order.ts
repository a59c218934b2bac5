import { markets } from '@purlin/contract/markets.ts'
import type { Result } from '@purlin/contract/refusals.ts'
import { customerIdOf, ownerOf } from '#accounts'
import { listAddresses, type SavedAddress } from '#addresses'
import { cartOwnerIn, readCartLocked } from '#cart'
import { findPayingCard, showCard } from '#payments'
import { withIdempotency, type Scope } from '#platform'
import type { NamesOfOrder } from '#purchasing'
import { nameOrder } from './name-order.ts'
import { mayPlace, sellOrder } from './place-order.ts'
import { chooseSavedAddress } from './save-address.ts'

/** Data of a two-click purchase; null for guests, and for customers who lack a default address or card. */
export async function showExpressCheckout(scope: Scope) {
  if (customerIdOf(scope) === null) return null
  const [address, card] = await Promise.all([preferredAddress(scope), findPayingCard(scope)])
  return address && card ? { address, card: showCard(card, scope.now) } : null
}

/**
 * The first of two clicks: address, delivery and order in one transaction, so that the next page shows what is bought, its
 * total and the law, and asks for nothing but the payment. Source, design rules 1–4.
 */
export async function placeExpressOrder(
  scope: Scope,
  idempotencyKey: string,
  names: NamesOfOrder | null = null,
): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  if (owner === null) return { ok: false, reason: 'cart-empty' }
  if (!(await mayPlace(scope))) return { ok: false, reason: 'too-many-attempts' }
  const keyed = { owner, key: idempotencyKey, body: { command: 'place-express-order', market: scope.market, mode: scope.mode, ...names } }
  // Claimed first: a second click waits for the first one instead of opening its order again.
  return withIdempotency<Result<{ orderId: string }>>(scope, keyed, async () => {
    const address = await preferredAddress(scope)
    if (!address) return { ok: false, reason: 'address-missing' }
    // The cart before the order, as every command locks them.
    await readCartLocked(scope.db, cartOwnerIn(owner, scope.mode), scope.market)
    const saved = await chooseSavedAddress(scope, address.id, { within: scope.db })
    if (!saved.ok) return saved
    const named = await nameOrder(scope, saved.orderId, names)
    if (!named.ok) return { ok: false, reason: named.reason }
    const choices = saved.priced.sellers.map(({ seller, kind }) => ({ sellerId: seller.id, kind }))
    return sellOrder(scope, owner, { customerOrderId: saved.orderId, choices })
  })
}

/** The default delivery address, or the newest, among those that goods can be delivered to from here. */
async function preferredAddress(scope: Scope): Promise<SavedAddress | undefined> {
  return (await listAddresses(scope)).find(({ country }) => country === markets[scope.market].country)
}
