import { settings } from '#platform'
import type { CustomerOrder } from './order.ts'

/** The host the order was placed on, as long as it is configured: its cookies are there. Otherwise the first host of its market. */
export function originOf({ origin, market, mode }: Pick<CustomerOrder, 'origin' | 'market' | 'mode'>): string {
  const { hosts } = settings()
  const made = origin === null ? null : hosts.siteOf(new URL(origin).host)
  return (made?.market === market && made.mode === mode ? made : hosts.site(market, mode)).origin
}
