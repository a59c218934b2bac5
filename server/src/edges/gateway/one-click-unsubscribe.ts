import type { FastifyInstance } from 'fastify'

const bodyLimit = 1_000

/**
 * `POST {path}/{token}`: what a mail program sends when its user presses "unsubscribe" (RFC 8058). It brings no cookie and needs none;
 * the token of the mail is the right, and any token gets the same answer. The form may be of either type, multipart or URL-encoded:
 * everything it says stands in the path.
 */
export function oneClickUnsubscribe(app: FastifyInstance, path: string, end: (token: string) => Promise<unknown>): void {
  // In a scope of its own: the module's other routes keep their parsers.
  void app.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
    inner.post<{ Params: { token: string } }>(
      `${path}/:token`,
      { config: { action: 'notice.end' }, bodyLimit },
      async ({ params: { token } }, reply) => {
        await end(token)
        return reply.header('cache-control', 'no-store').code(204).send()
      },
    )
  })
}
