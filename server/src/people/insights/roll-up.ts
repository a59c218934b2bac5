import { marketCodes } from '@purlin/contract/markets.ts'
import { isTimeout, PermanentError, type Db, type LongContext } from '#platform'
import { attributeOrders } from './order-channel.ts'
import { countedPages, otherPage } from './known-pages.ts'
import { replaceCounts, type Count, type MarketDay } from './replace-counts.ts'
import { countChannels, countRecommendations } from './roll-up-channels.ts'

const dayMs = 86_400_000

interface Piece {
  name: string
  count: Count
}

// Roll-ups are kept for ever, so invented names of pages must not fill them.
const count = {
  name: 'insights.count-events',
  text: `select $1::text as span, date_trunc($1, at, 'UTC') as start, market, mode, name,
      case when page_name = any($5) then page_name else '${otherPage}' end as page_name, device,
      count(*)::int as events, count(distinct visitor_id)::int as visitors
    from insights.event where day = $2::date and market = $3 and at >= date_trunc($1, $4::timestamptz, 'UTC') group by 2, market, mode, name, 6, device`,
}
const store = replaceCounts({
  name: 'insights.roll-up',
  table: 'roll_up',
  within: `span = $2 and market = $4 and start >= greatest(date_trunc($2, $5::timestamptz, 'UTC'), $3::date::timestamp at time zone 'UTC')
    and start < ($3::date + 1)::timestamp at time zone 'UTC'`,
  columns: { span: 'text', start: 'timestamptz', market: 'text', mode: 'text', name: 'text', page_name: 'text', device: 'text' },
  counts: ['events', 'visitors'],
})

const countSpan =
  (span: 'hour' | 'day', { day, market }: MarketDay, from: Date): Count =>
  async (reports) => {
    const rows = await reports.rows(count, [span, day, market, from, countedPages])
    return async (db) => void (await db.run(store, [JSON.stringify(rows), span, day, market, from]))
  }

/** Visitors of a day are counted last: that takes longest. */
function piecesOf(from: Date, until: Date): Piece[] {
  const first = Math.floor(from.getTime() / dayMs)
  const days = Array.from({ length: Math.floor(until.getTime() / dayMs) - first + 1 }, (_, at) => new Date((first + at) * dayMs))
  const marketDays = days.flatMap((day) => marketCodes.map((market): MarketDay => ({ day: day.toISOString().slice(0, 10), market })))
  const each = (what: string, counting: (of: MarketDay) => Count) =>
    marketDays.map((of) => ({ name: `${what} ${of.day} ${of.market}`, count: counting(of) }))
  return [
    ...each('hours', (of) => countSpan('hour', of, from)),
    { name: 'orders', count: attributeOrders(from) },
    ...each('channels', countChannels),
    ...each('recommendations', countRecommendations),
    ...each('day', (of) => countSpan('day', of, from)),
  ]
}

/**
 * Counts the hours and days since `from` again from the events themselves, so that late events and repeated runs change
 * nothing but the truth; rows whose last event a withdrawal has deleted go. Events may be a day late: an hourly run from 25 hours back completes what the frequent runs counted.
 */
export async function rollUp(db: Db, from: Date, until = new Date()): Promise<void> {
  for (const { count: counting } of piecesOf(from, until)) await (await counting(db.reports))(db)
}

export const rollUpJob = 'insights.roll-up-pieces'

export interface RollUp {
  hours: number
  /** Whether the job fails with a piece, and is retried; otherwise the piece is left to a later run. */
  isComplete?: boolean
}

/** Rolls up as a long job. A piece that fails holds up no other one. */
export async function rollUpInPieces(
  { db, now, state, signal, log, checkpoint }: LongContext,
  { hours, isComplete = false }: RollUp,
): Promise<void> {
  let done = Array.isArray(state) ? state : []
  const failed: string[] = []
  let tookTooLong = false
  for (const { name, count: counting } of piecesOf(new Date(now.getTime() - hours * 3_600_000), now)) {
    if (done.includes(name)) continue
    try {
      const write = await counting(db.reports)
      await checkpoint([...done, name], (scope) => write(scope.db))
      done = [...done, name]
    } catch (error) {
      signal.throwIfAborted()
      failed.push(name)
      tookTooLong ||= isTimeout(error)
      log.error({ piece: name, reason: error instanceof Error ? error.message : String(error) }, 'part of a roll-up failed')
    }
  }
  // Finished pieces are in the checkpoint: a retry counts only the failed ones.
  if (!isComplete || failed.length === 0) return
  const problem = `Not rolled up: ${failed.join(', ')}`
  // A count that took a minute in vain takes it again: that is for the next hour, not for the minutes that follow.
  throw tookTooLong ? new PermanentError(problem) : new Error(problem)
}
