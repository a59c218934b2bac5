import { accessOf, type Access, type Action, type AnonymousAction } from '@purlin/contract/actions.ts'
import type { Mode } from '@purlin/contract/markets.ts'
import type { CachePolicy, RouteFacts, Serving } from '@purlin/web/route-table.ts'
import type { PlainKey } from '@purlin/words/catalogues.ts'

export type LayoutName = 'base' | 'funnel' | 'none' | 'custom'

/** A row of the shop's route table; access to the page follows from its action. */
export type ShopRoute = Serving & ShopRouteFacts

interface ShopRouteFacts extends RouteFacts<Access, LayoutName, Mode> {
  action: Action
  flashes?: readonly FlashKey[]
}

/** A message of the catalogue that a redirect may leave for the next page. */
export type FlashKey = Extract<PlainKey, `flash.${string}`>

type Facts = Partial<Omit<ShopRouteFacts, 'name' | 'addresses' | 'action' | 'access' | 'cache'>>
/** Every row names its action and what serves it; only pages that are the same for everybody are cached for everybody. */
type More = Serving & Facts & ({ action: Action } | { action: AnonymousAction; cache: CachePolicy })
type Row<Name, Addresses> = ShopRoute & { name: Name; addresses: Addresses }

/** Pages that show an experiment, and its name: their cached copies vary by it. */
const experimentsShown: Readonly<Record<string, readonly string[]>> = { homeB2C: ['home-order'], product: ['goods-first'] }

export function row<const Name extends string, const Addresses extends readonly string[]>(
  name: Name,
  addresses: Addresses,
  more: More,
): Row<Name, Addresses> {
  const experiments = experimentsShown[name]
  return { layout: 'base', indexable: false, ...(experiments && { experiments }), ...more, access: accessOf(more.action), name, addresses }
}

/** Permanent redirect; the address exists because the specification names it. */
export function moved<const Name extends string, const Addresses extends readonly string[]>(
  name: Name,
  addresses: Addresses,
  to: string,
): Row<Name, Addresses> {
  return row(name, addresses, { ...open, redirect: { status: 301, to } })
}

export const funnel = { layout: 'funnel' } as const
export const open = { action: 'page.see' } as const
export const restricted = { action: 'account.see' } as const
/** The way into the checkout, on which guests enter their e-mail address. */
export const buying = { action: 'checkout.begin' } as const
/** Open to guests with an e-mail address (decision 4). */
export const checkout = { action: 'checkout.enter' } as const
/** Buyers, and visitors with the link from a mail: the page checks whether it may show this order. */
export const orders = { action: 'orders.enter' } as const
export const shipment = { ...orders, page: './orders/shipment-page.tsx' } as const
/** When bulky goods are brought. */
export const appointing = { ...orders, fallback: '/orders', page: './orders/appointment-page.tsx' } as const
export const tracking = { action: 'parcel.track', page: './orders/track-parcel-page.tsx' } as const
/** A driver's appointment, by the link of a mail. */
export const collecting = {
  accept: { ...open, page: './returns/collection-accept-page.tsx', named: ['/returns/home-collection/accept'] },
  cancel: { ...open, page: './returns/collection-cancel-page.tsx', named: ['/returns/home-collection/cancel'] },
  changeAddress: { ...open, page: './returns/collection-address-page.tsx', named: ['/returns/home-collection/change-address'] },
} as const
const ofOrder = { ...orders, fallback: '/orders' } as const
export const cancelling = { ...ofOrder, page: './returns/cancellation-page.tsx', named: ['/my-orders/order-cancellation-recap'] } as const
export const returning = { ...ofOrder, page: './returns/return-request-page.tsx', named: ['/returns/request-return'] } as const
export const returned = { ...ofOrder, page: './returns/return-page.tsx', named: ['/returns/confirmation'] } as const
export const b2b = { action: 'pro.see' } as const
export const indexable = { ...open, indexable: true } as const

/** Query parameters that determine a listing; facets come as `f[brand]=12`. */
export const listingQuery = ['page', 'size', 'sort', 'f', 'min', 'max', 'all'] as const
/** Those of a search: parts of its query can be taken literally. */
export const searchQuery = [...listingQuery, 'literal'] as const
export const cached = (
  tags: readonly string[],
  query: readonly string[] = [],
  flashes: readonly FlashKey[] = [],
): { action: 'page.see'; cache: CachePolicy; indexable: true; flashes: readonly FlashKey[] } => ({
  ...open,
  flashes,
  // Every cached page has the header, which flags and platform config change.
  cache: { seconds: 300, stale: 3600, tags: ['shell:{site}', ...tags], query },
  indexable: true,
})

/** The home pages; closing an account leads there. */
export const home = cached(['home'], [], ['flash.account-erased'])

/** A legal or help text, in force or in the requested version. */
export const text = { ...cached(['texts'], ['version']), page: './information/text-page.tsx' } as const

/** A guide, a comparison, a landing page and so on: editorial content with products. */
export const entry = { ...cached(['content', 'listing'], ['preview', 'm']), page: './advice/entry-page.tsx' } as const
export const writtenPage = { ...entry, page: './advice/written-page.tsx' } as const

/** A paint in all its colours, with the tins for an area. */
export const paintPage = {
  ...cached(['product:{id}'], ['area', 'coats']),
  named: ['/product'],
  fallback: '/',
  page: './paint/paint-page.tsx',
} as const
