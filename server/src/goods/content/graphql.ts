import { countByBrand } from '#listing'
import { settings, type ActionsOf, type SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { findText } from './find-text.ts'
import { showBrands } from './show-brands.ts'
import { showHome } from './show-home.ts'

export const resolvers = {
  Query: {
    home: (_parent, _args, scope: SiteScope) => showHome(scope),
    brands: (_parent, _args, scope: SiteScope) => showBrands(scope),
    operator: () => settings().operator,
    text: (_parent, { name, version }, scope: SiteScope) => findText(scope, name, version),
  },
  Brand: {
    productCount: async ({ name }, _args, scope: SiteScope) => {
      const counts = await countByBrand(scope)
      return counts ? (counts.get(name) ?? 0) : null
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.home': 'goods.see',
  'Query.brands': 'goods.see',
  'Query.operator': 'site.see',
  'Query.text': 'site.see',
} satisfies ActionsOf<typeof resolvers>
