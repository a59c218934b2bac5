import type { FastifyInstance } from 'fastify'
import { oneClickUnsubscribe } from '../../edges/gateway/one-click-unsubscribe.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endOffers } from './offers.ts'

/** One click ends mails with offers. */
export function routes(app: FastifyInstance, { asCommand }: Services): void {
  oneClickUnsubscribe(app, '/api/v1/offers/unsubscribe', (token) => asCommand((scope) => endOffers(scope, token)))
}
