import type { Refused } from '@purlin/contract/refusals.ts'
import { companyOf } from '#accounts'
import type { Scope } from '#platform'
import { saveOrderReference, type NamesOfOrder, type ReferenceRefusal } from '#purchasing'

/** A command was refused for the names that came with it. */
export interface NamesRefused extends Refused {
  names: ReferenceRefusal
}

/**
 * Names a company's order within the command that places it, so that the budgets they lead to are charged, and a refused command changes
 * neither. The caller has locked the cart. Consumers' orders have no names.
 */
export async function nameOrder(scope: Scope, orderId: string, names: NamesOfOrder | null): Promise<NamesRefused | null> {
  if (names === null || companyOf(scope) === null) return null
  const named = await saveOrderReference(scope, orderId, names)
  if (named.ok) return null
  const { reason } = named
  return { ok: false, reason: reason === 'awaits-approval' || reason === 'charge-kept' ? 'order-not-open' : reason, names: named }
}
