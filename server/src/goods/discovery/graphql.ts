import { showCarousels, queryOfSlug } from '#listing'
import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { bestSellers, bestSellersOf } from './best-sellers.ts'
import { showHub } from './hub.ts'
import { inspirations, showInspiration } from './inspiration.ts'
import { currentOperations, findOperation, operationState, operationUrl } from './operations.ts'
import { isPaint, ownPaintUrl, showPaint, sitemapPaints } from './paint.ts'
import { popularByDepartment, popularInCategory } from './popular-queries.ts'

/** Cards of an operation on the page of all. */
const operationCards = 8

export const resolvers = {
  Query: {
    bestSellers: (_parent, _args, scope: SiteScope) => bestSellers(scope),
    bestSellersOf: (_parent, { categoryId }, scope: SiteScope) => bestSellersOf(scope, categoryId),
    operations: (_parent, _args, scope: SiteScope) => currentOperations(scope),
    operation: (_parent, { id }, scope: SiteScope) => findOperation(scope, id),
    hub: (_parent, { categoryId }, scope: SiteScope) => showHub(scope, categoryId),
    paint: (_parent, { productId, ...need }, scope: SiteScope) => showPaint(scope, productId, need),
    sitemapPaints: (_parent, _args, scope: SiteScope) => sitemapPaints(scope),
    inspirations: (_parent, _args, scope: SiteScope) => inspirations(scope),
    inspiration: (_parent, { slug }, scope: SiteScope) => showInspiration(scope, slug),
    popularQueries: (_parent, _args, scope: SiteScope) => popularByDepartment(scope),
    popularQueriesOf: (_parent, { categoryId }, scope: SiteScope) => popularInCategory(scope, categoryId),
    popularQuery: (_parent, { slug }, scope: SiteScope) => queryOfSlug(scope, slug),
  },
  Product: {
    paintUrl: ({ product }, _args, scope: SiteScope) => (isPaint(product) ? ownPaintUrl(product, scope.market) : null),
  },
  Operation: {
    url: operationUrl,
    state: (operation, _args, scope: SiteScope) => operationState(operation, scope.now),
    startsAt: ({ startsAt }) => startsAt.toISOString(),
    endsAt: ({ endsAt }) => endsAt.toISOString(),
    products: async (operation, _args, scope: SiteScope) => {
      if (operationState(operation, scope.now) !== 'running') return []
      const filters = [[`commercialOperationIds:${operation.id}`]]
      return (await showCarousels(scope, [{ filters, sort: 'discount', size: operationCards }]))[0] ?? []
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.bestSellers': 'goods.see',
  'Query.bestSellersOf': 'goods.see',
  'Query.operations': 'goods.see',
  'Query.operation': 'goods.see',
  'Query.hub': 'goods.see',
  'Query.paint': 'goods.see',
  'Query.inspirations': 'goods.see',
  'Query.inspiration': 'goods.see',
  'Query.sitemapPaints': 'goods.see',
  'Query.popularQueries': 'goods.see',
  'Query.popularQueriesOf': 'goods.see',
  'Query.popularQuery': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
