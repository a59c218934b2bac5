import { intlOf, type DateFormat, type LocaleIntl } from './translate.ts'

/**
 * A date formatter. French writes the first day of a month as an ordinal ("1er novembre"), which CLDR's patterns do not:
 * wherever the month is a word, so is the first day here.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): DateFormat {
  const format = new Intl.DateTimeFormat(locale, options)
  if (!locale.startsWith('fr')) return format
  return {
    format: (date) => {
      const parts = format.formatToParts(date)
      const isNamed = parts.some(({ type, value }) => type === 'month' && /\p{L}/u.test(value))
      return parts.map(({ type, value }) => (isNamed && type === 'day' && value === '1' ? '1er' : value)).join('')
    },
  }
}

/** Formats for messages on the server. The few messages that scripts format have no days: the script of every page has no room for this. */
export function serverIntl(locale: string): LocaleIntl {
  const dates = new Map<string, DateFormat>()
  return {
    ...intlOf(locale),
    date(options) {
      const key = JSON.stringify(options)
      const format = dates.get(key) ?? dateFormat(locale, options)
      dates.set(key, format)
      return format
    },
  }
}
