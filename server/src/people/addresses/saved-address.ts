import type { PostalAddress } from './address-rules.ts'

/** An address a customer keeps. */
export interface SavedAddress extends Omit<PostalAddress, 'vatNumber'> {
  id: string
  isDeliveryDefault: boolean
  isBillingDefault: boolean
}

/** Purposes an address is the default for. */
export const addressUses = ['delivery', 'billing'] as const
export type AddressUse = (typeof addressUses)[number]

/** Beyond this an account is a list of customers of its own. */
export const mostAddresses = 30
