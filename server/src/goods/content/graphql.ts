import type { Brand } from '#catalogue'
import { countByBrand } from '#listing'
import { settings, type ActionsOf, type SiteScope } from '#platform'
import { findText } from './find-text.ts'
import { showBrands } from './show-brands.ts'
import { showHome } from './show-home.ts'
import type { TextName } from './text.ts'

export const resolvers = {
  Query: {
    home: (_parent: unknown, _args: unknown, scope: SiteScope) => showHome(scope),
    brands: (_parent: unknown, _args: unknown, scope: SiteScope) => showBrands(scope),
    operator: () => settings().operator,
    text: (_parent: unknown, { name, version }: { name: TextName; version?: number | null }, scope: SiteScope) =>
      findText(scope, name, version),
  },
  Brand: {
    productCount: async ({ name }: Brand, _args: unknown, scope: SiteScope) => {
      const counts = await countByBrand(scope)
      return counts ? (counts.get(name) ?? 0) : null
    },
  },
}

export const actions = {
  'Query.home': 'goods.see',
  'Query.brands': 'goods.see',
  'Query.operator': 'site.see',
  'Query.text': 'site.see',
} satisfies ActionsOf<typeof resolvers>
