import { markets } from '@purlin/contract/markets.ts'
import { companyOf, readMembers } from '#accounts'
import { inLanguage, reference } from '#catalogue'
import { readCostCentres, readSites } from '#companies'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { periodOf } from './hold-budget.ts'
import { readSpending, type SpendingGroup } from './spending-store.ts'

const monthsShown = 12

/** Orders of the viewer's company in the last twelve months, after refunds and with VAT. */
export async function showSpending(scope: Scope, by: SpendingGroup) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const { market } = scope
  const { currency, month } = periodOf(scope)
  const months = monthsUntil(month)
  const [cells, names] = await Promise.all([
    readSpending(scope.db, companyId, { by, currency, since: months[0] ?? month }),
    namesBy(scope, companyId, by),
  ])
  const rows = new Map<string | null, number[]>()
  for (const { subject, month: at, amount } of cells) {
    const key = by === 'category' && subject !== null ? await departmentOf(scope, subject) : subject
    const amounts = rows.get(key) ?? months.map(() => 0)
    const index = months.indexOf(at)
    if (index >= 0) amounts[index] = (amounts[index] ?? 0) + amount
    rows.set(key, amounts)
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const total = sum([...rows.values()].map(sum))
  const shown = [...rows].map(([subject, amounts]) => ({
    name: subject === null ? null : (names.get(subject) ?? null),
    amounts,
    of: sum(amounts),
  }))
  return {
    currency,
    total: showMoney(market, total),
    months,
    monthTotals: months.map((_, index) => showMoney(market, sum([...rows.values()].map((amounts) => amounts[index] ?? 0)))),
    rows: shown
      .toSorted((one, other) => other.of - one.of)
      .map(({ name, amounts, of }) => ({
        name,
        total: showMoney(market, of),
        share: total === 0 ? 0 : of / total,
        amounts: amounts.map((amount) => showMoney(market, amount)),
      })),
  }
}

async function departmentOf(scope: Scope, category: string): Promise<string> {
  const { categories } = await reference(scope)
  return String(categories.byId.get(Number(category))?.path[0] ?? category)
}

async function namesBy(scope: Scope, companyId: string, by: SpendingGroup): Promise<Map<string, string>> {
  const { db, market } = scope
  switch (by) {
    case 'site':
      return new Map((await readSites(db, companyId)).map(({ id, name }) => [id, name]))
    case 'cost-centre':
      return new Map((await readCostCentres(db, companyId)).map(({ id, code, name }) => [id, name === '' ? code : `${code} · ${name}`]))
    case 'member':
      return new Map((await readMembers(db, companyId)).map(({ id, name }) => [id, name]))
    case 'category': {
      const { categories } = await reference(scope)
      return new Map([...categories.byId.values()].map(({ id, names }) => [String(id), inLanguage(names, markets[market].language)]))
    }
  }
}

/** The twelve months that end with this one, as their first days. */
function monthsUntil(month: string): string[] {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return Array.from({ length: monthsShown }, (_, index) => new Date(Date.UTC(year, at - monthsShown + index, 1)).toISOString().slice(0, 10))
}
