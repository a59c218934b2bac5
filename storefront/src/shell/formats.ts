import { dateFormat } from '@purlin/words/date-format.ts'

/** Numbers and dates in a market's format. Prices are not among them: the gateway sends those formatted. */
export interface Formats {
  number(value: number, maximumFractionDigits?: number): string
  /** "-25%" or "-25 %": whole percent off a price, in the format of the gateway's badges. */
  reduction(percent: number): string
  /** "Tue 24 Nov" */
  day(iso: string | Date): string
  /** "24 November 2026" */
  date(iso: string | Date): string
  /** "October 2026", of a month such as "2026-10". */
  month: (of: string) => string
  dateTime(iso: string | Date): string
  /** "23:35" */
  time(iso: string | Date): string
  list(parts: readonly string[]): string
}

const known = new Map<string, Formats>()

export function formatsFor({ locale, timeZone }: { locale: string; timeZone: string }): Formats {
  const key = `${locale} ${timeZone}`
  const before = known.get(key)
  if (before) return before
  const day = dateFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone })
  const date = dateFormat(locale, { dateStyle: 'long', timeZone })
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone })
  const dateTime = dateFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const list = new Intl.ListFormat(locale)
  const rounded = (digits: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits })
  const usual = rounded(2)
  const numbers = [rounded(0), rounded(1), usual, rounded(3)]
  const formats: Formats = {
    number: (value, maximumFractionDigits = 2) => (numbers[maximumFractionDigits] ?? usual).format(value),
    reduction: (off) => percent.format(-off / 100),
    day: (iso) => day.format(new Date(iso)),
    date: (iso) => date.format(new Date(iso)),
    month: (of) => month.format(new Date(`${of}-01`)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    list: (parts) => list.format(parts),
  }
  known.set(key, formats)
  return formats
}
