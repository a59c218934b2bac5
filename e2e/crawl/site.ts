import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { ShopRoute } from '@purlin/storefront/routes.ts'
import type { Answer } from '../support/ask.ts'

/** A storefront under crawl, as the checks see it. */
export interface Site {
  market: Market
  mode: Mode
  origin: string
  /** Whether only part of the pages was requested, so that sets cannot be compared. */
  isSample: boolean
  get(address: string, of?: { origin?: string; encoding?: string }): Promise<Answer>
  routeOf(address: string): ShopRoute | undefined
}
