import { maxCellLength, maxOrderRows, type OrderRow } from '@purlin/contract/order-rows.ts'
import { ownerOf } from '#accounts'
import { StatusError, type ActionsOf, type Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { addRows } from './add-rows.ts'
import { checkRows } from './check-rows.ts'
import { showRows } from './show-rows.ts'
import { readKeptRows } from './row-store.ts'

/** Pages cut what is too much and say so; a program that sends more made a mistake. */
function withinLimits(rows: readonly OrderRow[]): readonly OrderRow[] {
  const isTooLong = rows.some(({ code, quantity }) => code.length > maxCellLength || quantity.length > maxCellLength)
  if (rows.length > maxOrderRows || isTooLong) throw new StatusError(400, 'BAD_REQUEST', `At most ${maxOrderRows} rows of short cells`)
  return rows
}

export const resolvers = {
  Query: {
    quickOrder: async (_parent, { rows }, scope: Scope) => showRows(scope, await checkRows(scope, withinLimits(rows))),
    keptOrderRows: (_parent, _args, scope: Scope) => {
      const owner = ownerOf(scope)
      return owner === null ? [] : readKeptRows(scope.db, owner)
    },
  },
  Mutation: {
    addQuickOrder: async (_parent, { rows }, scope: Scope) => {
      const { added, left } = await addRows(scope, withinLimits(rows))
      return { added, left: await showRows(scope, left) }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.quickOrder': 'quick-order.use',
  'Query.keptOrderRows': 'quick-order.use',
  'Mutation.addQuickOrder': 'cart.change',
} satisfies ActionsOf<typeof resolvers>
