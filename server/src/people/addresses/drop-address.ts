import { customerIdOf } from '#accounts'
import { isId, type Scope } from '#platform'
import type { AddressRefusal } from './keep-address.ts'
import { preferAddress, readAddress, readAddresses, removeAddress, takeTurn } from './store.ts'

/** Deletes an address. Its defaults pass to the newest remaining one. */
export async function dropAddress(scope: Scope, id: string): Promise<{ ok: true } | AddressRefusal> {
  const customerId = customerIdOf(scope)
  if (customerId === null || !isId(id)) return { ok: false, reason: 'unknown-address' }
  const { db } = scope
  await takeTurn(db, customerId)
  const gone = await readAddress(db, customerId, id)
  if (!gone || !(await removeAddress(db, customerId, id))) return { ok: false, reason: 'unknown-address' }
  const [next] = await readAddresses(db, customerId)
  if (next && gone.isDeliveryDefault) await preferAddress(db, customerId, next.id, 'delivery')
  if (next && gone.isBillingDefault) await preferAddress(db, customerId, next.id, 'billing')
  return { ok: true }
}
