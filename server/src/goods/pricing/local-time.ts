import { markets, type Market } from '@purlin/contract/markets.ts'

export interface LocalTime {
  /** "2026-11-21" in the market's time zone. */
  day: string
  hour: number
  minute: number
}

const minuteMs = 60_000
const formats = new Map<Market, Intl.DateTimeFormat>()
// Needed on every card of a listing: computed once per market and minute.
const remembered = new Map<Market, { minute: number; time: LocalTime }>()

/** Local time in the market's time zone. */
export function localTime(market: Market, at: Date): LocalTime {
  const minute = Math.floor(at.getTime() / minuteMs)
  const hit = remembered.get(market)
  if (hit?.minute === minute) return hit.time
  let format = formats.get(market)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: markets[market].timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(market, format)
  }
  const part: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = value
  const time = { day: `${part.year}-${part.month}-${part.day}`, hour: Number(part.hour), minute: Number(part.minute) }
  remembered.set(market, { minute, time })
  return time
}

/** "2026-11-21": the market's date at an instant. */
export function localDay(market: Market, at: Date): string {
  return localTime(market, at).day
}

/**
 * The instant at which clocks of the market show the same time on this day as they do at `like`. A time that the change to summer time
 * skips is an hour later.
 */
export function atSameTime(market: Market, day: string, like: Date): Date {
  const { hour, minute } = localTime(market, like)
  const clock = Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * minuteMs + (like.getTime() % minuteMs)
  const guess = clock - aheadOfUtc(market, clock)
  return new Date(clock - aheadOfUtc(market, guess))
}

/** Milliseconds by which the market's clocks are ahead of UTC at an instant. */
function aheadOfUtc(market: Market, at: number): number {
  const { day, hour, minute } = localTime(market, new Date(at))
  return Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * minuteMs - Math.floor(at / minuteMs) * minuteMs
}

/** The next day, or any number of days later: "2026-02-28" and 1 give "2026-03-01". */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** 0 is Sunday. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** "October 2026", of a month such as "2026-10". */
export function showMonth(market: Market, month: string): string {
  const format = new Intl.DateTimeFormat(markets[market].locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
