import { maxCellLength, maxOrderRows } from '@purlin/contract/order-limits.ts'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { ownerOf } from '#accounts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { StatusError, type ActionsOf, type Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { requireCostCentre, setBudget, showBudgets } from './manage-budgets.ts'
import { showSpending } from './show-spending.ts'
import { addRows } from './add-rows.ts'
import { checkRows } from './check-rows.ts'
import { showRows } from './show-rows.ts'
import { describeReferenceRefusal } from './reference-answer.ts'
import { saveOrderReference, showOrderReference } from './order-reference.ts'
import { readKeptRows } from './row-store.ts'

/** Pages cut what is too much and say so; a program that sends more made a mistake. */
function withinLimits(rows: readonly OrderRow[]): readonly OrderRow[] {
  const isTooLong = rows.some(({ code, quantity }) => code.length > maxCellLength || quantity.length > maxCellLength)
  if (rows.length > maxOrderRows || isTooLong) throw new StatusError(400, 'BAD_REQUEST', `At most ${maxOrderRows} rows of short cells`)
  return rows
}

export const resolvers = {
  Query: {
    companyBudgets: (_parent, _args, scope: Scope) => showBudgets(scope),
    companySpending: (_parent, { by, year }, scope: Scope) => showSpending(scope, by, year ?? null),
    quickOrder: async (_parent, { rows }, scope: Scope) => showRows(scope, await checkRows(scope, withinLimits(rows))),
    orderReference: (_parent, { customerOrderId }, scope: Scope) => showOrderReference(scope, customerOrderId),
    keptOrderRows: (_parent, _args, scope: Scope) => {
      const owner = ownerOf(scope)
      return owner === null ? [] : readKeptRows(scope.db, owner)
    },
  },
  Mutation: {
    setBudget: async (_parent, { kind, subjectId, monthly, perOrder }, scope: Scope) => {
      const set = await setBudget(scope, { kind, subjectId, monthly: monthly ?? null, perOrder: perOrder ?? null })
      if (set.ok) return { refusal: null }
      return { refusal: { reason: set.reason, message: wordsFor(scope.market)(`budget.refusal.${set.reason}`), fields: [] } }
    },
    requireCostCentre: async (_parent, { isRequired }, scope: Scope) => {
      await requireCostCentre(scope, isRequired)
      return { refusal: null }
    },
    saveOrderReference: async (_parent, { customerOrderId, input }, scope: Scope) => {
      const saved = await saveOrderReference(scope, customerOrderId, {
        purchaseOrder: input.purchaseOrder ?? null,
        costCentre: input.costCentre ?? null,
        siteId: input.siteId,
      })
      return { refusal: saved.ok ? null : describeReferenceRefusal(scope.market, saved) }
    },
    addQuickOrder: async (_parent, { rows, idempotencyKey }, scope: Scope) => {
      const { added, left } = await addRows(scope, withinLimits(rows), idempotencyKey ?? null)
      return { added, left: await showRows(scope, left) }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.companyBudgets': 'company.see',
  'Query.companySpending': 'spending.see',
  'Mutation.setBudget': 'budget.manage',
  'Mutation.requireCostCentre': 'budget.manage',
  'Query.quickOrder': 'quick-order.use',
  'Query.orderReference': 'order.see',
  'Mutation.saveOrderReference': 'order.refer',
  'Query.keptOrderRows': 'quick-order.use',
  'Mutation.addQuickOrder': 'cart.change',
} satisfies ActionsOf<typeof resolvers>
