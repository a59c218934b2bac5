import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { findPoints } from './find-points.ts'
import { showPoint } from './show-point.ts'

export const resolvers = {
  Query: {
    pickUpPoints: async (_parent, { near }, scope: SiteScope) => {
      const found = await findPoints(scope, near)
      if (!found.ok) return { near: null, isAvailable: found.reason !== 'unavailable', centre: null, points: [] }
      const points = found.points.map((point) => ({
        ...showPoint(scope.market, point, scope.now),
        distance: point.distance,
        isFull: point.isFull,
      }))
      return { near: found.near, isAvailable: true, centre: found.centre, points }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.pickUpPoints': 'site.see',
} satisfies ActionsOf<typeof resolvers>
