import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { creditProvider, ForgedMessage, hasCreditProvider, UnreadableMessage } from '#payments'
import { asCommand, log, logForged, logOf, StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { receiveMessage } from './receive-message.ts'

/** Messages are small. */
const maxBodyLength = 65_536

/** POST /webhooks/credit: no cookie, no Origin; the signature alone authenticates the sender. */
export function routes(app: FastifyInstance, { pool }: Services): void {
  void app.register((inner, _options, done) => {
    // The signature covers the bytes as sent.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyLength }, (_request, body, parsed) => parsed(null, body))
    const verify: FastifyContextConfig['verify'] = ({ body, headers }) => creditProvider().verifyMessage(String(body), headers)
    inner.post('/webhooks/credit', { config: { action: 'credit.report', verify } }, async (request, reply) => {
      if (!hasCreditProvider()) throw new StatusError(404, 'NOT_FOUND', 'This shop has no credit provider')
      try {
        const received = await asCommand(pool, ({ db, emit }) => {
          const scope = { now: new Date(), db, emit, requestId: request.id, log: logOf({ requestId: request.id }) }
          return receiveMessage(scope, creditProvider(), String(request.body), request.headers)
        })
        return reply.code(200).send({ received })
      } catch (error) {
        if (error instanceof UnreadableMessage) {
          log.error({ err: error }, 'a signed message of the credit provider could not be read')
          return reply.code(400).send({ error: 'message' })
        }
        if (!(error instanceof ForgedMessage)) throw error
        logForged('a forged message of the credit provider was refused', { address: request.ip })
        return reply.code(400).send({ error: 'signature' })
      }
    })
    done()
  })
}
