import type { Market } from './markets.ts'
import type { Actor, Guest, MemberRole, OperatorRole, SellerRole } from './principal.ts'

/**
 * Every action of the shop and who may take it; actions not listed are forbidden. Resolvers, routes and pages name their
 * action, and `authorize` decides by this table alone.
 *
 * `own`: the principal's own objects · `shared`: also those a link has opened to them · `company`: also those of
 * their company · `seller`: those of their seller · `any`: all of them, in the markets of their role.
 */
export type Reach = 'own' | 'shared' | 'company' | 'seller' | 'any'

/** How far a guest has got: no session yet, a session, an e-mail address. */
export type GuestStage = 'stranger' | 'visitor' | 'named'

/** The scope of an action by kind of principal: one for all, or one per role. */
export interface Grants {
  guest?: Reach | Partial<Record<GuestStage, Reach>>
  customer?: Reach
  member?: Reach | Partial<Record<MemberRole, Reach>>
  sellerMember?: Partial<Record<SellerRole, Reach>>
  operator?: Partial<Record<OperatorRole, Reach>>
  system?: Reach
  provider?: Reach
}

/** Independent of the principal: the result is the same for everybody, and no session is read. */
const anonymous = { anonymous: true } as const
const buyers = { guest: 'own', customer: 'own', member: 'own' } as const
/** Members who may order for their company. */
const orderers = { admin: 'own', approver: 'own', buyer: 'own' } as const
const ordering = { guest: 'own', customer: 'own', member: orderers } as const
/** A company's orders: buyers see their own, accountants and viewers read all of them. */
const companyReaders = { admin: 'company', approver: 'company', accountant: 'company', viewer: 'company' } as const
const customers = { customer: 'own', member: 'own' } as const
const system = { system: 'any' } as const

