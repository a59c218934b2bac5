import { operatorOf } from '#markets'
import type { Scope } from '#platform'
import { findText } from './find-text.ts'
import { showHome } from './show-home.ts'
import type { TextName } from './text.ts'

export const resolvers = {
  Query: {
    home: (_parent: unknown, _args: unknown, scope: Scope) => showHome(scope),
    operator: (_parent: unknown, _args: unknown, { market }: Scope) => operatorOf(market),
    text: (_parent: unknown, { name, version }: { name: TextName; version?: number | null }, scope: Scope) =>
      findText(scope, name, version),
  },
}
