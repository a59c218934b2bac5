import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { siteOf } from './site.ts'

export const resolvers = {
  Query: { site: (_parent, _args, scope: SiteScope) => siteOf(scope) },
} satisfies Resolvers

export const actions = {
  'Query.site': 'site.see',
} satisfies ActionsOf<typeof resolvers>
