import type { IconName } from '@purlin/ui'
import type { Mode } from '@purlin/contract/markets.ts'
import type { PlainKey } from '@purlin/words/catalogues.ts'
import { paths } from '../paths.ts'
import { routes, type PageName } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'

export interface Room {
  name: RoomName
  label: PlainKey
  /** Description of the page, shown on the account overview. */
  text: PlainKey
  icon: IconName
  href: string
}

export type RoomName = (typeof all)[number]['name']

const all = [
  { name: 'myOrders', label: 'account.orders', text: 'account.orders.text', icon: 'box' },
  { name: 'buyAgain', label: 'again.title', text: 'again.text', icon: 'cart', only: 'b2b' },
  { name: 'quickOrder', label: 'quick-order.title', text: 'quick-order.text', icon: 'cart', only: 'b2b' },
  { name: 'myMessages', label: 'messages.title', text: 'messages.text', icon: 'document' },
  { name: 'quotes', label: 'quote.title', text: 'quote.room', icon: 'document', only: 'b2b' },
  { name: 'proServicesInvoices', label: 'invoice.title', text: 'invoice.text', icon: 'document', only: 'b2b' },
  { name: 'billie', label: 'credit.pay.title', text: 'credit.page.lead', icon: 'card', only: 'b2b' },
  { name: 'addressSettings', label: 'account.addresses', text: 'account.addresses.text', icon: 'pin' },
  { name: 'savedCards', label: 'cards.title', text: 'cards.text', icon: 'card' },
  { name: 'myAdvantages', label: 'advantages.title', text: 'advantages.text', icon: 'tag' },
  { name: 'wishlists', label: 'wishlist.title', text: 'wishlist.text', icon: 'heart' },
  { name: 'reviewListing', label: 'review.listing.title', text: 'review.listing.text', icon: 'good' },
  { name: 'myTaxInformation', label: 'tax.title', text: 'tax.text', icon: 'document' },
  { name: 'subscriptionManagement', label: 'subscription.title', text: 'subscription.account.text', icon: 'truck', only: 'b2b' },
  { name: 'companySettings', label: 'company.title', text: 'company.text', icon: 'store', only: 'b2b' },
  { name: 'companySites', label: 'site.title', text: 'site.text', icon: 'pin', only: 'b2b' },
  { name: 'companyBudgets', label: 'budget.title', text: 'budget.text', icon: 'card', only: 'b2b' },
  { name: 'approvals', label: 'approval.list.title', text: 'approval.list.text', icon: 'good', only: 'b2b' },
  { name: 'conversionFromB2c2B2b', label: 'conversion.room', text: 'conversion.room.text', icon: 'helmet', only: 'b2c' },
  { name: 'myAccount', label: 'settings.title', text: 'settings.text', icon: 'person' },
] as const satisfies readonly {
  name: PageName
  label: PlainKey
  text: PlainKey
  icon: IconName
  /** The storefront whose account it belongs to; both otherwise. */
  only?: Mode
}[]

/** The account pages of this storefront: pages that are not built yet, or are for others, are not linked (V-21). */
export function accountRooms({ mode }: Pick<ShopContext, 'mode'>): Room[] {
  return all
    .filter((room) => {
      const route = routes.find((row) => row.name === room.name)
      return route !== undefined && 'page' in route && (!('only' in room) || room.only === mode)
    })
    .map(({ name, label, text, icon }) => ({
      name,
      label,
      text,
      icon,
      href: name === 'myMessages' ? paths.myMessages({ pageNumber: 1 }) : paths[name](),
    }))
}
