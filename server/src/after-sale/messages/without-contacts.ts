import type { Market } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { maskContacts, type Masked } from './mask-contacts.ts'

/** Masks contact data in free text exchanged by buyer and seller about an order; links to the shop's own hosts are kept. */
export function withoutContacts(text: string, market: Market): Masked {
  return maskContacts(text, { market, isOwnHost: (host) => settings().hosts.siteOf(host) !== null })
}
