import type { FastifyInstance, FastifyReply } from 'fastify'
import { fileHeaders } from '#files'
import { StatusError } from '#platform'
import { knownSellers } from '#sellers'
import type { Services } from '../../edges/gateway/services.ts'
import { ownQuote } from './move-quote.ts'
import { quotePdf } from './quote-pdf.ts'

/** Downloads: a quote that the seller has answered. */
export function routes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/quotes/:id/pdf',
    { config: { action: 'quote.see' } },
    async (request, reply): Promise<FastifyReply> => {
      const scope = await services.scopeOf(request)?.personal()
      const quote = scope && (await ownQuote(scope, 'quote.see', request.params.id))
      const seller = quote && (await knownSellers(scope, [quote.sellerId])).get(quote.sellerId)
      const pdf = quote && seller ? await quotePdf(services.db, quote, seller) : null
      if (!quote || pdf === null) throw new StatusError(404, 'NOT_FOUND', 'There is no such quote')
      return reply.headers(fileHeaders({ type: 'application/pdf', name: `${quote.number}.pdf`, isPublic: false })).send(pdf)
    },
  )
}
