import { markets, type Currency } from '@purlin/contract/markets.ts'
import { paymentProvider, ProviderRefusal } from '#payments'
import { enqueue, every, job, on, type JobScope } from '#platform'
import { addDays, localDay, localTime } from '#pricing'
import { archivePayout } from './archive-payout.ts'
import { readPayout, readSentBefore } from './payout-store.ts'
import { runPayouts, startRun } from './run-payouts.ts'
import { scheduleSale } from './schedule-sale.ts'
import { applyNews, callProvider, type Sent } from './send-payout.ts'

export const handlers = [
  on('seller-order.delivered', 'payouts.schedule', { commit: scheduleSale }),
  on('seller-order.cancelled', 'payouts.schedule', { commit: scheduleSale }),
  on('seller-order.refused', 'payouts.schedule', { commit: scheduleSale }),
  on('seller-order.incident-opened', 'payouts.schedule', { commit: scheduleSale }),
  on('refund.requested', 'payouts.schedule', { commit: scheduleSale }),
  on('refund.dropped', 'payouts.schedule', { commit: scheduleSale }),
  on('seller-order.closed', 'payouts.schedule', { commit: scheduleSale }),
  on('payout.requested', 'payouts.send', {
    call: (context, { payoutId }) => callProvider(context, payoutId),
    commit: async (scope, { payoutId }, sent: Sent | null) => {
      if (sent) await applyNews(scope, payoutId, sent)
    },
  }),
]

const currencies: readonly Currency[] = [...new Set(Object.values(markets).map(({ currency }) => currency))]
/** Mondays at six in the morning; a Monday missed is made up for in the same week. */
const runHour = 6

/** Starts the run of the week, once. */
export async function startWeeklyRuns(scope: JobScope): Promise<void> {
  const day = localDay('de', scope.now)
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
  if (weekday === 0 && localTime('de', scope.now).hour < runHour) return
  const monday = addDays(day, -weekday)
  for (const currency of currencies) await startRun(scope, { key: `weekly:${currency}:${monday}`, currency, cause: 'schedule' })
}

/** Asks for payouts that are on their way: one job each, as calls are made outside of transactions. */
async function checkSent({ db, now }: JobScope): Promise<void> {
  for (const id of await readSentBefore(db, now)) await enqueue(db, { name: 'payouts.check', key: id, payload: { payoutId: id } })
}

export const schedules = [every(15 * 60_000, 'payouts.weekly', startWeeklyRuns), every(60_000, 'payouts.check-sent', checkSent)]

export const jobs = [
  job<{ runId: string }>('payouts.run', { run: (context, { runId }) => runPayouts(context, runId) }),
  job<{ payoutId: string }>('payouts.archive', { run: (context, { payoutId }) => archivePayout(context, payoutId) }),
  job<{ payoutId: string }, Sent | null>('payouts.check', {
    call: async ({ db, signal }, { payoutId }) => {
      const payout = await readPayout(db, payoutId)
      if (!payout?.providerReference) return null
      return paymentProvider()
        .retrievePayout(payout.providerReference, { signal })
        .catch((error: unknown) => {
          if (error instanceof ProviderRefusal) return null
          throw error
        })
    },
    commit: async (scope, { payoutId }, news) => {
      if (news) await applyNews(scope, payoutId, news)
    },
  }),
]
