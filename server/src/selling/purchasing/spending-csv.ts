import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Scope } from '#platform'
import { showSpending } from './show-spending.ts'
import type { SpendingGroup } from './spending-store.ts'

/** The spending report for a spreadsheet: amounts with a decimal point, without currency signs. */
export async function spendingCsv(scope: Scope, by: SpendingGroup): Promise<string> {
  const t = wordsFor(scope.market)
  const spending = await showSpending(scope, by)
  if (!spending) return ''
  const { months, rows, currency } = spending
  const head = [t(headings[by]), ...months.map((month) => month.slice(0, 7)), currency]
  const lines = rows.map(({ name, amounts, total }) => [
    name ?? t('spending.other'),
    ...amounts.map(({ amount }) => decimal(amount)),
    decimal(total.amount),
  ])
  return `\ufeff${[head, ...lines].map((cells) => cells.map(cell).join(';')).join('\r\n')}\r\n`
}

const headings = {
  site: 'spending.by.site',
  'cost-centre': 'spending.by.centre',
  category: 'spending.by.category',
  member: 'spending.by.member',
} as const

function decimal(minor: number): string {
  return (minor / 100).toFixed(2)
}

/** Quoted; a name that a spreadsheet would read as a formula is text. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${safe.replaceAll('"', '""')}"`
}
