import type { Market } from './markets.ts'
import type { Actor, Guest, MemberRole, OperatorRole, SellerRole } from './principal.ts'

/**
 * Every action of the shop and who may take it; what is not here, nobody may. A resolver, a route and a page name the
 * action they are, and `authorize` decides by this table alone.
 *
 * `own`: made by whoever acts · `shared`: their own, and what a link has opened to them · `company`: these, and all of
 * their company · `seller`: of the seller they work for · `any`: all of them, in the markets of their role.
 */
export type Reach = 'own' | 'shared' | 'company' | 'seller' | 'any'

/** How far a guest has got: nothing done yet, a session, an e-mail address given. */
export type GuestStage = 'stranger' | 'visitor' | 'named'

/** The reach of an action by kind of actor: one for all, or one per role. */
export interface Grants {
  guest?: Reach | Partial<Record<GuestStage, Reach>>
  customer?: Reach
  member?: Reach | Partial<Record<MemberRole, Reach>>
  sellerMember?: Partial<Record<SellerRole, Reach>>
  operator?: Partial<Record<OperatorRole, Reach>>
  system?: Reach
  provider?: Reach
}

/** Done without asking who it is: the answer is the same for everybody, and no session is read for it. */
const anonymous = { anonymous: true } as const
const buyers = { guest: 'own', customer: 'own', member: 'own' } as const
const customers = { customer: 'own', member: 'own' } as const
const system = { system: 'any' } as const

export const actions = {
  // The shop window
  'site.see': anonymous,
  'goods.see': anonymous,
  'page.see': anonymous,
  'search.use': anonymous,

  // Cart
  'cart.see': buyers,
  'cart.change': buyers,

  // Wishlists: a guest's wait for the account they will open
  'wishlist.see': buyers,
  'wishlist.change': buyers,

  // Checkout
  'checkout.see': buyers,
  'checkout.enter': { guest: { named: 'own' }, customer: 'own', member: 'own' },
  'guest.continue': { guest: 'own' },
  'order.draft': buyers,
  'order.change': buyers,
  'order.place': buyers,

  // After the order
  'order.open-link': buyers,
  'orders.enter': { guest: { visitor: 'shared', named: 'shared' }, customer: 'shared', member: 'company' },
  'orders.list': { customer: 'own', member: { admin: 'company', approver: 'company', buyer: 'own' } },
  'order.see': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared' },
  },
  'payment.report': { provider: 'any' },
  'message.send': buyers,
  'file.upload': buyers,
  'file.open-link': anonymous, // the signature in the link is the right
  'file.see': { operator: { support: 'any' } },

  // Accounts
  'data.request': customers,
  'account.erase': customers,
  'profile.change': customers,
  'address.see': customers,
  'address.change': customers,
  'card.see': customers,
  'card.change': customers,
  // A company's: all its members see it, its admins change it
  'tax.see': { customer: 'own', member: 'company' },
  'tax.change': { customer: 'own', member: { admin: 'company' } },
  'account.see': { customer: 'own', member: 'own' },
  'account.convert': { guest: { named: 'own' }, customer: 'own', member: 'own' },
  'pro.see': { member: 'own' },

  // The marketplace's own people
  'search.tune': { operator: { search: 'any' } },
  'price.change': { operator: { catalogue: 'any' } },
  'category.change': { operator: { catalogue: 'any' } },
  'segment.import': { operator: { support: 'any' } },
  'retained.see': { operator: { support: 'any' } },
  'work.manage': { operator: { jobs: 'any' } },

  // Operations: whatever guards these addresses is outside, not who is signed in
  'health.see': anonymous,
  'graphql.ask': anonymous, // each field then names its own
  'mailbox.see': anonymous,
  'session.use': anonymous, // whoever holds the cookie of a session

  // Work of our own, by module: every job, handler and schedule
  'accounts.work': system,
  'auth.work': system,
  'checkout.work': system,
  'contact.work': system,
  'files.work': system,
  'listing.work': system,
  'mail.work': system,
  'merchandising.work': system,
  'notify.work': system,
  'payments.work': system,
  'platform.work': system,
  'privacy.work': system,
  'segments.work': system,
  'tax.work': system,
  'wishlists.work': system,
  'uploads.work': system,
} as const satisfies Record<string, Grants | { anonymous: true }>

export type Action = keyof typeof actions
export type AnonymousAction = { [Name in Action]: (typeof actions)[Name] extends { anonymous: true } ? Name : never }[Action]
export type PersonalAction = Exclude<Action, AnonymousAction>

export function isAnonymous(action: Action): action is AnonymousAction {
  return 'anonymous' in actions[action]
}

/**
 * How far this actor may go with an action; null when not at all, whatever it is about. `market` is where it happens; null
 * for what is of no market, which a role in one market does not reach.
 */
export function reachOf(actor: Actor, action: PersonalAction, market: Market | null): Reach | null {
  const grants: Grants = actions[action]
  switch (actor.kind) {
    case 'guest':
      return byRole(grants.guest, stageOf(actor))
    case 'customer':
      return grants.customer ?? null
    case 'member':
      return byRole(grants.member, actor.role)
    case 'sellerMember':
    case 'operator': {
      const byStaffRole: Partial<Record<string, Reach>> = grants[actor.kind] ?? {}
      const held = actor.roles.filter((each) => each.market === null || each.market === market)
      return held.map(({ role }) => byStaffRole[role]).find((reach) => reach !== undefined) ?? null
    }
    case 'system':
    case 'provider':
      return grants[actor.kind] ?? null
  }
}

/** The specification's word for who may see a page (§6): everybody, who has signed in, companies alone. */
export type Access = 'public' | 'restricted' | 'b2b'

export function accessOf(action: Action): Access {
  const rule: Grants | { anonymous: true } = actions[action]
  if ('anonymous' in rule) return 'public'
  return rule.customer === undefined ? 'b2b' : 'restricted'
}

export function stageOf({ id, email }: Pick<Guest, 'id' | 'email'>): GuestStage {
  if (id === null) return 'stranger'
  return email === null ? 'visitor' : 'named'
}

function byRole<Role extends string>(granted: Reach | Partial<Record<Role, Reach>> | undefined, role: Role): Reach | null {
  return (typeof granted === 'string' ? granted : granted?.[role]) ?? null
}
