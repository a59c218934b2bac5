import type { PostalAddress } from './address-rules.ts'

/** An address saved by a customer. */
export interface SavedAddress extends Omit<PostalAddress, 'vatNumber'> {
  id: string
  isDeliveryDefault: boolean
  isBillingDefault: boolean
}

/** Uses it is the default for. */
export const addressUses = ['delivery', 'billing'] as const
export type AddressUse = (typeof addressUses)[number]

/** Maximum per account: beyond it, an account becomes somebody's customer list. */
export const maxAddresses = 30
