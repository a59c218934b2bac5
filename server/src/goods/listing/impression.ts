import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { listingQuery } from './listing-input.ts'

/** A list as it was shown: of which search or category, with which products in which places. */
export interface ShownList {
  market: Market
  kind: 'search' | 'category'
  id?: number | null
  query?: string | null
  shown: readonly string[]
}

/**
 * The query id of a list that a page shows. It vouches for itself: four digits are the day (UTC), the fifth says whether the order
 * can be learned from, and the others are their MAC with the list. So a page that caches hold carries the same id for all its
 * readers, and an id needs no row before somebody chooses something. (decision 095)
 */
export function impressionOf(list: ShownList, isInOwnOrder: boolean, now: Date): string {
  return signed(list, `${dayOf(now).toString(16).padStart(4, '0')}${isInOwnOrder ? '1' : '0'}`)
}

/** What an id says about its list; null if this shop did not show the list today or yesterday, or with other products. */
export function readImpression(queryId: string, list: ShownList, now: Date): { isInOwnOrder: boolean } | null {
  const head = queryId.slice(0, 5)
  const days = dayOf(now) - Number.parseInt(head.slice(0, 4), 16)
  const [given, own] = [Buffer.from(queryId, 'latin1'), Buffer.from(signed(list, head), 'latin1')]
  if ((days !== 0 && days !== 1) || given.length !== own.length || !timingSafeEqual(given, own)) return null
  return { isInOwnOrder: head.endsWith('1') }
}

const dayOf = (now: Date): number => Math.floor(now.getTime() / 86_400_000)

function signed({ market, kind, id, query, shown }: ShownList, head: string): string {
  const about = kind === 'search' ? listingQuery(query).toLowerCase() : (id ?? null)
  const text = JSON.stringify([head, market, kind, about, shown])
  return head + createHmac('sha256', settings().mail.linkSecret).update(`impression:${text}`).digest('hex').slice(0, 27)
}
