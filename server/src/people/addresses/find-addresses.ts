import { customerIdOf } from '#accounts'
import { isId, type Scope } from '#platform'
import type { SavedAddress } from './saved-address.ts'
import { readAddress, readAddresses } from './store.ts'

/** The addresses of whoever asks, the defaults first. */
export async function listAddresses(scope: Scope): Promise<SavedAddress[]> {
  const customerId = customerIdOf(scope)
  return customerId === null ? [] : readAddresses(scope.db, customerId)
}

/** An address of whoever asks; undefined for everybody else's, which look as if they were not there. */
export async function findAddress(scope: Scope, id: string): Promise<SavedAddress | undefined> {
  const customerId = customerIdOf(scope)
  return customerId === null || !isId(id) ? undefined : readAddress(scope.db, customerId, id)
}
