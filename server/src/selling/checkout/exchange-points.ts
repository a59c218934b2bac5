import { companyOf, customerIdOf, readMember } from '#accounts'
import { lockCart, priceStoredCart } from '#cart'
import { lockOrder } from '#orders'
import { isId, type Scope } from '#platform'
import { lockApproval, readApproval, writeProposal } from '#purchasing'
import { asChoices, findChosenPoints, reasonAgainstPoints, type ChosenPoint } from './chosen-points.ts'
import { scopeOf, type Decided } from './decide-approval.ts'
import { proposalOwner } from './place-order.ts'
import { asOfSale } from './seller-orders.ts'

/**
 * The buyer exchanges pick-up points of a request that is waiting, or was approved and is not ordered yet: a point that was chosen
 * days ago may have closed or be full. What is approved, goods and sum, stays as it is.
 */
export async function exchangePoints(scope: Scope, id: string, chosen: readonly ChosenPoint[]): Promise<Decided> {
  const customerId = customerIdOf(scope)
  const asked = isId(id) ? await readApproval(scope.db.reads, id) : undefined
  const isOwn = customerId !== null && asked?.customerId === customerId && asked.companyId === companyOf(scope)
  if (!isOwn || asked.market !== scope.market) return { ok: false, reason: 'unknown-approval' }
  const sellers = new Set(asked.proposal.points?.map(({ sellerId }) => sellerId))
  if (chosen.length === 0 || chosen.some(({ sellerId }) => !sellers.has(sellerId))) return { ok: false, reason: 'pick-up-point-missing' }
  const found = await findChosenPoints(scope, asChoices(chosen))

  // The request before its cart, and the cart before the order, as every command locks them.
  const approval = await lockApproval(scope.db, id)
  const cart = await lockCart(scope.db, proposalOwner(id), asked.market)
  const isOpen = (approval?.state === 'approved' || approval?.state === 'pending') && approval.expiresAt > scope.now
  if (!isOpen || (await lockOrder(scope.db, asked.customerOrderId))?.state !== 'draft') return { ok: false, reason: 'already-decided' }
  const buyer = await readMember(scope.db, approval.customerId, approval.companyId)
  if (!buyer) return { ok: false, reason: 'unknown-approval' }
  const priced = await priceStoredCart(scopeOf(scope, buyer, approval), cart)
  const exchanged = { ...priced, sellers: priced.sellers.filter(({ seller }) => found.has(seller.id)) }
  const refused = reasonAgainstPoints(approval.market, exchanged, found)
  if (refused) return { ok: false, reason: refused.reason }
  const points = (approval.proposal.points ?? []).map((kept) => {
    const point = asOfSale(found.get(kept.sellerId))
    return point ? { ...kept, point } : kept
  })
  await writeProposal(scope.db, id, { ...approval.proposal, points })
  return { ok: true }
}
