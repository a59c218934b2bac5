import type { PersonalAction } from '@purlin/contract/actions.ts'
import { authorize, companyOf, ownerOf } from '#accounts'
import { isOrderId, readOrderOf, type OrderSeen } from '#orders'
import type { Scope } from '#platform'

/** An order on which the principal may perform this action; otherwise undefined, without revealing whether it exists (A1). */
export async function findOwnOrder(scope: Scope, action: PersonalAction, id: string): Promise<OrderSeen | undefined> {
  const owner = ownerOf(scope)
  if (owner === null || !isOrderId(id)) return undefined
  const order = await readOrderOf(scope.db, id, { owner, companyId: companyOf(scope), market: scope.market })
  return order && authorize(scope, action, order) ? order : undefined
}
