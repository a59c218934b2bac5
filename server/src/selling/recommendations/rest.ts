import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { purgePages } from '#platform'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { placements, sources } from './model.ts'
import { forgetRecommendations, recommendationsTag } from './recommend.ts'
import { readPlacements, writePlacement } from './store.ts'

const input = v.strictObject({ sources: v.pipe(v.array(v.picklist(sources)), v.maxLength(sources.length)) })
const placement = v.picklist(placements)

/** Sources of each placement: listed and set by operators. */
export function routes(app: FastifyInstance, { asCommand, db }: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'search.tune')
    const base = '/api/v1/operator/recommendations'
    inner.get(base, async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { placements: await readPlacements(db) }
    })
    inner.put<{ Params: { placement: string } }>(`${base}/:placement`, async ({ params, body }, reply) => {
      const named = v.safeParse(placement, params.placement)
      const given = v.safeParse(input, body)
      if (!named.success) return reply.code(404).send({ error: 'There is no such placement' })
      if (!given.success) return reply.code(400).send({ error: `sources: any of ${sources.join(', ')}` })
      await asCommand(async (scope) => {
        await writePlacement(scope.db, { placement: named.output, sources: given.output.sources })
        await purgePages(scope.db, [recommendationsTag])
      })
      forgetRecommendations()
      return reply.code(204).send()
    })
  })
}
