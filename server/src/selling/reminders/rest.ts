import type { FastifyInstance } from 'fastify'
import type { Services } from '../../edges/gateway/services.ts'
import { endReminder } from './guest-reminder.ts'

const bodyLimit = 1_000

/**
 * `POST /api/v1/basket-reminders/unsubscribe/{token}`: what a mail program sends when its user presses "unsubscribe" (RFC 8058). It
 * brings no cookie and needs none; the token of the mail is the right. Any token answers the same.
 */
export function routes(app: FastifyInstance, services: Services): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, body),
  )
  app.post<{ Params: { token: string } }>(
    '/api/v1/basket-reminders/unsubscribe/:token',
    { config: { action: 'notice.end' }, bodyLimit },
    async ({ params: { token } }, reply) => {
      await services.asCommand((scope) => endReminder(scope, token))
      return reply.header('cache-control', 'no-store').code(204).send()
    },
  )
}
