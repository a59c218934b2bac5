import { markets } from '@purlin/contract/markets.ts'
import { companyOf, readNamesOfMembers } from '#accounts'
import { allocate } from '#cart'
import { inLanguage, reference } from '#catalogue'
import { readCostCentres, readSites } from '#companies'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { periodOf } from './hold-budget.ts'
import { readFirstMonth, readNetSpending, readSpending, type SpendingCell, type SpendingGroup } from './spending-store.ts'

const monthsShown = 12
/** Calendar years to choose from, newest first. */
const maxYears = 5

/** Orders of the viewer's company in the last twelve months or in a calendar year, after refunds and with VAT; the whole without VAT as well. */
export async function showSpending(scope: Scope, by: SpendingGroup, year: number | null = null) {
  if (year !== null && (year < 2000 || year > 2999)) return null
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const { market } = scope
  const { currency, month } = periodOf(scope)
  const months = monthsUntil(year === null ? month : `${year}-12-01`)
  const period = { currency, since: months[0] ?? month, until: months.at(-1) ?? month }
  const [cells, net, first] = await Promise.all([
    readSpending(scope.db, companyId, { by, ...period }),
    readNetSpending(scope.db, companyId, period),
    readFirstMonth(scope.db, companyId, currency),
  ])
  const names = await namesBy(scope, companyId, by, cells)
  const rows = new Map<string | null, number[]>()
  for (const { subject, month: at, amount } of by === 'category' ? inMinorUnits(cells) : cells) {
    const key = subject === null ? null : await rowOf(scope, { by, subject, names })
    const amounts = rows.get(key) ?? months.map(() => 0)
    const index = months.indexOf(at)
    if (index >= 0) amounts[index] = (amounts[index] ?? 0) + amount
    rows.set(key, amounts)
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const total = sum([...rows.values()].map(sum))
  const shown = [...rows]
    .map(([subject, amounts]) => ({ name: subject === null ? null : (names.get(subject) ?? null), amounts, of: sum(amounts) }))
    .toSorted((one, other) => other.of - one.of)
  const shares = allocate(
    total === 0 ? 0 : 100,
    shown.map((row) => row.of),
  )
  return {
    currency,
    total: showMoney(market, total),
    net: net === null ? null : showMoney(market, net),
    months,
    monthTotals: months.map((_, index) => showMoney(market, sum([...rows.values()].map((amounts) => amounts[index] ?? 0)))),
    years: yearsSince(first, month),
    rows: shown.map(({ name, amounts, of }, index) => ({
      name,
      total: showMoney(market, of),
      share: (shares[index] ?? 0) / 100,
      amounts: amounts.map((amount) => showMoney(market, amount)),
    })),
  }
}

/** Whole amounts that add up in each month: what rounding leaves goes to the categories with the largest fractions. */
function inMinorUnits(cells: readonly SpendingCell[]): SpendingCell[] {
  return [...Map.groupBy(cells, ({ month }) => month).values()].flatMap((ofMonth) => {
    const total = Math.round(ofMonth.reduce((sum, { amount }) => sum + amount, 0))
    const parts = allocate(
      total,
      ofMonth.map(({ amount }) => Math.round(amount * 1000)),
    )
    return ofMonth.map((cell, index) => ({ ...cell, amount: parts[index] ?? 0 }))
  })
}

function yearsSince(first: string | null, month: string): number[] {
  if (first === null) return []
  const [from, now] = [Number(first.slice(0, 4)), Number(month.slice(0, 4))]
  return Array.from({ length: Math.min(maxYears, now - from + 1) }, (_, index) => now - index)
}

/** Colleagues whose account is closed have no names, and one row together. */
const erased = 'erased'

async function rowOf(
  scope: Scope,
  { by, subject, names }: { by: SpendingGroup; subject: string; names: ReadonlyMap<string, string> },
): Promise<string> {
  if (by === 'category') return departmentOf(scope, subject)
  return by === 'member' && !names.has(subject) ? erased : subject
}

async function departmentOf(scope: Scope, category: string): Promise<string> {
  const { categories } = await reference(scope)
  return String(categories.byId.get(Number(category))?.path[0] ?? category)
}

async function namesBy(scope: Scope, companyId: string, by: SpendingGroup, cells: readonly SpendingCell[]): Promise<Map<string, string>> {
  const { db, market } = scope
  switch (by) {
    case 'site':
      return new Map((await readSites(db, companyId)).map(({ id, name }) => [id, name]))
    case 'cost-centre':
      return new Map((await readCostCentres(db, companyId)).map(({ id, code, name }) => [id, name === '' ? code : `${code} · ${name}`]))
    case 'member': {
      const names = await readNamesOfMembers(db, companyId, [...new Set(cells.flatMap(({ subject }) => subject ?? []))])
      return names.set(erased, wordsFor(market)('spending.former-members'))
    }
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
