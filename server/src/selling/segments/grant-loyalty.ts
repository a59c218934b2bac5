import { createHash } from 'node:crypto'
import { grantCoupons, type GrantedCoupon } from '#cart'
import { platformConfig } from '#flags'
import type { Market } from '@purlin/contract/markets.ts'
import type { JobScope } from '#platform'
import { freeDeliveryFrom, loyaltyLevels } from './loyalty.ts'
import { segmentsOf } from './segments.ts'
import { readKeptOf } from './store.ts'

/**
 * Grants the free deliveries of this quarter to customers with a tier, in markets where the programme runs. The code follows
 * from customer, tier and quarter, so that a second night grants nothing again.
 */
export async function grantLoyalty(scope: JobScope, customers: readonly { customerId: string; market: Market }[]): Promise<void> {
  const running = new Map<Market, boolean>()
  for (const market of new Set(customers.map((one) => one.market))) running.set(market, await isLoyaltyRunning(scope, market))
  const here = customers.filter(({ market }) => running.get(market))
  const kept = await readKeptOf(
    scope.db,
    here.map(({ customerId }) => customerId),
  )
  await grantCoupons(
    scope.db,
    here.flatMap(({ customerId, market }) => {
      const segments = kept.get(customerId)
      const level = segments && loyaltyLevels.find(({ tier }) => tier === segmentsOf(segments).loyalty_level)
      return level ? [freeDeliveries(customerId, market, level, scope.now)] : []
    }),
  )
}

/** Announced on either storefront of the market: a tier is the customer's on both. */
export async function isLoyaltyRunning(scope: Pick<JobScope, 'db' | 'log'>, market: Market): Promise<boolean> {
  const configs = await Promise.all((['b2c', 'b2b'] as const).map((mode) => platformConfig({ db: scope.db, log: scope.log, market, mode })))
  return configs.some((config) => config.state === 'set' && config.values['loyalty-program']?.isAnnounced === true)
}

function freeDeliveries(
  customerId: string,
  market: Market,
  { tier, freeDeliveries: perCustomerLimit }: (typeof loyaltyLevels)[number],
  now: Date,
): GrantedCoupon {
  const [year, quarter] = [now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3)]
  const name = `${tier}-${year}Q${quarter + 1}`.toUpperCase()
  const own = createHash('sha256').update(`${name} ${customerId}`).digest('hex').slice(0, 12).toUpperCase()
  const day = (month: number, date: number) => new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
  return {
    code: `${name}-${own}`,
    market,
    kind: 'free-delivery',
    value: 0,
    minAmount: freeDeliveryFrom,
    startsOn: day(quarter * 3, 1),
    endsOn: day(quarter * 3 + 3, 0),
    perCustomerLimit,
    customerId,
  }
}
