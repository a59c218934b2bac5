import { customerIdOf } from '#accounts'
import { isId, newId, type Scope } from '#platform'
import { checkPostalAddress, type AddressInput, type FieldRefusals, type PostalAddress } from './address-rules.ts'
import { maxAddresses, type AddressUse, type SavedAddress } from './saved-address.ts'
import { insertAddress, preferAddress, readAddress, readAddresses, takeTurn, updateAddress } from './store.ts'

export interface KeptAddressInput extends Omit<AddressInput, 'vatNumber' | 'billing'> {
  country: string
  /** Becomes the default for these. */
  defaults: readonly AddressUse[]
}

export type AddressRefusal =
  | { ok: false; reason: 'address-invalid'; fields: FieldRefusals }
  | { ok: false; reason: 'unknown-address' | 'too-many-addresses' }
export type KeptAddress = { ok: true; address: SavedAddress } | AddressRefusal

/** Adds an address, or changes the one with this id. The first one is the default for every use. */
export async function keepAddress(scope: Scope, id: string | null, input: KeptAddressInput): Promise<KeptAddress> {
  const customerId = customerIdOf(scope)
  if (customerId === null || (id !== null && !isId(id))) return { ok: false, reason: 'unknown-address' }
  const checked = checkPostalAddress(input.country, input)
  if ('fields' in checked) return { ok: false, reason: 'address-invalid', fields: checked.fields }
  const { db } = scope
  await takeTurn(db, customerId)
  const known = await readAddresses(db, customerId)
  // Sent twice, or entered again at checkout: it is stored once.
  const same = id === null ? known.find((one) => isSame(one, checked.address)) : undefined
  const key = id ?? same?.id ?? newId()
  if (id === null && !same && known.length >= maxAddresses) return { ok: false, reason: 'too-many-addresses' }

  if (id === null && !same) await insertAddress(db, customerId, key, checked.address)
  if (id !== null && !(await updateAddress(db, customerId, id, checked.address))) return { ok: false, reason: 'unknown-address' }
  const defaults: readonly AddressUse[] = known.length === 0 ? ['delivery', 'billing'] : input.defaults
  for (const use of defaults) await preferAddress(db, customerId, key, use)
  const address = await readAddress(db, customerId, key)
  if (!address) throw new Error('An address that was just written was not found')
  return { ok: true, address }
}

/** Makes one of the customer's addresses the default for a use. */
export async function preferKeptAddress(scope: Scope, id: string, use: AddressUse): Promise<KeptAddress> {
  const customerId = customerIdOf(scope)
  if (customerId === null || !isId(id)) return { ok: false, reason: 'unknown-address' }
  await takeTurn(scope.db, customerId)
  await preferAddress(scope.db, customerId, id, use)
  const address = await readAddress(scope.db, customerId, id)
  return address ? { ok: true, address } : { ok: false, reason: 'unknown-address' }
}

const printed = ['firstName', 'lastName', 'company', 'line1', 'line2', 'postcode', 'city', 'country'] as const

function isSame(one: SavedAddress, other: PostalAddress): boolean {
  return printed.every((field) => one[field] === other[field])
}
