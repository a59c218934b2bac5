import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Scope } from '#platform'
import { spreadsheetAmount, spreadsheetLine } from '#pricing'
import { showSpending } from './show-spending.ts'
import type { SpendingGroup } from './spending-store.ts'

/** The spending report for a spreadsheet: amounts as those of the market read them, without currency signs. */
export async function spendingCsv(scope: Scope, by: SpendingGroup): Promise<string> {
  const t = wordsFor(scope.market)
  const spending = await showSpending(scope, by)
  if (!spending) return ''
  const { months, rows, currency } = spending
  const head = [t(headings[by]), ...months.map((month) => month.slice(0, 7)), currency]
  const lines = rows.map(({ name, amounts, total }) => [
    name ?? t('spending.other'),
    ...amounts.map(({ amount }) => spreadsheetAmount(scope.market, amount)),
    spreadsheetAmount(scope.market, total.amount),
  ])
  return `\ufeff${[head, ...lines].map((cells) => spreadsheetLine(scope.market, cells)).join('')}`
}

const headings = {
  site: 'spending.by.site',
  'cost-centre': 'spending.by.centre',
  category: 'spending.by.category',
  member: 'spending.by.member',
} as const
