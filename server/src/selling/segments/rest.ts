import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { StatusError } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { declareSegments, importedNames, importSegments } from './change-segments.ts'
import { segmentFields } from './segments.ts'

/** Fields a customer may set: exactly these three. Source: spec §7, R-580, R-581. */
const declared = v.strictObject({
  b2b_suspected_pro: v.optional(v.picklist(['VERY_HIGH_SUSPECTED_PRO', 'HIGH_SUSPECTED_PRO', 'MEDIUM_SUSPECTED_PRO', 'NOT_SUSPECTED_PRO'])),
  b2b_welcome: v.optional(v.boolean()),
  b2b_vat_modal: v.optional(v.boolean()),
})
const known: readonly string[] = importedNames
const imported = v.record(
  v.pipe(
    v.string(),
    v.check((name) => known.includes(name), 'not a segment that is imported'),
  ),
  v.nullable(v.union([v.boolean(), v.pipe(v.string(), v.maxLength(80), v.regex(/^[\w .:-]+$/))])),
)
const uuid = v.pipe(v.string(), v.uuid())
const bodyLimit = 2000

/** Segments stated by the customer, and those of external programs. */
export function routes(app: FastifyInstance, services: Services): void {
  app.patch('/api/v2/customer-segment/customers', { config: { action: 'profile.change' }, bodyLimit }, async (request, reply) => {
    const scope = services.scopeOf(request)
    if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
    if (!isOwnOrigin(request, scope.site)) throw new StatusError(403, 'FORBIDDEN', 'This request does not come from our own pages')
    reply.header('cache-control', 'no-store')
    const input = v.safeParse(declared, request.body)
    if (!input.success || Object.keys(input.output).length === 0)
      return reply.code(422).send({ error: `Any of ${Object.keys(declared.entries).join(', ')}, and nothing else` })
    const { b2b_suspected_pro: level, ...marks } = input.output
    const known = level === undefined ? marks : { ...marks, b2b_suspected_pro: v.parse(segmentFields.b2b_suspected_pro, level) }
    await services.command(scope, (command) => declareSegments(command, known))
    return reply.code(200).send(true)
  })

  app.put<{ Params: { id: string } }>(
    '/api/v1/operator/customers/:id/segments',
    { config: { action: 'segment.import' }, bodyLimit },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id } = request.params
      const input = v.safeParse(imported, request.body)
      if (!input.success) return reply.code(400).send({ error: `Values, or null, of any of ${known.join(', ')}` })
      const unknown = v.is(uuid, id) ? await services.asCommand((scope) => importSegments(scope, id, input.output)) : null
      return unknown === null ? reply.code(404).send({ error: 'There is no such customer' }) : { unknown }
    },
  )
}