export const actions = {
  // Browsing
  'site.see': anonymous,
  'goods.see': anonymous,
  'page.see': anonymous,
  'search.use': anonymous,
  'consent.choose': anonymous,
  'event.send': anonymous,
  'pro-event.send': customers,
  'push.join': buyers,
  'experiment.ask': anonymous,
  'referer.ask': anonymous,

  // Cart
  'cart.see': buyers,
  'cart.change': buyers,
  // Many rows at once, by part number; a sheet is read for its sender alone
  'quick-order.use': buyers,
  'your-price.see': buyers,

  // Wishlists: a guest's are kept for their future account
  'wishlist.see': buyers,
  'wishlist.change': buyers,
  // Lists of a company's building sites: those who order fill and buy from them, those who run the sites move and delete them
  'site-list.use': { member: { admin: 'company', approver: 'company', buyer: 'company' } },
  'site-list.manage': { member: { admin: 'company', approver: 'company' } },

  // Checkout
  'checkout.see': buyers,
  // A visitor without a session has no cart and is sent to sign-in
  'checkout.begin': { guest: { visitor: 'own', named: 'own' }, customer: 'own', member: orderers },
  'checkout.enter': { guest: { named: 'own' }, customer: 'own', member: orderers },
  'guest.continue': { guest: 'own' },
  'order.draft': ordering,
  'order.change': ordering,
  'order.place': ordering,

  // After-sales
  'order.open-link': buyers,
  // A guest who has lost the mail with the link
  'order.request-link': buyers,
  'orders.enter': { guest: { visitor: 'shared', named: 'shared' }, customer: 'shared', member: 'company' },
  'orders.list': { customer: 'own', member: { ...companyReaders, buyer: 'own' } },
  // The reorder list shows products only: neither the buyer nor the price of past orders
  'bought.list': { customer: 'own', member: 'company' },
  'order.see': { guest: 'shared', customer: 'shared', member: { ...companyReaders, buyer: 'shared' } },
  // A company's own purchase-order number and cost centre
  'order.refer': { member: { admin: 'company', approver: 'company', accountant: 'company', buyer: 'own' } },
  'invoice.see': { guest: 'shared', customer: 'shared', member: { ...companyReaders, buyer: 'shared' } },
  // Invoices as their seller sees them, and the marketplace's to the seller
  'sellerInvoice.see': { sellerMember: { seller: 'seller', owner: 'seller' }, operator: { support: 'any' } },
  'invoices.list': { member: { ...companyReaders, buyer: 'own' } },
  // Monthly statements of a company, of which a buyer owns none, and whether it pays by them
  'statement.see': { member: { ...companyReaders, buyer: 'own' } },
  'statement.choose': { member: { admin: 'company' } },
  // A mandate for direct debit binds the company
  'mandate.change': { member: { admin: 'company' } },
  'invoice.request': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', accountant: 'company', buyer: 'shared', viewer: 'shared' },
  },
  'payment.report': { provider: 'any' },
  'credit.report': { provider: 'any' },
  'sms.report': { provider: 'any' }, // delivery reports and replies, signed
  'session.report': { provider: 'any' }, // the identity provider, by signed logout tokens
  'credit.see': { member: 'company' },
  'quote.see': { member: 'company' },
  // A colleague may see a quote; whoever requested it decides, or an admin, also once that member has left
  'quote.decide': { member: { ...orderers, admin: 'company' } },
  'credit.check': { member: 'company' },
  // Where its money goes is for the buyer to say, and for the admin of the company that has bought
  'refund.change': {
    guest: 'own',
    customer: 'own',
    member: { admin: 'company', approver: 'own', buyer: 'own', accountant: 'own', viewer: 'own' },
  },
  // The link of a mail is enough to say when bulky goods may come
  'delivery.schedule': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  'order.cancel': {
    guest: 'own',
    customer: 'own',
    member: { admin: 'company', approver: 'company', buyer: 'own', accountant: 'own', viewer: 'own' },
  },
  // The link of a mail is enough: a guest withdraws without an account
  'return.ask': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  // The token of a mail is the right: a driver's appointment, and what the buyer thinks of the return
  'return.follow-link': buyers,
  // Cancellations and returns, for their seller
  'return.handle': { sellerMember: { seller: 'seller' }, operator: { support: 'any' } },
  'refund.settle': { operator: { support: 'any' } },
  'refund.give': { operator: { support: 'any' }, sellerMember: { seller: 'seller' } },
  'message.send': buyers,
  // Conversations about seller orders: their buyers, also by link
  'conversation.list': {
    customer: 'own',
    member: { admin: 'company', approver: 'company', buyer: 'own', accountant: 'own', viewer: 'own' },
  },
  'conversation.see': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  'conversation.write': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  // Received orders, or the link of an invitation
  'review.see': { guest: 'shared', customer: 'shared', member: 'shared' },
  'review.write': { guest: 'shared', customer: 'shared', member: 'shared' },
  'review.vote': buyers,
  'review.answer': { sellerMember: { seller: 'seller' } },
  'review.moderate': { operator: { support: 'any' } },
  'question.ask': buyers,
  'question.answer': { customer: 'own', member: 'own' },
  'question.reply': { sellerMember: { seller: 'seller' } },
  'survey.answer': buyers,
  'parcel.track': anonymous, // the token in the address is the right
  'parcel.report': { provider: 'any' }, // carriers, authenticated by the signature of their messages

  // Sellers: their part of an order, after payment
  'sellerOrder.see': { sellerMember: { seller: 'seller' }, operator: { support: 'any' } },
  'sellerOrder.handle': { sellerMember: { seller: 'seller' } },
  'sellerOffer.move': { sellerMember: { seller: 'seller' } },
  'sellerQuote.answer': { sellerMember: { seller: 'seller' } },
  'sellerPrice.set': { sellerMember: { seller: 'seller' } },
  // Keys for the seller's own programs, which are staff themselves and never owners
  'sellerKey.manage': { sellerMember: { owner: 'seller' } },
  'dispute.see': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  'dispute.open': {
    guest: 'shared',
    customer: 'shared',
    member: { admin: 'company', approver: 'company', buyer: 'shared', accountant: 'shared', viewer: 'shared' },
  },
  'file.upload': buyers,
  'file.open-link': anonymous, // authorised by the signature in the link
  'newsletter.join': buyers,
  'notice.end': anonymous, // the token in the mail is the right
  'file.see': { operator: { support: 'any' } },

  // Accounts
  'data.request': customers,
  'account.erase': customers,
  'profile.change': customers,
  'address.see': customers,
  'address.change': customers,
  'card.see': customers,
  'card.change': customers,
  'company.see': { member: 'company' },
  'company.manage': { member: { admin: 'company' } },
  // Members of several companies choose which of them they act for
  'company.switch': { member: 'own' },
  // Admins remove anybody, everybody may go
  'member.remove': { member: { admin: 'company', approver: 'own', buyer: 'own', accountant: 'own', viewer: 'own' } },
  // Building sites and cost centres, which all members see and those who order choose from
  'building-site.manage': { member: { admin: 'company', approver: 'company' } },
  'cost-centre.manage': { member: { admin: 'company', accountant: 'company' } },
  // Limits, what was spent, and orders beyond the limits
  'budget.manage': { member: { admin: 'company' } },
  'spending.see': { member: { admin: 'company', approver: 'company', accountant: 'company' } },
  'approval.request': { member: orderers },
  'approval.see': { member: { admin: 'company', approver: 'company', buyer: 'own', accountant: 'own', viewer: 'own' } },
  'approval.decide': { member: { admin: 'company', approver: 'company' } },
  // The token of a mail is the right: an approver of the company decides without signing in
  'approval.open-link': buyers,
  // Credentials of the company's purchasing system, and the basket that goes back to it
  'punch-out.manage': { member: { admin: 'company' } },
  'punch-out.open': anonymous, // the credential or the start link is the right
  'punch-out.return': { member: 'own' },
  // The link of a mail, which the e-mail address of the account must fit
  'invitation.open': buyers,
  'invitation.accept': customers,
  // Purlin Pro: a company's subscription, which all its members see and use, and its admins change
  'subscription.see': { member: 'company' },
  'subscription.change': { member: { admin: 'company' } },
  'conversion.see': customers,
  // A company whose registration was refused asks again, by its administrator
  'conversion.request': { customer: 'own', member: { admin: 'own' } },
  // A company's: all its members see it, its admins change it
  'tax.see': { customer: 'own', member: 'company' },
  'tax.change': { customer: 'own', member: { admin: 'company' } },
  'history.see': buyers,
  'history.change': customers,
  'account.see': { customer: 'own', member: 'own' },
  'account.convert': { guest: { named: 'own' }, customer: 'own', member: 'own' },
  'pro.see': { member: 'own' },

  // Staff of sellers and of the marketplace
  'office.see': {
    sellerMember: { seller: 'own', owner: 'own' },
    operator: { support: 'own', search: 'own', catalogue: 'own', jobs: 'own' },
  },
  // Sellers answer their buyers; operators read, join in and look at reports
  'conversation.serve': { sellerMember: { seller: 'seller' }, operator: { support: 'any' } },
  'dispute.serve': { sellerMember: { seller: 'seller' } },
  // Balance, payouts and statements of their seller; where the money goes is for the owner to say
  'payout.see': { sellerMember: { seller: 'seller', owner: 'seller' } },
  'payout.change-account': { sellerMember: { owner: 'seller' } },
  // Runs, bank files and differences to the provider's report
  'payout.run': { operator: { jobs: 'any' } },
  'dispute.decide': { operator: { support: 'any' } },
  'conversation.mediate': { operator: { support: 'any' } },
  'search.tune': { operator: { search: 'any' } },
  'offer.move': { operator: { catalogue: 'any' } },
  'seller.move': { operator: { support: 'any' } },
  'price.change': { operator: { catalogue: 'any' } },
  // Coupons for everybody: made, listed and ended
  'coupon.change': { operator: { catalogue: 'any' } },
  'category.change': { operator: { catalogue: 'any' } },
  'content.change': { operator: { catalogue: 'any' } },
  'flag.change': { operator: { catalogue: 'any' } },
  'experiment.change': { operator: { catalogue: 'any' } },
  'header.change': { operator: { catalogue: 'any' } },
  'segment.import': { operator: { support: 'any' } },
  'retained.see': { operator: { support: 'any' } },
  'conversion.decide': { operator: { support: 'any' } },
  'secondStep.remove': { operator: { support: 'any' } },
  'insights.see': { operator: { jobs: 'any', catalogue: 'any', search: 'any' } },
  'work.manage': { operator: { jobs: 'any' } },
  // Keys of the public API
  'apiKey.manage': { operator: { jobs: 'any' } },

  // Operations: these addresses are protected elsewhere, not by sign-in
  'health.see': anonymous,
  'graphql.ask': anonymous, // each field names its own action
  'mailbox.see': anonymous,
  'insights.preview': anonymous, // mounted on local hosts alone
  'session.use': anonymous, // any holder of a session cookie

  // Internal work by module: jobs, handlers and schedules
  'accounts.work': system,
  'auth.work': system,
  'checkout.work': system,
  'companies.work': system,
  'consent.work': system,
  'contact.work': system,
  'content.work': system,
  'experiments.work': system,
  'disputes.work': system,
  'files.work': system,
  'header.work': system,
  'history.work': system,
  'invoices.work': system,
  'insights.work': system,
  'integrations.work': system,
  'fulfilment.work': system,
  'listing.work': system,
  'mail.work': system,
  'messages.work': system,
  'merchandising.work': system,
  'newsletter.work': system,
  'punchout.work': system,
  'purchasing.work': system,
  'push.work': system,
  'notify.work': system,
  'payments.work': system,
  'credit.work': system,
  'platform.work': system,
  'recommendations.work': system,
  'privacy.work': system,
  'refunds.work': system,
  'reminders.work': system,
  'quotes.work': system,
  'payouts.work': system,
  'reviews.work': system,
  'returns.work': system,
  'segments.work': system,
  'sms.work': system,
  'subscriptions.work': system,
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
 * Granted to staff of sellers or of the marketplace: their session of the offices counts, not the shop's. No action is granted to buyers
 * as well, so that the action alone tells the session.
 */
export function isForStaff(action: Action): boolean {
  const kinds = Object.keys(actions[action])
  return kinds.length > 0 && kinds.every((kind) => kind === 'sellerMember' || kind === 'operator' || kind === 'system')
}

/** All that a session from a purchasing system may do: look around with the company's prices, and fill the basket that goes back. */
const punchOutActions: ReadonlySet<Action> = new Set<Action>([
  'cart.see',
  'cart.change',
  'quick-order.use',
  'your-price.see',
  'wishlist.see',
  'wishlist.change',
  'history.see',
  'checkout.see',
  'pro.see',
  'punch-out.return',
])

/**
 * The scope in which this principal may take an action; null if not at all. `market` is where it happens; null
 * for objects without a market, which a role in one market does not cover.
 */
export function reachOf(actor: Actor, action: PersonalAction, market: Market | null): Reach | null {
  const grants: Grants = actions[action]
  switch (actor.kind) {
    case 'guest':
      return byRole(grants.guest, stageOf(actor))
    case 'customer':
      return grants.customer ?? null
    case 'member':
      if (actor.punchOut !== undefined && !punchOutActions.has(action)) return null
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

/** The specification's access level of a page (§6): everybody, signed-in people, companies only. */
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
