/** Formats dates for a locale, for example "24 November 2026". */
export interface DateFormat {
  format(date: Date): string
}

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
