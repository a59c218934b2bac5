import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { OpeningHours, PickUpPoint } from './point.ts'

/** A point as pages and mails show it: opening hours by groups of days, closures that have not ended. */
export function showPoint(market: Market, point: PickUpPoint, now: Date) {
  const today = now.toISOString().slice(0, 10)
  return {
    ...point,
    hours: hoursOf(market, point.openingHours),
    closed: point.closures.filter(({ to }) => to >= today).map((closure) => ({ ...closure })),
  }
}

/** "Mon–Fri": neighbouring days with the same hours together; days without hours are closed. */
function hoursOf(market: Market, openingHours: readonly OpeningHours[]): { days: string; hours: string }[] {
  const t = wordsFor(market)
  const ofDay = (day: number) =>
    openingHours
      .filter((each) => each.day === day)
      .map(({ opens, closes }) => `${opens}–${closes}`)
      .join(', ')
  const groups: { from: number; to: number; hours: string }[] = []
  for (let day = 1; day <= 7; day++) {
    const hours = ofDay(day)
    const last = groups.at(-1)
    if (last?.hours === hours) last.to = day
    else groups.push({ from: day, to: day, hours })
  }
  if (groups.length === 1 && groups[0]?.hours === '00:00–24:00') return [{ days: t('pick-up.always'), hours: '' }]
  return groups.map(({ from, to, hours }) => ({
    days: from === to ? dayName(market, from) : `${dayName(market, from)}–${dayName(market, to)}`,
    hours: hours || t('pick-up.closed'),
  }))
}

/** The first of January 2024 was a Monday. */
function dayName(market: Market, day: number): string {
  return new Intl.DateTimeFormat(markets[market].locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))
}

/** Lines of its address, as on a label. */
export function pointLines({ name, line1, postcode, city }: Pick<PickUpPoint, 'name' | 'line1' | 'postcode' | 'city'>): string[] {
  return [name, line1, `${postcode} ${city}`]
}
