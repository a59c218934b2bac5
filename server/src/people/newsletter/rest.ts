import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { enqueue } from '#platform'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { issueInput, type Issue } from './issue.ts'
import { endSubscription } from './subscribe.ts'

/**
 * `POST /api/v1/newsletter/unsubscribe/{token}`: what a mail program sends when its user presses "unsubscribe" (RFC 8058). It
 * brings no cookie and needs none; the token of the mail is the right. Any token answers the same.
 */
export function routes(app: FastifyInstance, services: Services): void {
  const bodyLimit = 1_000
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, body),
  )
  app.post<{ Params: { token: string } }>(
    '/api/v1/newsletter/unsubscribe/:token',
    { config: { action: 'notice.end' }, bodyLimit },
    async ({ params: { token } }, reply) => {
      await services.asCommand((scope) => endSubscription(scope, token))
      return reply.header('cache-control', 'no-store').code(204).send()
    },
  )

  void app.register(async (inner) => {
    setRoutesAction(inner, 'content.change')
    inner.post('/api/v1/operator/newsletter', async ({ body }, reply) => {
      const input = v.safeParse(issueInput, body)
      if (!input.success) return reply.code(400).send({ error: `${v.getDotPath(input.issues[0]) ?? 'body'}: ${input.issues[0].message}` })
      const { market, mode, key } = input.output
      const payload: Issue = { ...input.output, origin: services.hosts.site(market, mode).origin }
      await services.asCommand(({ db }) => enqueue(db, { name: 'newsletter.send', key: `${market} ${mode} ${key}`, payload }))
      return reply.code(202).send()
    })
  })
}
