import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Services } from '../../edges/gateway/services.ts'
import { changeSellerState, readSellerState } from './change-seller-state.ts'
import { sellerStatuses } from './seller-states.ts'

const input = v.strictObject({ state: v.picklist(sellerStatuses) })

/** `GET` and `PUT /api/v1/operator/sellers/{id}/state`: the state of a seller, and its next one. */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  const url = '/api/v1/operator/sellers/:id/state'
  const config = { action: 'seller.move' } as const
  const idOf = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0)
  app.get<{ Params: { id: string } }>(url, { config }, async ({ params }, reply) => {
    const state = await readSellerState(db, idOf(params.id))
    return state === null ? reply.code(404).send({ error: 'unknown-seller' }) : { state }
  })
  app.put<{ Params: { id: string } }>(url, { config }, async ({ params, body }, reply) => {
    const parsed = v.safeParse(input, body)
    if (!parsed.success) return reply.code(400).send({ error: `state: one of ${sellerStatuses.join(', ')}` })
    const { state } = parsed.output
    const result = await asCommand((scope) => changeSellerState(scope, idOf(params.id), state))
    if (!result.ok) return reply.code(result.reason === 'unknown-seller' ? 404 : 409).send({ error: result.reason })
    return { state, changed: result.changed }
  })
}
