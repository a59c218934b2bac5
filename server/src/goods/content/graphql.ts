import { countByBrand } from '#listing'
import { settings, type ActionsOf, type SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { findEntry } from './find-entry.ts'
import { findText } from './find-text.ts'
import { listEntries } from './list-entries.ts'
import { showBrands } from './show-brands.ts'
import { showEntry } from './show-entry.ts'
import { showHome } from './show-home.ts'

export const resolvers = {
  Query: {
    home: (_parent, _args, scope: SiteScope) => showHome(scope),
    brands: (_parent, _args, scope: SiteScope) => showBrands(scope),
    operator: () => settings().operator,
    text: (_parent, { name, version }, scope: SiteScope) => findText(scope, name, version),
    entry: async (_parent, { kind, id, preview, measures }, scope: SiteScope) => {
      const found = await findEntry(scope, kind, { id }, preview)
      return found && showEntry(scope, found, measures ?? [])
    },
    entryOfKey: async (_parent, { kind, key, preview }, scope: SiteScope) => {
      const found = await findEntry(scope, kind, { key }, preview)
      return found && showEntry(scope, found, [])
    },
    entries: (_parent, wanted, scope: SiteScope) => listEntries(scope, wanted),
  },
  Product: {
    guides: ({ product }, _args, scope: SiteScope) => listEntries(scope, { kind: 'guide', categoryId: product.categoryId, first: 4 }),
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
  'Query.entry': 'goods.see',
  'Query.entryOfKey': 'goods.see',
  'Query.entries': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
