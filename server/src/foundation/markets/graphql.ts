import type { ActionsOf, SiteScope } from '#platform'
import { siteOf } from './site.ts'

export const resolvers = {
  Query: { site: (_parent: unknown, _args: unknown, scope: SiteScope) => siteOf(scope) },
}

export const actions = {
  'Query.site': 'site.see',
} satisfies ActionsOf<typeof resolvers>
