import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as accounts from '../../people/accounts/graphql.ts'
import type * as addresses from '../../people/addresses/graphql.ts'
import type * as cart from '../../selling/cart/graphql.ts'
import type * as catalogue from '../../goods/catalogue/graphql.ts'
import type * as conditions from '../../goods/conditions/graphql.ts'
import type * as quotes from '../../after-sale/quotes/graphql.ts'
import type * as checkout from '../../selling/checkout/graphql.ts'
import type * as pickup from '../../selling/pickup/graphql.ts'
import type * as content from '../../goods/content/graphql.ts'
import type * as discovery from '../../goods/discovery/graphql.ts'
import type * as flags from '../../foundation/flags/graphql.ts'
import type * as history from '../../selling/history/graphql.ts'
import type * as recommendations from '../../selling/recommendations/graphql.ts'
import type * as header from '../../goods/header/graphql.ts'
import type * as integrations from '../../after-sale/integrations/graphql.ts'
import type * as invoices from '../../after-sale/invoices/graphql.ts'
import type * as listing from '../../goods/listing/graphql.ts'
import type * as markets from '../../foundation/markets/graphql.ts'
import type * as newsletter from '../../people/newsletter/graphql.ts'
import type * as orders from '../../selling/orders/graphql.ts'
import type * as payments from '../../selling/payments/graphql.ts'
import type * as payouts from '../../after-sale/payouts/graphql.ts'
import type * as pricing from '../../goods/pricing/graphql.ts'
import type * as privacy from '../../after-sale/privacy/graphql.ts'
import type * as profile from '../../people/profile/graphql.ts'
import type * as punchout from '../../selling/punchout/graphql.ts'
import type * as purchasing from '../../selling/purchasing/graphql.ts'
import type * as refunds from '../../selling/refunds/graphql.ts'
import type * as reminders from '../../selling/reminders/graphql.ts'
import type * as reviews from '../../after-sale/reviews/graphql.ts'
import type * as returns from '../../after-sale/returns/graphql.ts'
import type * as sellers from '../../goods/sellers/graphql.ts'
import type * as segments from '../../selling/segments/graphql.ts'
import type * as subscriptions from '../../selling/subscriptions/graphql.ts'
import type * as fulfilment from '../../after-sale/fulfilment/graphql.ts'
import type * as credit from '../../selling/credit/graphql.ts'
import type * as notify from '../../after-sale/notify/graphql.ts'
import type * as contact from '../../after-sale/contact/graphql.ts'
import type * as companies from '../../people/companies/graphql.ts'
import type * as disputes from '../../after-sale/disputes/graphql.ts'
import type * as messages from '../../after-sale/messages/graphql.ts'
import type * as tax from '../../people/tax/graphql.ts'
import type * as wishlists from '../../selling/wishlists/graphql.ts'
import type { Resolvers, ResolversParentTypes } from '../generated/resolvers.ts'

type Module =
  | typeof accounts
  | typeof addresses
  | typeof cart
  | typeof catalogue
  | typeof checkout
  | typeof conditions
  | typeof quotes
  | typeof pickup
  | typeof companies
  | typeof contact
  | typeof credit
  | typeof content
  | typeof discovery
  | typeof disputes
  | typeof flags
  | typeof header
  | typeof history
  | typeof recommendations
  | typeof integrations
  | typeof invoices
  | typeof fulfilment
  | typeof listing
  | typeof markets
  | typeof newsletter
  | typeof notify
  | typeof orders
  | typeof payments
  | typeof payouts
  | typeof pricing
  | typeof privacy
  | typeof profile
  | typeof punchout
  | typeof purchasing
  | typeof refunds
  | typeof messages
  | typeof reminders
  | typeof reviews
  | typeof returns
  | typeof segments
  | typeof subscriptions
  | typeof sellers
  | typeof tax
  | typeof wishlists
/** Fields of a type that a module resolves. */
type Resolved<Type, Each = Module> = Each extends { resolvers: infer All } ? (Type extends keyof All ? keyof All[Type] : never) : never
type Name = Exclude<keyof Resolvers & keyof ResolversParentTypes, 'DateTime' | 'Query' | 'Mutation'>
type Answer<Field> = Field extends (...args: never) => infer Value ? Awaited<Value> : never
/** Fields that no module resolves and that the parent object in the contract's types lacks as well. */
type Unanswered<
  Type extends Name,
  Parent = ResolversParentTypes[Type],
  Fields = Required<NonNullable<Resolvers[Type]>>,
  Done = Resolved<Type>,
> = {
  [Field in Exclude<keyof Fields, Done>]: Field extends keyof Parent
    ? Parent[Field] extends Answer<Fields[Field]> | undefined
      ? never
      : Field
    : Field
}[Exclude<keyof Fields, Done>]
type Gaps = { [Type in Name]: Unanswered<Type> extends never ? never : `${Type}.${Unanswered<Type> & string}` }[Name]
type Root = { [Type in 'Query' | 'Mutation']: Exclude<keyof NonNullable<Resolvers[Type]>, Resolved<Type>> }['Query' | 'Mutation']

test('V-50 every field of the contract is resolved by a module or present on its parent; the compiler finds the gaps', () => {
  const gaps: Record<Gaps, true> = {}
  const questions: Record<Root, true> = {}
  // @ts-expect-error without the sellers module these are unresolved
  const without: Record<Exclude<'url' | 'address', Resolved<'Seller', Exclude<Module, typeof sellers>>>, true> = {}
  assert.deepEqual([gaps, questions, without], [{}, {}, {}])
})
