import { backChannelLogoutPath } from '@purlin/contract/identity.ts'
import { credentialsPath } from '@purlin/contract/credentials.ts'
import { appSettingsNotFound } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asCommand, logForged, requireQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { authRequest, sendAnswer, type AuthAnswer, type AuthRequest } from './auth-request.ts'
import { answerAuth } from './auth-actions.ts'
import { exchange, logout, openWebview, register } from './account-calls.ts'
import { endSessionsByToken, InvalidLogoutToken, verifyLogoutToken } from './back-channel-logout.ts'
import { changePassword } from './change-password.ts'
import { ProviderUnavailable } from './identity-client.ts'
import { staffRoutes } from './staff-routes.ts'

/** Steps that begin or finish a sign-in. */
const signingIn = new Set(['pre-login', 'signin', 'callback'])

type Answering = (services: Services, request: AuthRequest, path: readonly string[]) => AuthAnswer | Promise<AuthAnswer>

/** Logout tokens are small. */
const maxTokenBody = 16_384

/** `POST /webhooks/identity`, a back-channel logout: no cookie, no Origin; the signature alone authenticates the sender. */
function backChannelLogout(app: FastifyInstance, { pool }: Services): void {
  app.post(backChannelLogoutPath, { config: { action: 'session.report' }, bodyLimit: maxTokenBody }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const fields = typeof request.body === 'object' && request.body !== null ? (request.body as Record<string, unknown>) : {}
    try {
      const token = await verifyLogoutToken(fields['logout_token'])
      const isNew = await asCommand(pool, ({ db }) => endSessionsByToken({ db }, token))
      if (!isNew) throw new InvalidLogoutToken('The token has been received before')
      return reply.code(200).send()
    } catch (error) {
      // Without the provider's keys nothing is verified; it may send the token again.
      if (error instanceof ProviderUnavailable) return reply.code(503).send({ error: 'temporarily_unavailable' })
      if (!(error instanceof InvalidLogoutToken)) throw error
      logForged('a logout token was refused', { address: request.ip, reason: error.message })
      return reply.code(400).send({ error: 'invalid_request' })
    }
  })
}

/** The session service: `/api/auth/…` in the protocol of next-auth's client, and the session calls of `/api/v1`. */
export function routes(app: FastifyInstance, services: Services): void {
  setRoutesAction(app, 'session.use')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 20_000 }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const on = (answering: Answering) => async (request: FastifyRequest, reply: FastifyReply) => {
    const site = services.hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: appSettingsNotFound })
    const { '*': rest = '' } = (request.params ?? {}) as { '*'?: string }
    if (request.url.startsWith('/api/v1/register') || signingIn.has(rest.split('/')[0] ?? ''))
      await requireQuota('sign-in', { address: request.ip })
    const asked = authRequest(request, site)
    if (asked.method === 'POST' && !isOwnOrigin(request, site))
      return sendAnswer(reply, { ...asked, body: {} }, { status: 403, body: { message: 'This request does not come from our own pages' } })
    return sendAnswer(reply, asked, await answering(services, asked, rest.split('/')))
  }
  backChannelLogout(app, services)
  staffRoutes(app, services)
  for (const url of ['/api/auth', '/api/auth/*']) app.route({ method: ['GET', 'POST'], url, handler: on(answerAuth) })
  app.route({ method: 'GET', url: '/api/auth/webview', handler: on(openWebview) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/logout', handler: on(logout) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/register', handler: on(register) })
  app.route({ method: 'POST', url: credentialsPath, handler: on(changePassword) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/exchange-to-pro', handler: on((own, asked) => exchange('b2b', own, asked)) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/exchange-to-b2c', handler: on((own, asked) => exchange('b2c', own, asked)) })
}
