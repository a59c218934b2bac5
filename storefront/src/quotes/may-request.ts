import { reachOf } from '@purlin/contract/actions.ts'
import type { ShopContext } from '../shell/context.ts'

/** Whether the member's role includes requesting quotes. */
export async function mayRequest({ principal, market }: Pick<ShopContext, 'principal' | 'market'>): Promise<boolean> {
  return reachOf(await principal(), 'quote.decide', market) !== null
}
