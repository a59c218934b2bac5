import { actions as allActions, isAnonymous, isForStaff, reachOf, type Action } from '@purlin/contract/actions.ts'
import { StatusError, type ActionsOf, type Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'

const names = Object.keys(allActions) as Action[]

export const resolvers = {
  Query: {
    office: (_parent, _args, { principal, market }: Scope) => {
      if (principal.kind !== 'operator' && principal.kind !== 'sellerMember') throw new StatusError(403, 'FORBIDDEN', 'Staff alone')
      const open = names.filter((name) => !isAnonymous(name) && isForStaff(name) && reachOf(principal, name, market) !== null).toSorted()
      return {
        name: principal.name,
        email: principal.email,
        kind: principal.kind === 'operator' ? 'operator' : 'seller',
        sellerId: principal.kind === 'operator' ? null : principal.sellerId,
        roles: [...principal.roles],
        actions: open,
      }
    },
  },
} satisfies Resolvers

export const actions = { 'Query.office': 'office.see' } satisfies ActionsOf<typeof resolvers>
