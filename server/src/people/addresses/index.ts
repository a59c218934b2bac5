/** Addresses: formats by country, and customers' saved addresses. */
export { checkAddress, checkPostalAddress, type AddressInput, type FieldRefusals, type PostalAddress } from './address-rules.ts'
export { findAddress, listAddresses } from './find-addresses.ts'
export { keepAddress } from './keep-address.ts'
export type { SavedAddress } from './saved-address.ts'
export { readAddresses, removeAddressesOf } from './store.ts'
export { addressFaults } from './words.ts'
