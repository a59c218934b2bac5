import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { recommend } from './recommend.ts'

const maxProducts = 20

export const resolvers = {
  Query: {
    recommendations: (_parent, { placement, productIds, categoryId }, scope: SiteScope) =>
      recommend(scope, {
        placement,
        productIds: (productIds ?? []).filter((id) => /^\d{1,18}$/.test(id)).slice(0, maxProducts),
        categoryId: categoryId ?? null,
      }),
  },
} satisfies Resolvers

export const actions = { 'Query.recommendations': 'goods.see' } satisfies ActionsOf<typeof resolvers>
