import { markets, type Language, type Market } from '@purlin/contract/markets.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hoursShownUpTo = 72
const daysShownUpTo = 6

// The English words, leading blank included, are the specification's.
const words: Record<Language, { hours: (n: number) => string; days: (n: number) => string }> = {
  en: { hours: (n) => ` ends in ${n}h`, days: (n) => ` ends in ${n}d` },
  fr: { hours: (n) => ` se termine dans ${n} h`, days: (n) => ` se termine dans ${n} j` },
  de: { hours: (n) => ` endet in ${n} Std.`, days: (n) => ` endet in ${n} T.` },
  es: { hours: (n) => ` termina en ${n} h`, days: (n) => ` termina en ${n} d` },
  it: { hours: (n) => ` termina tra ${n} h`, days: (n) => ` termina tra ${n} g` },
}

/**
 * What is left of a promotion: hours up to 72 h, then days, nothing when more than 6 days remain.
 * Rounded down; under an hour it would say 0, so it says nothing. Source: R-663…R-666, decision 10.
 */
export function countdownLabel(market: Market, endsAt: Date | null, now: Date): string | null {
  if (!endsAt) return null
  const left = endsAt.getTime() - now.getTime()
  if (left < hourMs || left > daysShownUpTo * dayMs) return null
  const say = words[markets[market].language]
  return left <= hoursShownUpTo * hourMs ? say.hours(Math.floor(left / hourMs)) : say.days(Math.floor(left / dayMs))
}
