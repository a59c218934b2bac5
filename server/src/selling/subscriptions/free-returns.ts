import type { Market } from '@purlin/contract/markets.ts'
import { platformConfig } from '#flags'
import type { Scope } from '#platform'
import { hasSubscription } from './benefits.ts'

/** Subscribers of Purlin Pro send back what they do not need within this time. */
const subscriberReturnDays = 30

/**
 * Days in which the acting company may send back what it buys in this market today; 0 for none. The setting of the storefront is the
 * same for everybody, but this answer is not: it must not be shared.
 */
export async function freeReturnDays({ share: _share, ...scope }: Scope, market: Market): Promise<number> {
  const [config, isSubscriber] = await Promise.all([
    platformConfig({ ...scope, market, mode: 'b2b' }),
    hasSubscription({ ...scope, market }),
  ])
  const forAll = config.state === 'set' ? (config.values['free-returns-b2b']?.days ?? 0) : 0
  return isSubscriber ? Math.max(forAll, subscriberReturnDays) : forAll
}
