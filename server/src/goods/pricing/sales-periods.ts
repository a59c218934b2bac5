import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay, weekday } from './local-time.ts'
import { isWorkingDay } from './holidays.ts'

interface Period {
  from: string
  to: string
}

/**
 * Periods in which goods may be sold "in the sales" by law or by the regions' calendars; null where a seller may
 * call a reduction a sale at any time. Source: R-400.
 */
const periods: Record<Market, ((year: number) => Period[]) | null> = {
  // Code de commerce L310-3, arrêté of 27 May 2019: four weeks from the second Wednesday of January
  // (the first when the second falls after the 12th) and from the last Wednesday of June (the one
  // before when it falls after the 28th). Border and overseas départements have dates of their own.
  fr: (year) => {
    let winter = nthWeekday(`${year}-01-01`, 3, 2)
    if (winter > `${year}-01-12`) winter = addDays(winter, -7)
    let summer = lastWeekday(`${year}-06-30`, 3)
    if (summer > `${year}-06-28`) summer = addDays(summer, -7)
    return [weeks(winter, 4), weeks(summer, 4)]
  },
  // D.lgs. 114/1998 art. 15; the regions' common dates: the first working day before Epiphany and the
  // first Saturday of July, at most 60 days each.
  it: (year) => {
    let winter = `${year}-01-05`
    while (!isWorkingDay('it', winter)) winter = addDays(winter, -1)
    const summer = nthWeekday(`${year}-07-01`, 6, 1)
    return [
      { from: winter, to: addDays(winter, 59) },
      { from: summer, to: addDays(summer, 59) },
    ]
  },
  // Ley 7/1996 art. 25 leaves the dates to the trader since 2012; the shop keeps to the two customary
  // seasons that regional calendars name, so that "rebajas" keeps its meaning.
  es: (year) => [
    { from: `${year}-01-07`, to: `${year}-03-06` },
    { from: `${year}-07-01`, to: `${year}-08-31` },
  ],
  gb: null,
  de: null,
}

/** Whether an offer may have the "sales" badge on this day, in the market's calendar. */
export function inSalesPeriod(market: Market, now: Date): boolean {
  const of = periods[market]
  if (!of) return true
  const day = localDay(market, now)
  return of(Number(day.slice(0, 4))).some(({ from, to }) => day >= from && day <= to)
}

function weeks(from: string, count: number): Period {
  return { from, to: addDays(from, count * 7 - 1) }
}

function nthWeekday(from: string, wanted: number, nth: number): string {
  let day = from
  while (weekday(day) !== wanted) day = addDays(day, 1)
  return addDays(day, (nth - 1) * 7)
}

function lastWeekday(until: string, wanted: number): string {
  let day = until
  while (weekday(day) !== wanted) day = addDays(day, -1)
  return day
}
