import type { IconName } from '@purlin/ui'
import type { Mode } from '@purlin/contract/markets.ts'
import type { PlainKey } from '@purlin/words/catalogues.ts'
import { paths } from '../paths.ts'
import { routes, type PageName } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'

export interface Room {
  name: RoomName
  group: RoomGroup
  label: PlainKey
  /** Description of the page, shown on the account overview. */
  text: PlainKey
  icon: IconName
  href: string
}

export type RoomName = (typeof all)[number]['name']

/** Sections of the account's navigation, in order. */
export const roomGroupNames = ['buy', 'paper', 'company', 'me'] as const
export type RoomGroup = (typeof roomGroupNames)[number]

const all = [
  { name: 'myOrders', group: 'buy', label: 'account.orders', text: 'account.orders.text', icon: 'box' },
  { name: 'quickOrder', group: 'buy', label: 'quick-order.title', text: 'quick-order.text', icon: 'bolt', only: 'b2b' },
  { name: 'buyAgain', group: 'buy', label: 'again.title', text: 'again.text', icon: 'cart', only: 'b2b' },
  { name: 'wishlists', group: 'buy', label: 'wishlist.title', text: 'wishlist.text', icon: 'heart' },
  { name: 'quotes', group: 'buy', label: 'quote.title', text: 'quote.room', icon: 'search', only: 'b2b' },
  { name: 'approvals', group: 'buy', label: 'approval.list.title', text: 'approval.list.text', icon: 'check', only: 'b2b' },
  { name: 'proServicesInvoices', group: 'paper', label: 'invoice.title', text: 'invoice.text', icon: 'document', only: 'b2b' },
  { name: 'billie', group: 'paper', label: 'credit.pay.title', text: 'credit.page.lead', icon: 'clock', only: 'b2b' },
  { name: 'savedCards', group: 'paper', label: 'cards.title', text: 'cards.text', icon: 'card' },
  { name: 'myTaxInformation', group: 'paper', label: 'tax.title', text: 'tax.text', icon: 'globe' },
  { name: 'companySettings', group: 'company', label: 'company.title', text: 'company.text', icon: 'store', only: 'b2b' },
  { name: 'companySites', group: 'company', label: 'site.title', text: 'site.text', icon: 'hammer', only: 'b2b' },
  { name: 'companyBudgets', group: 'company', label: 'budget.title', text: 'budget.text', icon: 'shield', only: 'b2b' },
  {
    name: 'companySpending',
    group: 'company',
    label: 'spending.title',
    text: 'spending.text',
    icon: 'filter',
    only: 'b2b',
    within: 'companyBudgets',
  },
  {
    name: 'subscriptionManagement',
    group: 'company',
    label: 'subscription.title',
    text: 'subscription.account.text',
    icon: 'truck',
    only: 'b2b',
  },
  { name: 'myMessages', group: 'me', label: 'messages.title', text: 'messages.text', icon: 'info' },
  { name: 'addressSettings', group: 'me', label: 'account.addresses', text: 'account.addresses.text', icon: 'pin' },
  { name: 'myAdvantages', group: 'me', label: 'advantages.title', text: 'advantages.text', icon: 'tag' },
  { name: 'reviewListing', group: 'me', label: 'review.listing.title', text: 'review.listing.text', icon: 'good' },
  { name: 'conversionFromB2c2B2b', group: 'me', label: 'conversion.room', text: 'conversion.room.text', icon: 'helmet', only: 'b2c' },
  { name: 'myAccount', group: 'me', label: 'settings.title', text: 'settings.text', icon: 'person' },
] as const satisfies readonly {
  name: PageName
  group: RoomGroup
  label: PlainKey
  text: PlainKey
  icon: IconName
  /** The storefront whose account it belongs to; both otherwise. */
  only?: Mode
  /** The page that leads there those who may see it; others are not shown a link to it. */
  within?: PageName
}[]

/** The account pages of this storefront, and `here`: pages that are not built yet, or are for others, are not linked (V-21). */
export function accountRooms({ mode }: Pick<ShopContext, 'mode'>, here: RoomName | null = null): Room[] {
  return all
    .filter((room) => {
      if ('within' in room && room.name !== here) return false
      const route = routes.find((row) => row.name === room.name)
      return route !== undefined && 'page' in route && (!('only' in room) || room.only === mode)
    })
    .map(({ name, group, label, text, icon }) => ({
      name,
      group,
      label,
      text,
      icon,
      href: name === 'myMessages' ? paths.myMessages({ pageNumber: 1 }) : paths[name](),
    }))
}

/** The same pages by section; a section without pages is left out. */
export function roomGroups(context: Pick<ShopContext, 'mode'>, here: RoomName | null = null): { group: RoomGroup; rooms: Room[] }[] {
  const rooms = accountRooms(context, here)
  return roomGroupNames
    .map((group) => ({ group, rooms: rooms.filter((room) => room.group === group) }))
    .filter((section) => section.rooms.length > 0)
}
