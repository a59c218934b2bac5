import type { Market } from './markets.ts'

/**
 * The acting principal. Resolved once per request, from the session and the current state of the people tables; permissions
 * derive from this and from `actions.ts`, never from a host, a header or a field of the request (decision 5).
 */
export type Principal = Guest | Customer | Member | SellerMember | Operator

/** Not signed in. */
export interface Guest {
  kind: 'guest'
  /** The session that owns their cart and orders; null for a visitor who has not done anything yet. */
  id: string | null
  /** As entered when continuing as a guest; proves nothing. */
  email: string | null
}

export interface Customer {
  kind: 'customer'
  id: string
  email: string
  name: string
  /** The market in which the account was opened. */
  market: Market
}

/** A customer acting for a company. */
export interface Member extends Omit<Customer, 'kind'> {
  kind: 'member'
  role: MemberRole
  company: { id: string; country: string }
  /**
   * The session of a buyer who came from the company's purchasing system: it sees the company's prices and fills a basket of its
   * own, in the name of this member, and may do nothing else (decision 062).
   */
  punchOut?: string
  /** Orders that the purchasing system sends in this member's name, at the company's prices: a quote of the member's own is for other orders. */
  isPurchasingSystem?: true
}

/** A member of a seller's staff. */
export interface SellerMember {
  kind: 'sellerMember'
  id: string
  email: string
  name: string
  sellerId: number
  roles: readonly StaffRole[]
}

/** A member of the marketplace's staff, or a program with a key. */
export interface Operator {
  kind: 'operator'
  id: string
  email: string | null
  name: string
  roles: readonly StaffRole[]
}

/** A staff role: in one market, or in all of them. */
export interface StaffRole {
  role: SellerRole | OperatorRole
  market: Market | null
}

/** A company's: accountants and viewers order nothing. */
export const memberRoles = ['admin', 'approver', 'buyer', 'accountant', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]
/** An owner, who manages the seller's keys and bank details, is also staff: they hold both roles. */
export const sellerRoles = ['seller', 'owner'] as const
export type SellerRole = (typeof sellerRoles)[number]
export const operatorRoles = ['support', 'search', 'catalogue', 'jobs'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Machines: our own jobs, and the payment provider, authenticated by the signature of its webhooks. */
export interface Machine {
  kind: 'system' | 'provider'
}

/** All principals. */
export type Actor = Principal | Machine
