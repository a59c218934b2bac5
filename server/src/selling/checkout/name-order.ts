import type { Refused } from '@purlin/contract/refusals.ts'
import { companyOf } from '#accounts'
import type { Scope } from '#platform'
import { saveOrderReference, type NamesOfOrder, type ReferenceRefusal } from '#purchasing'

/** A command was refused for the names that came with it. */
export interface NamesRefused extends Refused {
  names: ReferenceRefusal
}

interface Named {
  ok: true
  /** The refusal, if the amount that the order had before is beyond the budgets that its names lead to. */
  beyond: NamesRefused | null
}

/**
 * Names a company's order within the command that places it, so that the budgets they lead to are charged, and a refused command changes
 * neither. The caller has locked the cart. Consumers' orders have no names.
 * @param isSoldAgain whether the command goes on to charge an order that is placed already by its new amount, which the limits are for
 */
export async function nameOrder(
  scope: Scope,
  orderId: string,
  names: NamesOfOrder | null,
  { isSoldAgain = false }: { isSoldAgain?: boolean } = {},
): Promise<Named | NamesRefused> {
  if (names === null || companyOf(scope) === null) return { ok: true, beyond: null }
  const named = await saveOrderReference(scope, orderId, names, { isSoldAgain })
  return named.ok ? { ok: true, beyond: named.beyond && refusedFor(named.beyond) } : refusedFor(named)
}

function refusedFor(names: ReferenceRefusal): NamesRefused {
  const { reason } = names
  return { ok: false, reason: reason === 'awaits-approval' || reason === 'charge-kept' ? 'order-not-open' : reason, names }
}
