import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { StatusError } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { mergeHistory } from './merge-history.ts'
import type { HistoryEntry } from './store.ts'

/** Wire form of the history. Source: spec §3, R-402. */
const body = v.strictObject({
  content: v.pipe(
    v.array(
      v.strictObject({
        product_id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
        viewed_at: v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.transform((text) => new Date(text)),
        ),
      }),
    ),
    v.maxLength(100),
  ),
})

/** `POST /api/v2/product-history/merge` returns the customer's history as it is then. Source: spec §7, R-576, R-577. */
export function routes(app: FastifyInstance, services: Services): void {
  app.post('/api/v2/product-history/merge', { config: { action: 'history.change' }, bodyLimit: 16_000 }, async (request, reply) => {
    const scope = services.scopeOf(request)
    if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
    if (!isOwnOrigin(request, scope.site)) throw new StatusError(403, 'FORBIDDEN', 'This request does not come from our own pages')
    reply.header('cache-control', 'no-store')
    const input = v.safeParse(body, request.body)
    if (!input.success) {
      const title = input.issues
        .map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
        .join('; ')
        .slice(0, 300)
      return reply.code(400).type('application/problem+json').send({ type: 'about:blank', title, status: 400 })
    }
    // Nothing is remembered without consent, whoever sends it.
    const isAllowed = consentOf(request).allows('userPreferences')
    const given = isAllowed ? input.output.content.map(({ product_id, viewed_at }) => ({ productId: product_id, viewedAt: viewed_at })) : []
    const entries = await services.command(scope, (command) => mergeHistory(command, visitorIdOf(request), given))
    return { content: isAllowed ? entries.map(wireForm) : [] }
  })
}

function wireForm({ productId, viewedAt }: HistoryEntry) {
  return { product_id: productId, viewed_at: viewedAt.toISOString() }
}
