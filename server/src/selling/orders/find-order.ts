import type { PersonalAction } from '@purlin/contract/actions.ts'
import { authorize, companyOf, ownerOf } from '#accounts'
import { takeBeside, type Scope } from '#platform'
import { isOrderId } from './order.ts'
import { orderBeside, readOrderOf, type OrderSeen } from './store.ts'

/** An order on which the principal may perform this action; otherwise undefined, without revealing whether it exists (A1–A3). */
export async function findOrder(scope: Scope, action: PersonalAction, id: string): Promise<OrderSeen | undefined> {
  const owner = ownerOf(scope)
  if (owner === null || !isOrderId(id)) return undefined
  const beside = takeBeside<OrderSeen>(scope, orderBeside(id, scope.market))
  const order = beside ? beside.row : await readOrderOf(scope.db, id, { owner, companyId: companyOf(scope), market: scope.market })
  return order && authorize(scope, action, order) ? order : undefined
}
