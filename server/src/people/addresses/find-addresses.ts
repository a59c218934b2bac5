import { customerIdOf } from '#accounts'
import { isId, type Scope } from '#platform'
import type { SavedAddress } from './saved-address.ts'
import { readAddress, readAddresses } from './store.ts'

/** The principal's addresses, the defaults first. */
export async function listAddresses(scope: Scope): Promise<SavedAddress[]> {
  const customerId = customerIdOf(scope)
  return customerId === null ? [] : readAddresses(scope.db, customerId)
}

/** An address of the principal; undefined for anybody else's, as if it did not exist. */
export async function findAddress(scope: Scope, id: string): Promise<SavedAddress | undefined> {
  const customerId = customerIdOf(scope)
  return customerId === null || !isId(id) ? undefined : readAddress(scope.db, customerId, id)
}
