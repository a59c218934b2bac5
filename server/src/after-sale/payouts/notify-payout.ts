import type { Market } from '@purlin/contract/markets.ts'
import { sendMail } from '#mail'
import { settings, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import { payoutMail } from './mails.ts'
import type { Payout } from './payout.ts'
import { marketOfPayout } from './statement.ts'

export const siteOf = (market: Market) => ({ market, mode: 'b2c' as const, origin: settings().hosts.site(market, 'b2c').origin })

/** Tells the seller that a payout did not arrive. */
export async function notifyPayout(scope: JobScope, payout: Payout, what: 'failed' | 'returned'): Promise<void> {
  const seller = (await knownSellers(scope, [payout.sellerId])).get(payout.sellerId)
  if (!seller?.email) return
  const { id, number, amount, bankEnd } = payout
  const market = marketOfPayout(payout, seller.country)
  await sendMail(scope, payoutMail, {
    to: seller.email,
    site: siteOf(market),
    payload: { what, number, amount, bankEnd: bankEnd ?? '' },
    key: `payout:${id}:${what}`,
  })
}
