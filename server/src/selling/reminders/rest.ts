import type { FastifyInstance } from 'fastify'
import { oneClickUnsubscribe } from '../../edges/gateway/one-click-unsubscribe.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endReminder } from './guest-reminder.ts'

/** One click withdraws a guest's consent to a reminder of the basket. */
export function routes(app: FastifyInstance, { asCommand }: Services): void {
  oneClickUnsubscribe(app, '/api/v1/basket-reminders/unsubscribe', (token) => asCommand((scope) => endReminder(scope, token)))
}
