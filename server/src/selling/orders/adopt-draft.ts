import { authorize, companyOf } from '#accounts'
import type { Scope } from '#platform'
import type { CustomerOrder } from './order.ts'

const adopt = {
  name: 'orders.adopt-draft',
  text: `update orders.customer_order set company_id = $2, updated_at = now()
    where id = $1 and state = 'draft' and (company_id is null or company_id = $2)`,
}

/** Whether the viewer began this draft on the professional storefront for nobody, and can order it for the company they act for now. */
export function canAdopt(scope: Scope, order: CustomerOrder): boolean {
  const isNobodys = order.companyId === null && order.state === 'draft' && order.mode === 'b2b'
  return isNobodys && companyOf(scope) !== null && authorize(scope, 'order.place', order)
}

/**
 * The order as the viewer acts on it: a draft from before they signed in, or joined, becomes the company's they act for, so that colleagues
 * see it and its budgets, credit and quotes are those of the order. What was placed without a company stays its buyer's own. Undefined
 * if the draft has been placed, or has become another company's, in the meantime.
 */
export async function adoptDraft<Order extends CustomerOrder>(scope: Scope, order: Order): Promise<Order | undefined> {
  if (!canAdopt(scope, order)) return order
  const companyId = companyOf(scope)
  return (await scope.db.run(adopt, [order.id, companyId])) === 1 ? { ...order, companyId } : undefined
}
