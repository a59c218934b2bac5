import { credentialsPath } from '@purlin/contract/credentials.ts'
import { appSettingsNotFound } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { authRequest, sendAnswer, type AuthAnswer, type AuthRequest } from './auth-request.ts'
import { answerAuth } from './auth-actions.ts'
import { exchange, logout, openWebview, register } from './account-calls.ts'
import { changePassword } from './change-password.ts'

/** Steps that begin or finish a sign-in. */
const signingIn = new Set(['pre-login', 'signin', 'callback'])

type Answering = (services: Services, request: AuthRequest, path: readonly string[]) => AuthAnswer | Promise<AuthAnswer>

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
  for (const url of ['/api/auth', '/api/auth/*']) app.route({ method: ['GET', 'POST'], url, handler: on(answerAuth) })
  app.route({ method: 'GET', url: '/api/auth/webview', handler: on(openWebview) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/logout', handler: on(logout) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/register', handler: on(register) })
  app.route({ method: 'POST', url: credentialsPath, handler: on(changePassword) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/exchange-to-pro', handler: on((own, asked) => exchange('b2b', own, asked)) })
  app.route({ method: ['GET', 'POST'], url: '/api/v1/exchange-to-b2c', handler: on((own, asked) => exchange('b2c', own, asked)) })
}
