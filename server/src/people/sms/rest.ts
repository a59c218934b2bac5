import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { logForged, StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { ForgedReport } from './provider.ts'
import { smsProvider } from './provider-of-shop.ts'
import { receiveNews } from './receive-news.ts'

const bodyLimit = 10_000

/** `POST /webhooks/sms`: reports and replies, authenticated by their signature alone. */
export function routes(app: FastifyInstance, services: Services): void {
  void app.register((inner, _options, done) => {
    // The signature covers the fields as sent.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, parsed) => parsed(null, body))
    const verify: FastifyContextConfig['verify'] = ({ body, headers }) => smsProvider()?.read(String(body), headers)
    inner.post('/webhooks/sms', { config: { action: 'sms.report', verify } }, async (request, reply) => {
      const provider = smsProvider()
      if (!provider) throw new StatusError(404, 'NOT_FOUND', 'This shop sends no text messages')
      try {
        const news = provider.read(String(request.body), request.headers)
        if (news) await services.asCommand((scope) => receiveNews(scope, news))
        return reply.code(204).send()
      } catch (error) {
        if (!(error instanceof ForgedReport)) throw error
        logForged('a forged message of the SMS provider was refused', { address: request.ip, reason: error.message })
        return reply.code(403).send({ error: 'signature' })
      }
    })
    done()
  })
}
