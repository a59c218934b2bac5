import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { openFile, sendFile } from '#files'
import { findPart, withoutContacts } from '#messages'
import { isId, StatusError } from '#platform'
import { findUpload } from '#uploads'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { disputeStates, unknownOrder } from './dispute.ts'
import { endIncidentAsOperator, incidentDeeds } from './end-unclaimed.ts'
import { moveAs } from './move-dispute.ts'
import { findDispute, isFileOf, readDisputesIn, readSteps } from './store.ts'

const query = v.object({ state: v.optional(v.picklist(disputeStates), 'mediation') })
const decision = v.strictObject({
  /** Minor units with VAT that the seller gives back; 0 for none. */
  amount: v.pipe(v.number(), v.integer(), v.minValue(0)),
  note: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(2_000)),
})

const ending = v.strictObject({ do: v.picklist(incidentDeeds) })

/** Evidence for the parties, and mediation: operators list disputes, read one and decide it, and end incidents without a dispute. */
export function routes(app: FastifyInstance, services: Services): void {
  const { db, asCommand } = services
  const nothing = () => new StatusError(404, 'NOT_FOUND', 'There is no such file')
  for (const [path, action] of [
    ['/api/v1/disputes', 'dispute.see'],
    ['/api/v1/seller/disputes', 'dispute.serve'],
  ] as const)
    app.get<{ Params: { id: string; fileId: string } }>(`${path}/:id/files/:fileId`, { config: { action } }, async (request, reply) => {
      const { id, fileId } = request.params
      const scope = await services.scopeOf(request)?.personal(action)
      const dispute = scope && isId(id) && isId(fileId) ? await findDispute(db, id) : undefined
      // A foreign dispute takes as many statements as an unknown one.
      const seen = scope && (await findPart(scope, action, dispute?.sellerOrderId ?? unknownOrder))
      if (!dispute || !seen || !(await isFileOf(db, id, fileId))) throw nothing()
      const upload = await findUpload(db, fileId)
      const opened = upload && (await openFile(db, upload.fileKey))
      if (!opened) throw nothing()
      const { name } = opened.file
      return sendFile(reply, opened, name && withoutContacts(name, dispute.market).text)
    })

  void app.register(async (inner) => {
    setRoutesAction(inner, 'dispute.decide')
    inner.get('/api/v1/operator/disputes', async (request, reply) => {
      const asked = v.safeParse(query, request.query)
      if (!asked.success) return reply.code(400).send({ error: `state is one of ${disputeStates.join(', ')}` })
      return { disputes: await readDisputesIn(db, asked.output.state) }
    })
    inner.get<{ Params: { id: string } }>('/api/v1/operator/disputes/:id', async ({ params: { id } }, reply) => {
      const dispute = isId(id) ? await findDispute(db, id) : undefined
      return dispute ? { ...dispute, steps: await readSteps(db, id) } : reply.code(404).send({ error: 'There is no such dispute' })
    })
    inner.post<{ Params: { id: string } }>('/api/v1/operator/disputes/:id/decision', async (request, reply) => {
      const input = v.safeParse(decision, request.body)
      const { id } = request.params
      if (!isId(id)) return reply.code(404).send({ error: 'unknown-dispute' })
      if (!input.success) return reply.code(400).send({ error: 'amount is a whole number of minor units, note a text' })
      const done = await asCommand((scope) => moveAs(scope, 'operator', { id, action: 'decide', ...input.output }))
      if (done.ok) return { id }
      return reply
        .code(done.reason === 'unknown-dispute' ? 404 : done.reason === 'move-not-allowed' ? 409 : 400)
        .send({ error: done.reason })
    })
    inner.post<{ Params: { orderId: string } }>('/api/v1/operator/incidents/:orderId/end', async (request, reply) => {
      const input = v.safeParse(ending, request.body)
      if (!input.success) return reply.code(400).send({ error: `do is one of ${incidentDeeds.join(', ')}` })
      const { orderId } = request.params
      const done = await asCommand((scope) => endIncidentAsOperator(scope, orderId, input.output.do))
      return done.ok ? { orderId } : reply.code(done.reason === 'unknown-order' ? 404 : 409).send({ error: done.reason })
    })
  })
}
