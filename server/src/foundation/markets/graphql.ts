import type { Scope } from '#platform'
import { siteOf } from './site.ts'

export const resolvers = {
  Query: { site: (_parent: unknown, _args: unknown, scope: Scope) => siteOf(scope) },
}
