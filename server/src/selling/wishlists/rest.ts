import type { FastifyInstance } from 'fastify'
import { oneClickUnsubscribe } from '../../edges/gateway/one-click-unsubscribe.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endNotices } from './change-notices.ts'

/** One click ends mails about prices and stock. */
export function routes(app: FastifyInstance, { asCommand }: Services): void {
  oneClickUnsubscribe(app, '/api/v1/unsubscribe', (token) => asCommand((scope) => endNotices(scope, token)))
}
