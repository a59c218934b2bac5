import type { FastifyInstance } from 'fastify'
import { isOrderId, readOrder } from '#orders'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endDeclarations } from './passed-on-store.ts'

/** For operators: a declared withdrawal is dealt with, or was not the buyer's; the seller's money waits no longer. */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'conversation.mediate')
    inner.post<{ Params: { orderId: string } }>('/api/v1/operator/withdrawals/:orderId/end', async ({ params: { orderId } }, reply) => {
      if (isOrderId(orderId) && (await asCommand((scope) => endDeclarations(scope.db, orderId, scope.now)))) return { ended: true }
      const order = isOrderId(orderId) ? await readOrder(db, orderId.slice(0, orderId.lastIndexOf('-'))) : undefined
      return order?.sellerOrders.some(({ id }) => id === orderId)
        ? reply.code(409).send({ error: 'No declared withdrawal waits for this order' })
        : reply.code(404).send({ error: 'There is no such order' })
    })
  })
}
