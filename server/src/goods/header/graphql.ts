import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { showCampaigns, showHeader } from './show-header.ts'

export const resolvers = {
  Query: {
    header: (_parent, _args, scope: SiteScope) => showHeader(scope),
    menuCampaigns: (_parent, wanted, scope: SiteScope) => showCampaigns(scope, wanted),
  },
} satisfies Resolvers

export const actions = {
  'Query.header': 'goods.see',
  'Query.menuCampaigns': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
