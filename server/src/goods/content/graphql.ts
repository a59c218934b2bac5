import type { Scope } from '#platform'
import { showHome } from './show-home.ts'

export const resolvers = {
  Query: { home: (_parent: unknown, _args: unknown, scope: Scope) => showHome(scope) },
}
