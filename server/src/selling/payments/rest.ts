import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { asCommand, log, logForged, logOf } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { ForgedMessage, UnreadableMessage } from './provider.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { paymentProvider } from './settings.ts'

/** Provider messages are small. */
const maxBodyLength = 65_536

/** POST /webhooks/payment: no cookie, no Origin; the signature alone authenticates the sender. */
export function routes(app: FastifyInstance, { pool }: Services): void {
  void app.register((inner, _options, done) => {
    // The signature covers the bytes as sent.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyLength }, (_request, body, parsed) => parsed(null, body))
    const verify: FastifyContextConfig['verify'] = ({ body, headers }) => paymentProvider().verifyWebhook(String(body), headers)
    inner.post('/webhooks/payment', { config: { action: 'payment.report', verify } }, async (request, reply) => {
      try {
        const received = await asCommand(pool, ({ db, emit }) => {
          const scope = { now: new Date(), db, emit, requestId: request.id, log: logOf({ requestId: request.id }) }
          return receiveWebhook(scope, paymentProvider(), String(request.body), request.headers)
        })
        return reply.code(200).send({ received })
      } catch (error) {
        if (error instanceof UnreadableMessage) {
          log.error({ err: error }, 'a signed payment message could not be read')
          return reply.code(400).send({ error: 'message' })
        }
        if (!(error instanceof ForgedMessage)) throw error
        logForged('a forged payment message was refused', { address: request.ip })
        return reply.code(400).send({ error: 'signature' })
      }
    })
    done()
  })
}
