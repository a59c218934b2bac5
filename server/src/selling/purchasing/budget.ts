export const budgetKinds = ['member', 'cost-centre', 'site'] as const
export type BudgetKind = (typeof budgetKinds)[number]

/** Spending limits of a member, a cost centre or a building site. Minor units with VAT; null: no limit. */
export interface Budget {
  id: string
  kind: BudgetKind
  subjectId: string
  currency: string
  monthly: number | null
  perOrder: number | null
}

/** A limit that an order would exceed. `left` is what the limit still allows. */
export interface Exceeded {
  kind: BudgetKind
  limit: 'order' | 'month' | 'currency'
  left: number
}

/** Committed in the month, without the order itself. */
export type Spent = Record<BudgetKind, number>

/** The limits an order of this amount would exceed; a limit in another currency allows nothing. */
export function exceededBy(
  { amount, currency }: { amount: number; currency: string },
  budgets: readonly Budget[],
  spent: Spent,
): Exceeded[] {
  return budgets.flatMap(({ kind, currency: own, monthly, perOrder }): Exceeded[] => {
    if (own !== currency) return [{ kind, limit: 'currency', left: 0 }]
    const left = monthly === null ? null : Math.max(0, monthly - spent[kind])
    return [
      ...(perOrder !== null && amount > perOrder ? [{ kind, limit: 'order' as const, left: perOrder }] : []),
      ...(left !== null && amount > left ? [{ kind, limit: 'month' as const, left }] : []),
    ]
  })
}
