import { markets, type Market } from '@purlin/contract/markets.ts'
import { isPublicHoliday } from './public-holidays.ts'

/** When text messages may arrive, in the market's own time: `from` inclusive, `to` exclusive; on public holidays never. */
interface Hours {
  from: number
  to: number
  onSundays: boolean
}

const hours: Readonly<Record<Market, Hours>> = {
  es: { from: 9, to: 21, onSundays: false },
  fr: { from: 8, to: 20, onSundays: false }, // the operators' charter: no advertising at night, on Sundays and public holidays
  gb: { from: 8, to: 20, onSundays: true },
  de: { from: 8, to: 20, onSundays: false },
  it: { from: 9, to: 20, onSundays: false },
}

const options = (timeZone: string): Intl.DateTimeFormatOptions => ({
  timeZone,
  hour: '2-digit',
  hourCycle: 'h23',
  weekday: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const stepMs = 900_000
const clocks = new Map<Market, Intl.DateTimeFormat>()

function clockOf(market: Market): Intl.DateTimeFormat {
  const { timeZone } = markets[market]
  const clock = clocks.get(market) ?? new Intl.DateTimeFormat('en-GB', options(timeZone))
  clocks.set(market, clock)
  return clock
}

function isQuiet(market: Market, at: Date): boolean {
  const { from, to, onSundays } = hours[market]
  const parts = Object.fromEntries(
    clockOf(market)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const hour = Number(parts['hour'])
  if (hour < from || hour >= to || (!onSundays && parts['weekday'] === 'Sun')) return true
  return isPublicHoliday(market, `${parts['year']}-${parts['month']}-${parts['day']}`)
}

/** The earliest moment from now on at which a message may be sent, to the quarter of an hour. */
export function whenAwake(market: Market, now: Date): Date {
  let at = now
  while (isQuiet(market, at)) at = new Date((Math.floor(at.getTime() / stepMs) + 1) * stepMs)
  return at
}
