import type { Market } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { maskContacts, type Masked } from './mask-contacts.ts'

/** What buyer and seller write to each other anywhere about an order: links to the shop's own hosts stay, contact data do not. */
export function withoutContacts(text: string, market: Market): Masked {
  return maskContacts(text, { market, isOwnHost: (host) => settings().hosts.siteOf(host) !== null })
}
