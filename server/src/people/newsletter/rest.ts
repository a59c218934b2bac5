import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { enqueue } from '#platform'
import { oneClickUnsubscribe } from '../../edges/gateway/one-click-unsubscribe.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { issueInput, type Issue } from './issue.ts'
import { endSubscription } from './subscribe.ts'

/** One click ends the newsletter; operators send an issue of it. */
export function routes(app: FastifyInstance, services: Services): void {
  oneClickUnsubscribe(app, '/api/v1/newsletter/unsubscribe', (token) => services.asCommand((scope) => endSubscription(scope, token)))

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
