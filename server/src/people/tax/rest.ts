import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Services } from '../../edges/gateway/services.ts'
import { confirmNumber, listNumbersInReview } from './store.ts'

const pageSize = 100
const query = v.object({ after: v.optional(v.string()) })
const confirmation = v.strictObject({ owner: v.string(), vatNumber: v.string() })

/** Operators look up numbers that registers know, but not under the name of the owner: `GET /api/v1/operator/vat-numbers`, then `POST …/confirm`. */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  const config = { action: 'conversion.decide' } as const
  app.get('/api/v1/operator/vat-numbers', { config }, async (request, reply) => {
    const asked = v.safeParse(query, request.query)
    if (!asked.success) return reply.code(400).send({ error: 'after is an owner' })
    const vatNumbers = await listNumbersInReview(db, { after: asked.output.after ?? null, limit: pageSize })
    return { vatNumbers, after: vatNumbers.length === pageSize ? (vatNumbers.at(-1)?.owner ?? null) : null }
  })
  app.post('/api/v1/operator/vat-numbers/confirm', { config }, async (request, reply) => {
    const input = v.safeParse(confirmation, request.body)
    if (!input.success) return reply.code(400).send({ error: 'owner and vatNumber as listed' })
    const { owner, vatNumber } = input.output
    const isConfirmed = await asCommand((scope) => confirmNumber(scope.db, owner, vatNumber))
    return isConfirmed ? { owner, vatNumber } : reply.code(404).send({ error: 'not-in-review' })
  })
}
