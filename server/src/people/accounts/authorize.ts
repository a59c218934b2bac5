import { reachOf, type PersonalAction, type Reach } from '@purlin/contract/actions.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { Actor } from '@purlin/contract/principal.ts'

/** The fields that decide who owns an object, such as an order. An object without them belongs to nobody. */
export interface Owned {
  /** As `ownerOf` names a person. */
  owner?: string | null
  companyId?: string | null
  sellerId?: number | null
  /** A link has opened it to whoever asks. */
  isShared?: boolean
}

/** The one way to decide a right: may whoever acts take this action, with this object? `contract/src/actions.ts` says so, and nothing else. */
export function authorize({ principal, market }: { principal: Actor; market: Market }, action: PersonalAction, object: Owned): boolean {
  const reach = reachOf(principal, action, market)
  return reach !== null && isWithin(reach, principal, object)
}

function isWithin(reach: Reach, actor: Actor, { owner, companyId, sellerId, isShared }: Owned): boolean {
  if (reach === 'any') return true
  if (reach === 'seller') return actor.kind === 'sellerMember' && sellerId === actor.sellerId
  const name = ownerOf({ principal: actor })
  if (name !== null && name === owner) return true
  if (reach === 'own') return false
  if (isShared) return true
  return reach === 'company' && actor.kind === 'member' && companyId === actor.company.id
}

/**
 * Whose cart and orders: of the customer, else of the guest's session. Null for everybody else, which must never match
 * anything.
 */
export function ownerOf({ principal: actor }: { principal: Actor }): string | null {
  if (actor.kind === 'customer' || actor.kind === 'member') return actor.id ? `c:${actor.id}` : null
  return actor.kind === 'guest' && actor.id ? `s:${actor.id}` : null
}

/** The customer who acts, on their own or for a company; null for guests and staff. */
export function customerIdOf({ principal: actor }: { principal: Actor }): string | null {
  return actor.kind === 'customer' || actor.kind === 'member' ? actor.id : null
}

/** The company a member acts for. */
export function companyOf({ principal: actor }: { principal: Actor }): string | null {
  return actor.kind === 'member' ? actor.company.id : null
}

/** Where a buyer gets their mails: the account's address, or what a guest has typed. */
export function emailOf({ principal: actor }: { principal: Actor }): string | null {
  return actor.kind === 'guest' || actor.kind === 'customer' || actor.kind === 'member' ? actor.email : null
}
