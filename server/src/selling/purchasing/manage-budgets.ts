import { markets } from '@purlin/contract/markets.ts'
import { authorize, companyOf, customerIdOf, lockCompany, readMembers } from '#accounts'
import { readCostCentres, readSites, requiresCostCentre, setCostCentreRequired } from '#companies'
import { newId, type Scope } from '#platform'
import { showMoney } from '#pricing'
import type { Budget, BudgetKind } from './budget.ts'
import { putBudget, readBudgets, readUsed, removeBudget } from './budget-store.ts'
import { periodOf } from './hold-budget.ts'

export type BudgetChange = { ok: true } | { ok: false; reason: 'unknown-subject' | 'amount-invalid' }

/** Whole units of the market's currency: the most a limit can be. */
const largestLimit = 10_000_000

/** Limits of the viewer's company with what is used this month. A buyer sees their own, and those of cost centres and sites. */
export async function showBudgets(scope: Scope) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const { db, market } = scope
  const period = periodOf(scope)
  const [members, costCentres, sites, budgets, used, isRequired] = await Promise.all([
    readMembers(db, companyId),
    readCostCentres(db, companyId),
    readSites(db, companyId),
    readBudgets(db, companyId),
    readUsed(db, companyId, period),
    requiresCostCentre(db, companyId),
  ])
  const seesAll = authorize(scope, 'spending.see', { companyId })
  const subjects = [
    ...members.filter(({ id }) => seesAll || id === customerIdOf(scope)).map(({ id, name }) => ({ kind: 'member' as const, id, name })),
    ...costCentres
      .filter(({ isArchived }) => !isArchived)
      .map(({ id, code, name }) => ({
        kind: 'cost-centre' as const,
        id,
        name: name === '' ? code : `${code} · ${name}`,
      })),
    ...sites.filter(({ isArchived }) => !isArchived).map(({ id, name }) => ({ kind: 'site' as const, id, name })),
  ]
  return {
    canManage: authorize(scope, 'budget.manage', { companyId }),
    canSeeSpending: seesAll,
    requiresCostCentre: isRequired,
    month: period.month,
    currency: period.currency,
    budgets: subjects.map(({ kind, id, name }) => {
      const found = budgets.find((each) => each.kind === kind && each.subjectId === id)
      const limit = found && found.currency === period.currency ? found : undefined
      const spent = used.find((each) => each.kind === kind && each.subjectId === id)?.used ?? 0
      return {
        kind,
        subjectId: id,
        name,
        // A limit in another currency allows nothing here.
        isForeign: found !== undefined && limit === undefined,
        monthly: moneyOf(market, limit?.monthly),
        perOrder: moneyOf(market, limit?.perOrder),
        used: showMoney(market, spent),
        share: limit?.monthly ? Math.min(1, spent / limit.monthly) : null,
      }
    }),
  }
}

/** Whether each order of the company's members has to name one of its cost centres. */
export async function requireCostCentre(scope: Scope, isRequired: boolean): Promise<void> {
  const companyId = companyOf(scope)
  if (companyId === null) throw new Error('Only members of companies set budgets')
  await setCostCentreRequired(scope.db, companyId, isRequired)
}

interface BudgetInput {
  kind: BudgetKind
  subjectId: string
  /** In whole units of the market's currency; null: no limit. */
  monthly: number | null
  perOrder: number | null
}

/** Sets the limits of a member, a cost centre or a building site; without either there are none. */
export async function setBudget(scope: Scope, { kind, subjectId, monthly, perOrder }: BudgetInput): Promise<BudgetChange> {
  const [companyId, customerId] = [companyOf(scope), customerIdOf(scope)]
  if (companyId === null || customerId === null) throw new Error('Only members of companies set budgets')
  const isWrong = (amount: number | null) => amount !== null && (!Number.isInteger(amount) || amount < 0 || amount > largestLimit)
  if (isWrong(monthly) || isWrong(perOrder)) return { ok: false, reason: 'amount-invalid' }
  if (!(await subjectsOf(scope, companyId, kind)).includes(subjectId)) return { ok: false, reason: 'unknown-subject' }
  // Approvers decide within their own limits: a decision at the same moment comes before or after.
  await lockCompany(scope.db, companyId)
  if (monthly === null && perOrder === null) await removeBudget(scope.db, companyId, kind, subjectId)
  else {
    const minor = (amount: number | null) => (amount === null ? null : amount * 100)
    const { currency } = markets[scope.market]
    const budget: Budget = { id: newId(), kind, subjectId, currency, monthly: minor(monthly), perOrder: minor(perOrder) }
    await putBudget(scope.db, companyId, budget, customerId)
  }
  return { ok: true }
}

async function subjectsOf({ db }: Scope, companyId: string, kind: BudgetKind): Promise<string[]> {
  const read = { member: readMembers, 'cost-centre': readCostCentres, site: readSites }[kind]
  return (await read(db, companyId)).map(({ id }) => id)
}

function moneyOf(market: Scope['market'], amount: number | null | undefined) {
  return amount === null || amount === undefined ? null : showMoney(market, amount)
}
