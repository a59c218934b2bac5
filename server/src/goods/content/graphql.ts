import type { Brand } from '#catalogue'
import { countByBrand } from '#listing'
import { settings, type Scope } from '#platform'
import { findText } from './find-text.ts'
import { showBrands } from './show-brands.ts'
import { showHome } from './show-home.ts'
import type { TextName } from './text.ts'

export const resolvers = {
  Query: {
    home: (_parent: unknown, _args: unknown, scope: Scope) => showHome(scope),
    brands: (_parent: unknown, _args: unknown, scope: Scope) => showBrands(scope),
    operator: () => settings().operator,
    text: (_parent: unknown, { name, version }: { name: TextName; version?: number | null }, scope: Scope) =>
      findText(scope, name, version),
  },
  Brand: {
    productCount: async ({ name }: Brand, _args: unknown, scope: Scope) => {
      const counts = await countByBrand(scope)
      return counts ? (counts.get(name) ?? 0) : null
    },
  },
}
