import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { fileHeaders, openFile } from '#files'
import { oneClickUnsubscribe } from '../../edges/gateway/one-click-unsubscribe.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { decide } from './decide.ts'
import { endInvitations } from './invitation.ts'
import { contributionKinds, readQueue, type ContributionKind } from './moderation-store.ts'
import { readSurvey } from './question-store.ts'
import { isId, refusalReasons, reviewStates } from './review.ts'
import { findPhoto } from './store.ts'

const pageSize = 100
const queueQuery = v.object({
  state: v.optional(v.picklist(reviewStates), 'pending'),
  /** "2026-11-22T10:00:00.000Z,<id>", as the previous page returned it. */
  after: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z,[0-9a-f-]{36}$/))),
})
const decisionInput = v.variant('decision', [
  v.strictObject({ decision: v.literal('approve') }),
  v.strictObject({ decision: v.literal('refuse'), reason: v.picklist(refusalReasons) }),
])
const isKind = (text: string): text is ContributionKind => contributionKinds.some((kind) => kind === text)

/**
 * Photos of published reviews (`/pictures/r/{review}/{number}`), one-click unsubscription, and the operators' queue:
 * `GET /api/v1/operator/contributions/{review|question|answer}`, `PUT …/{id}`; `GET /api/v1/operator/survey`.
 */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  app.get<{ Params: { id: string; number: string } }>(
    '/pictures/r/:id/:number',
    { config: { action: 'goods.see' } },
    async ({ params: { id, number } }, reply) => {
      const key = isId(id) && /^[1-3]$/.test(number) ? await findPhoto(db, id, Number(number) - 1) : null
      const opened = key === null ? null : await openFile(db, key)
      if (!opened) return nothing(reply)
      const { type, bytes } = opened.file
      return reply
        .headers(fileHeaders({ type, name: null, isPublic: false }))
        .header('cache-control', 'public, max-age=3600')
        .header('content-length', bytes)
        .send(opened.stream)
    },
  )
  oneClickUnsubscribe(app, '/api/v1/unsubscribe-reviews', (token) => asCommand((scope) => endInvitations(scope.db, token)))

  const config = { action: 'review.moderate' } as const
  app.get<{ Params: { kind: string } }>('/api/v1/operator/contributions/:kind', { config }, async (request, reply) => {
    const { kind } = request.params
    const asked = v.safeParse(queueQuery, request.query)
    if (!isKind(kind)) return reply.code(404).send({ error: 'There are reviews, questions and answers' })
    if (!asked.success) return reply.code(400).send({ error: 'state is pending, published or refused; after comes from the previous page' })
    const { state, after } = asked.output
    const [at = '', id = ''] = after?.split(',') ?? []
    const found = await readQueue(db, kind, { state, after: after ? { at: new Date(at), id } : null, limit: pageSize })
    const last = found.length === pageSize ? found.at(-1) : undefined
    return { contributions: found, after: last ? `${last.at.toISOString()},${last.id}` : null }
  })
  app.put<{ Params: { kind: string; id: string } }>('/api/v1/operator/contributions/:kind/:id', { config }, async (request, reply) => {
    const { kind, id } = request.params
    const input = v.safeParse(decisionInput, request.body)
    if (!input.success) return reply.code(400).send({ error: `decision is approve, or refuse with a reason: ${refusalReasons.join(', ')}` })
    const result =
      isKind(kind) && isId(id)
        ? await asCommand((scope) => decide(scope, kind, id, input.output))
        : ({ ok: false, reason: 'unknown-contribution' } as const)
    return result.ok ? { state: result.state } : reply.code(404).send({ error: result.reason })
  })
  app.get('/api/v1/operator/survey', { config }, async () => {
    const markets = await readSurvey(db, 90)
    return { markets: markets.map((each) => ({ ...each, score: Math.round((100 * (each.promoters - each.detractors)) / each.answers) })) }
  })
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/plain')
    .send('Nothing here')
}
