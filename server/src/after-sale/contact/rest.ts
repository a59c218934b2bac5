import type { FastifyInstance } from 'fastify'
import { isOrderId } from '#orders'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endDeclarations } from './passed-on-store.ts'

/** For operators: a declared withdrawal is dealt with, or was not the buyer's; the seller's money waits no longer. */
export function routes(app: FastifyInstance, { asCommand }: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'conversation.mediate')
    inner.post<{ Params: { orderId: string } }>('/api/v1/operator/withdrawals/:orderId/end', async ({ params: { orderId } }, reply) => {
      const isEnded = isOrderId(orderId) && (await asCommand((scope) => endDeclarations(scope.db, orderId, scope.now)))
      return isEnded ? { ended: true } : reply.code(404).send({ error: 'There is no such open declaration' })
    })
  })
}
