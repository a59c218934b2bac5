import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { isId, type Db } from '#platform'
import { ProviderUnavailable } from './identity-client.ts'
import { callRemovals, type RemovalCall } from './second-step-removal.ts'

const path = '/api/v1/operator/customers/:id/second-step-removal'
const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))
const request = v.strictObject({ by: text, reference: text })
const statusOf = { 'unknown-customer': 404, 'not-here': 409, 'nothing-to-do': 409 } as const

/** Support has the second step of a customer removed who is locked out: `PUT`; `GET` lists the requests, `DELETE` calls one off. */
export function staffRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const config = { action: 'secondStep.remove' } as const
  const answer = async (reply: FastifyReply, id: string, call: RemovalCall) => {
    void reply.header('cache-control', 'no-store')
    try {
      const result = isId(id) ? await callRemovals(db, id, call) : ({ ok: false, reason: 'unknown-customer' } as const)
      return result.ok ? { accounts: result.accounts } : await reply.code(statusOf[result.reason]).send({ error: result.reason })
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      return reply.code(503).send({ error: 'identity-provider-unavailable' })
    }
  }
  app.get<{ Params: { id: string } }>(path, { config }, (asked, reply) => answer(reply, asked.params.id, { method: 'GET' }))
  app.delete<{ Params: { id: string } }>(path, { config }, (asked, reply) => answer(reply, asked.params.id, { method: 'DELETE' }))
  app.put<{ Params: { id: string } }>(path, { config }, (asked, reply) => {
    const input = v.safeParse(request, asked.body)
    if (!input.success) return reply.code(400).send({ error: 'by: who has checked the person; reference: the case that says how' })
    return answer(reply, asked.params.id, { method: 'PUT', body: input.output })
  })
}
