import type { IconName } from '@purlin/ui'
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
  { name: 'addressSettings', label: 'account.addresses', text: 'account.addresses.text', icon: 'pin' },
  { name: 'savedCards', label: 'cards.title', text: 'cards.text', icon: 'card' },
  { name: 'myAdvantages', label: 'advantages.title', text: 'advantages.text', icon: 'tag' },
  { name: 'wishlists', label: 'wishlist.title', text: 'wishlist.text', icon: 'heart' },
  { name: 'myTaxInformation', label: 'tax.title', text: 'tax.text', icon: 'document' },
  { name: 'myAccount', label: 'settings.title', text: 'settings.text', icon: 'person' },
] as const satisfies readonly {
  name: PageName
  label: PlainKey
  text: PlainKey
  icon: IconName
}[]

/** The account pages of this storefront: pages that are not built yet, or are for others, are not linked (V-21). */
export function accountRooms({ mode }: Pick<ShopContext, 'mode'>): Room[] {
  return all
    .filter(({ name }) => {
      const route = routes.find((row) => row.name === name)
      return route !== undefined && 'page' in route && (!('only' in route) || route.only === mode)
    })
    .map((room) => ({ ...room, href: paths[room.name]() }))
}
