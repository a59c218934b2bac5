import { actions, reachOf, type Grants, type PersonalAction, type Reach } from '@purlin/contract/actions.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { Actor } from '@purlin/contract/principal.ts'

/** The fields that determine who owns an object, such as an order. An object without them belongs to nobody. */
export interface Owned {
  /** In the form `ownerOf` returns. */
  owner?: string | null
  companyId?: string | null
  sellerId?: number | null
  /** Whether a link has opened it to the principal. */
  isShared?: boolean
}

/** The single place where permissions are decided: whether a principal may take this action on this object. `contract/src/actions.ts` holds the rules. */
export function authorize({ principal, market }: { principal: Actor; market: Market }, action: PersonalAction, object: Owned): boolean {
  const reach = reachOf(principal, action, market)
  return reach !== null && isWithin(reach, principal, opensByLink(action) ? object : { ...object, isShared: false })
}

/**
 * Whether the link of a mail is enough for this action: what customers may not do to an order that a link has opened to them, a member of a
 * company may not do either, however far their role reaches.
 */
function opensByLink(action: PersonalAction): boolean {
  const { customer }: Grants = actions[action]
  return customer === 'shared'
}

function isWithin(reach: Reach, actor: Actor, { owner, companyId, sellerId, isShared }: Owned): boolean {
  if (reach === 'any') return true
  if (reach === 'seller') return actor.kind === 'sellerMember' && sellerId === actor.sellerId
  const name = ownerOf({ principal: actor })
  const isForCompany = actor.kind === 'member' && companyId === actor.company.id
  // A company's object is a member's own only on the company's behalf: those who have left it have no say in its orders and its money.
  if (name !== null && name === owner && (companyId == null || isForCompany)) return true
  if (reach === 'own') return false
  if (isShared) return true
  return reach === 'company' && isForCompany
}

/**
 * The owner key of carts and orders: the customer's, else that of the session of a guest or from a purchasing system. Null for everybody else, which must never
 * match anything.
 */
export function ownerOf({ principal: actor }: { principal: Actor }): string | null {
  if (actor.kind === 'member' && actor.punchOut !== undefined) return `p:${actor.punchOut}`
  if (actor.kind === 'customer' || actor.kind === 'member') return actor.id ? `c:${actor.id}` : null
  return actor.kind === 'guest' && actor.id ? `s:${actor.id}` : null
}

/** Whether something belongs to the person with this owner key, who acted earlier; rights are decided by `authorize`, while they act. */
export function isOwnedBy(thing: { owner: string }, owner: string | null): boolean {
  return owner !== null && thing.owner === owner
}

/** The acting customer, on their own behalf or for a company; null for guests, staff and sessions from a purchasing system. */
export function customerIdOf({ principal: actor }: { principal: Actor }): string | null {
  if (actor.kind === 'member' && actor.punchOut !== undefined) return null
  return actor.kind === 'customer' || actor.kind === 'member' ? actor.id : null
}

/** The acting customer, unless a purchasing system acts in their name: what a seller has promised them personally is for other orders. */
export function inPerson(scope: { principal: Actor }): string | null {
  const { principal: actor } = scope
  return actor.kind === 'member' && actor.isPurchasingSystem ? null : customerIdOf(scope)
}

/** The company that a member acts for. */
export function companyOf({ principal: actor }: { principal: Actor }): string | null {
  return actor.kind === 'member' ? actor.company.id : null
}

/** The same person without the company they act for; everybody else as they are. */
export function inOwnName<Acting extends { principal: Actor }>(scope: Acting): Acting {
  const { principal: actor } = scope
  if (actor.kind !== 'member') return scope
  const { id, email, name, market } = actor
  return { ...scope, principal: { kind: 'customer', id, email, name, market } }
}

/** The session in which a buyer from the company's purchasing system shops; null for everybody else. */
export function punchOutOf({ principal: actor }: { principal: Actor }): string | null {
  return actor.kind === 'member' ? (actor.punchOut ?? null) : null
}

/** The seller whose staff the principal belongs to; null for everybody else. */
export function sellerIdOf({ principal: actor }: { principal: Actor }): number | null {
  return actor.kind === 'sellerMember' ? actor.sellerId : null
}

/** The address a buyer's mails go to: the account's, or the one a guest has entered. */
export function emailOf({ principal: actor }: { principal: Actor }): string | null {
  if (actor.kind === 'member' && actor.punchOut !== undefined) return null
  return actor.kind === 'guest' || actor.kind === 'customer' || actor.kind === 'member' ? actor.email : null
}

/** The acting member of staff, of a seller or (without `sellerId`) of the marketplace; null for buyers. */
export function staffOf({ principal: actor }: { principal: Actor }): { id: string; sellerId: number | null } | null {
  if (actor.kind === 'sellerMember') return { id: actor.id, sellerId: actor.sellerId }
  return actor.kind === 'operator' ? { id: actor.id, sellerId: null } : null
}

/** The customer of an owner key (`ownerOf`); null for a session's. */
export function customerIdOfOwner(owner: string): string | null {
  return owner.startsWith('c:') ? owner.slice(2) : null
}
