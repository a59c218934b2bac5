import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { isId } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { conversionStates } from './conversion.ts'
import { decideConversion } from './decide-conversion.ts'
import { listConversions } from './store.ts'

const pageSize = 100
const query = v.object({
  state: v.optional(v.picklist(conversionStates), 'lead'),
  after: v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((text) => new Date(text)),
    ),
  ),
})
const decision = v.strictObject({ decision: v.picklist(['accept', 'refuse']) })
const statusOf = { 'unknown-conversion': 404, 'decided-otherwise': 409 } as const

/** Operators look up companies whose VAT number did not settle it: `GET /api/v1/operator/conversions`, then `PUT …/{id}`. */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  const config = { action: 'conversion.decide' } as const
  app.get('/api/v1/operator/conversions', { config }, async (request, reply) => {
    const asked = v.safeParse(query, request.query)
    if (!asked.success) return reply.code(400).send({ error: 'state is lead, converted or refused; after is a time' })
    const { state, after = null } = asked.output
    const found = await listConversions(db, { state, after, limit: pageSize })
    return { conversions: found, after: found.length === pageSize ? (found.at(-1)?.requestedAt ?? null) : null }
  })
  app.put<{ Params: { id: string } }>('/api/v1/operator/conversions/:id', { config }, async (request, reply) => {
    const input = v.safeParse(decision, request.body)
    if (!input.success) return reply.code(400).send({ error: 'decision is accept or refuse' })
    const { id } = request.params
    const result = isId(id)
      ? await asCommand((scope) => decideConversion(scope, id, input.output.decision))
      : ({ ok: false, reason: 'unknown-conversion' } as const)
    return result.ok ? result.conversion : reply.code(statusOf[result.reason]).send({ error: result.reason })
  })
}
