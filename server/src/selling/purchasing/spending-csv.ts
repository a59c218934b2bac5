import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Scope } from '#platform'
import { spreadsheetAmount, spreadsheetLine } from '#pricing'
import { showSpending } from './show-spending.ts'
import type { SpendingGroup } from './spending-store.ts'

/** The spending report for a spreadsheet: amounts as those of the market read them, without currency signs. */
export async function spendingCsv(scope: Scope, by: SpendingGroup, year: number | null): Promise<string> {
  const t = wordsFor(scope.market)
  const spending = await showSpending(scope, by, year)
  if (!spending) return ''
  const { months, rows, currency, monthTotals, total: sum } = spending
  const head = [t(headings[by]), ...months.map((month) => month.slice(0, 7)), currency]
  const line = (name: string, amounts: readonly { amount: number }[]) => [
    name,
    ...amounts.map(({ amount }) => spreadsheetAmount(scope.market, amount)),
  ]
  const lines = [
    ...rows.map(({ name, amounts, total }) => line(name ?? t('spending.other'), [...amounts, total])),
    line(t('spending.sum'), [...monthTotals, sum]),
  ]
  return `\ufeff${[head, ...lines].map((cells) => spreadsheetLine(scope.market, cells)).join('')}`
}

const headings = {
  site: 'spending.by.site',
  'cost-centre': 'spending.by.centre',
  category: 'spending.by.category',
  member: 'spending.by.member',
} as const
