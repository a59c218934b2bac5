import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { pageFlags } from './flag-value.ts'
import { showConfig } from './show-config.ts'
import { holdsSwitches } from './switches.ts'

export const resolvers = {
  Query: {
    flags: async (_parent, _args, scope: SiteScope) => {
      const flags = await pageFlags(scope)
      scope.share?.(holdsSwitches())
      return flags
    },
    platformConfig: (_parent, _args, scope: SiteScope) => showConfig(scope),
  },
} satisfies Resolvers

export const actions = {
  'Query.flags': 'site.see',
  'Query.platformConfig': 'site.see',
} satisfies ActionsOf<typeof resolvers>
