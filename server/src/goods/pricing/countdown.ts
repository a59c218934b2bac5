import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hoursShownUpTo = 72
const daysShownUpTo = 6

/**
 * Time left of a promotion: in hours up to 72 h, then in days, nothing when more than 6 days remain.
 * Rounded down; under an hour it would show 0, so it shows nothing. Source: R-663…R-666, decision 10.
 */
export function countdownLabel(market: Market, endsAt: Date | null, now: Date): string | null {
  if (!endsAt) return null
  const left = endsAt.getTime() - now.getTime()
  if (left < hourMs || left > daysShownUpTo * dayMs) return null
  const t = wordsFor(market)
  // The English text, including the leading blank, is the specification's.
  return left <= hoursShownUpTo * hourMs
    ? t('badge.ends-in-hours', { hours: Math.floor(left / hourMs) })
    : t('badge.ends-in-days', { days: Math.floor(left / dayMs) })
}
