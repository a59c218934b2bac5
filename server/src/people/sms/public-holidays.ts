import type { Market } from '@purlin/contract/markets.ts'

/** Public holidays of a whole country: fixed ones as month-day, movable ones in days from Easter Sunday. Regional ones are working days. */
interface Holidays {
  fixed: readonly string[]
  fromEaster: readonly number[]
}

const goodFriday = -2
const easterMonday = 1
const ascension = 39
const whitMonday = 50

const holidays: Readonly<Record<Market, Holidays>> = {
  es: { fixed: ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'], fromEaster: [goodFriday] },
  fr: {
    fixed: ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'],
    fromEaster: [easterMonday, ascension, whitMonday],
  },
  // Bank holidays on the Mondays of May and August, and days in lieu, are ordinary trading days.
  gb: { fixed: ['01-01', '12-25', '12-26'], fromEaster: [goodFriday, easterMonday] },
  de: { fixed: ['01-01', '05-01', '10-03', '12-25', '12-26'], fromEaster: [goodFriday, easterMonday, ascension, whitMonday] },
  it: {
    // 4 October again from 2026 on (Legge 151/2025)
    fixed: ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '10-04', '11-01', '12-08', '12-25', '12-26'],
    fromEaster: [easterMonday],
  },
}

/** Whether a calendar day, "2026-12-25" in the market's own time, is a public holiday. */
export function isPublicHoliday(market: Market, day: string): boolean {
  const { fixed, fromEaster } = holidays[market]
  if (fixed.includes(day.slice(5))) return true
  const sinceEaster = Math.round((Date.parse(day) - easterSunday(Number(day.slice(0, 4)))) / 86_400_000)
  return fromEaster.includes(sinceEaster)
}

/** Easter Sunday of the Gregorian calendar, as a moment at midnight UTC (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const ofMarch = h + l - 7 * m + 22
  return Date.UTC(year, 2, ofMarch)
}
