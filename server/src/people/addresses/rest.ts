import type { FastifyInstance } from 'fastify'
import { suggestAddresses } from './suggest-addresses.ts'

const statusOf = { off: 404, input: 400, 'too-often': 429 } as const

/** `GET /api/v1/address-suggestions?country=FR&text=7501`: the same for everybody, never cached. */
export function routes(app: FastifyInstance): void {
  app.get<{ Querystring: { country?: unknown; text?: unknown } }>(
    '/api/v1/address-suggestions',
    { config: { action: 'site.see' } },
    async ({ ip, query }, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      const answer = await suggestAddresses({ sender: ip }, { country: query.country, text: query.text })
      if (answer.ok) return answer.suggestions
      if (answer.reason === 'too-often') reply.header('retry-after', '60')
      return reply.code(statusOf[answer.reason]).send({ error: answer.reason })
    },
  )
}
