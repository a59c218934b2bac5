/**
 * The same time of day so many calendar months earlier, in UTC; on the last day of a month that is shorter. Six months before 31 May are
 * 30 November, as Postgres counts them too.
 */
export function monthsBefore(date: Date, months: number): Date {
  const before = new Date(date)
  before.setUTCDate(1)
  before.setUTCMonth(before.getUTCMonth() - months)
  const days = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate()
  before.setUTCDate(Math.min(date.getUTCDate(), days))
  return before
}
