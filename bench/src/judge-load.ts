import type { Purchases } from '@purlin/e2e/chaos/buyers.ts'
import { figure, type Figure } from './figures.ts'
import type { Peak } from './goodput.ts'

/** The responses of all loads that must not occur. Every other status than 200 and 503 is a miss, and named. */
export function judgeResponses(peaks: readonly Peak[]): Figure[] {
  const unexpected = new Map<number, number>()
  for (const peak of peaks) for (const [status, count] of peak.unexpected) unexpected.set(status, (unexpected.get(status) ?? 0) + count)
  const named = [...unexpected].map(([status, count]) => `${count} × ${status}`).join(', ')
  const sum = (what: 'failed' | 'broken') => peaks.reduce((all, peak) => all + peak[what], 0)
  const others = [...unexpected.values()].reduce((all, count) => all + count, 0)
  // A load that was answered with 503 alone, or not at all, breaks nothing and serves nobody.
  const unserved = peaks.length === 0 ? 1 : peaks.filter(({ good }) => !(good > 0)).length
  return [
    figure('loads without one good answer', unserved, 'loads', '<= 0'),
    figure('answers with 500', sum('failed'), 'answers', '<= 0'),
    figure(`answers with 3xx or 4xx${named && `: ${named}`}`, others, 'answers', '<= 0'),
    figure('requests without an answer', sum('broken'), 'requests', '<= 0'),
  ]
}

/** A share of fewer purchases says little: one that fails must not be the only one. */
const fewestPurchases = 20

/**
 * Whether checkout completes for the buyers who began in one of these loads, but for those who leave; and the failures that any buyer met,
 * also those that passed at the next try.
 */
export function judgePurchases(
  { attempts, violations }: Pick<Purchases, 'attempts' | 'violations'>,
  isCounted: (during: string) => boolean,
): Figure[] {
  const counted = attempts.filter(({ during, outcome }) => isCounted(during) && outcome !== 'left without paying')
  const paid = counted.filter(({ outcome }) => outcome === 'paid').length
  const reasons = new Map<string, number>()
  for (const { outcome } of counted) if (outcome !== 'paid') reasons.set(outcome, (reasons.get(outcome) ?? 0) + 1)
  for (const [reason, count] of reasons) process.stderr.write(`${count} purchases ended: ${reason}\n`)
  for (const { what } of violations.slice(0, 10)) process.stderr.write(`${what}\n`)
  return [
    figure('purchases begun during the load, but for buyers who leave', counted.length, 'purchases', `>= ${fewestPurchases}`),
    figure('of these completed', (100 * paid) / Math.max(1, counted.length), '%', '>= 99'),
    figure('answers with 500, and orders shown to others, that buyers met', violations.length, 'answers', '<= 0'),
  ]
}
