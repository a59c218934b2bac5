import type { Market } from '@purlin/contract/markets.ts'
import { addDays, weekday } from './local-time.ts'

interface HolidayRule {
  /** Month and day. */
  fixed: string[]
  /** Days from Easter Sunday. */
  easter: number[]
  /** gb: a fixed day on a weekend is taken on the next working day. */
  substitute?: true
  /** gb: bank holidays on Mondays. */
  mondays?: { month: number; which: 'first' | 'last' }[]
}

/** Nationwide public holidays; regional ones do not move a delivery promise. */
const rules: Record<Market, HolidayRule> = {
  es: { fixed: ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'], easter: [-2] },
  fr: { fixed: ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'], easter: [1, 39, 50] },
  de: { fixed: ['01-01', '05-01', '10-03', '12-25', '12-26'], easter: [-2, 1, 39, 50] },
  it: {
    fixed: ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '10-04', '11-01', '12-08', '12-25', '12-26'],
    easter: [1],
  },
  gb: {
    fixed: ['01-01', '12-25', '12-26'],
    easter: [-2, 1],
    substitute: true,
    mondays: [
      { month: 5, which: 'first' },
      { month: 5, which: 'last' },
      { month: 8, which: 'last' },
    ],
  },
}

const remembered = new Map<string, Set<string>>()

/** Neither weekend nor public holiday: parcels are shipped and delivered. */
export function isWorkingDay(market: Market, day: string): boolean {
  return !isWeekend(day) && !holidays(market, Number(day.slice(0, 4))).has(day)
}

/** The working day `count` working days later; 0 gives the first working day from this day on. */
export function workingDayAfter(market: Market, day: string, count: number): string {
  let at = day
  while (!isWorkingDay(market, at)) at = addDays(at, 1)
  for (let left = count; left > 0; left -= 1) {
    at = addDays(at, 1)
    while (!isWorkingDay(market, at)) at = addDays(at, 1)
  }
  return at
}

export function holidays(market: Market, year: number): ReadonlySet<string> {
  const key = `${market}${year}`
  const hit = remembered.get(key)
  if (hit) return hit
  const rule = rules[market]
  const easter = easterSunday(year)
  const days = new Set(rule.easter.map((offset) => addDays(easter, offset)))
  for (const { month, which } of rule.mondays ?? []) days.add(monday(year, month, which))
  for (const date of rule.fixed) {
    let day = `${year}-${date}`
    if (rule.substitute) while (isWeekend(day) || days.has(day)) day = addDays(day, 1)
    days.add(day)
  }
  remembered.set(key, days)
  return days
}

function isWeekend(day: string): boolean {
  const of = weekday(day)
  return of === 0 || of === 6
}

function monday(year: number, month: number, which: 'first' | 'last'): string {
  const padded = String(month).padStart(2, '0')
  let day = which === 'first' ? `${year}-${padded}-01` : addDays(`${year}-${padded}-01`, 30)
  while (weekday(day) !== 1) day = addDays(day, which === 'first' ? 1 : -1)
  return day
}

/** Gregorian computus (Butcher). */
function easterSunday(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114
  return `${year}-${String(Math.floor(f / 31)).padStart(2, '0')}-${String((f % 31) + 1).padStart(2, '0')}`
}
