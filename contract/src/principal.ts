import type { Market } from './markets.ts'

/**
 * Who acts. Resolved once per request, from the session and the tables of people as they are now; rights follow from
 * this and from `actions.ts`, never from a host, a header or a field of the request (decision 5).
 */
export type Principal = Guest | Customer | Member | SellerMember | Operator

/** Nobody signed in. */
export interface Guest {
  kind: 'guest'
  /** The session their cart and orders belong to; null for somebody who has done nothing here yet. */
  id: string | null
  /** As typed when they went on as a guest; proves nothing. */
  email: string | null
}

export interface Customer {
  kind: 'customer'
  id: string
  email: string
  name: string
  /** Where the account was opened. */
  market: Market
}

/** A customer acting for a company. */
export interface Member extends Omit<Customer, 'kind'> {
  kind: 'member'
  role: MemberRole
  company: { id: string; country: string; prefersVat: boolean }
}

/** Somebody who works for a seller. */
export interface SellerMember {
  kind: 'sellerMember'
  id: string
  email: string
  name: string
  sellerId: number
  roles: readonly StaffRole[]
}

/** Somebody, or a program with a key, who works for the marketplace. */
export interface Operator {
  kind: 'operator'
  id: string
  email: string | null
  name: string
  roles: readonly StaffRole[]
}

/** A role somebody holds: in one market, or in all of them. */
export interface StaffRole {
  role: SellerRole | OperatorRole
  market: Market | null
}

export const memberRoles = ['admin', 'approver', 'buyer'] as const
export type MemberRole = (typeof memberRoles)[number]
export const sellerRoles = ['seller'] as const
export type SellerRole = (typeof sellerRoles)[number]
export const operatorRoles = ['support', 'search', 'catalogue', 'jobs'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Machines: our own jobs, and the payment provider, known by the signature of its webhooks. */
export interface Machine {
  kind: 'system' | 'provider'
}

/** Everyone and everything that acts. */
export type Actor = Principal | Machine
