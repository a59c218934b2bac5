import type { FastifyInstance } from 'fastify'
import { openFile, sendFile } from '#files'
import { findOrder, noOrderId } from '#orders'
import { StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { isUuid } from './decide-cancellation.ts'
import { readReturn } from './return-store.ts'

/** Return labels, for whoever may return the goods of the order. */
export function routes(app: FastifyInstance, { db, scopeOf }: Services): void {
  app.get<{ Params: { id: string } }>('/api/v1/returns/:id/label', { config: { action: 'return.ask' } }, async (request, reply) => {
    const { id } = request.params
    const scope = await scopeOf(request)?.personal('return.ask')
    const found = scope && isUuid(id) ? await readReturn(db, id, scope.market) : undefined
    // As many statements for an unknown return as for another person's.
    const order = scope && (await findOrder(scope, 'return.ask', found?.customerOrderId ?? noOrderId))
    const opened = order && found?.labelFile != null ? await openFile(db, found.labelFile) : null
    // The same for another buyer's return and for one without a label.
    if (!opened) throw new StatusError(404, 'NOT_FOUND', 'There is no such label')
    return sendFile(reply, opened)
  })
}
