import { publicUrl } from '@purlin/contract/public-addresses.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId, sessionCookie, settings, StatusError, TooManyError } from '#platform'
import { badText } from '../../edges/gateway/limits.ts'
import { isFromOwnPage } from '../../edges/gateway/own-origin.ts'
import type { RequestScope } from '../../edges/gateway/request-scope.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { answerCxml } from './answer-cxml.ts'
import { statuses } from './cxml.ts'
import { ociCall } from './oci.ts'
import { admit, enter, mayCall, openVisit, type Place } from './open-visit.ts'

const maxForm = 20_000
const maxXml = 512_000

/**
 * The doors for purchasing systems, on the professional storefront alone: `POST /api/v1/punch-out/oci` is a form of the buyer's
 * browser, `POST /api/v1/punch-out/cxml` comes from the other server. Both carry a credential and no cookie of ours; entering by the start page
 * needs our own origin.
 */
export function routes(app: FastifyInstance, services: Services): void {
  const config = { action: 'punch-out.open' } as const
  // JSON has values that are no text; neither standard sends it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: maxForm }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  for (const type of ['text/xml', 'application/xml', 'application/cxml+xml'])
    app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: maxXml }, (_request, body, done) => done(null, { xml: String(body) }))

  app.post('/api/v1/punch-out/oci', { config, bodyLimit: maxForm }, async (request, reply) => {
    const site = siteOf(services, request)
    const call = ociCall(formOf(request))
    if (!(await mayCall(request.ip))) throw tooManyCalls()
    const { user: identity, password: secret, hookUrl, echoed } = call
    const opened = await services.asCommand(async (scope) => {
      const admitted = await admit(scope, { ...site, protocol: 'oci', identity, secret })
      if (!admitted.ok) return admitted
      const url = await openVisit(scope, placeOf(services, site), admitted.credential, { hookUrl, echoed, buyer: '' })
      return url === null ? ({ ok: false, reason: 'hook-url-invalid' } as const) : ({ ok: true, url } as const)
    })
    if (opened.ok) return reply.header('cache-control', 'no-store').redirect(opened.url, 303)
    if (opened.reason === 'too-many-calls') throw tooManyCalls()
    if (opened.reason === 'hook-url-invalid') throw new StatusError(400, 'BAD_REQUEST', 'HOOK_URL must be an https address')
    throw new StatusError(401, 'UNAUTHENTICATED', 'The user name or the password is wrong, or the credential was revoked')
  })

  app.post('/api/v1/punch-out/cxml', { config, bodyLimit: maxXml }, async (request, reply) => {
    const site = siteOf(services, request)
    const { xml } = (request.body ?? {}) as { xml?: string }
    const host = new URL(site.origin).host
    const envelope = { payloadId: `${newId()}@${host}`, now: new Date() }
    const address = `${site.origin}/api/v1/punch-out/cxml`
    const document = await answerCxml(services.asCommand, { site: placeOf(services, site), envelope, address, ip: request.ip }, xml ?? '')
    return reply.type('text/xml; charset=utf-8').header('cache-control', 'no-store').send(document)
  })

  app.post('/api/v1/punch-out/start', { config, bodyLimit: maxForm }, async (request, reply) => {
    const site = siteOf(services, request)
    if (!isFromOwnPage(request, site.site)) throw new StatusError(403, 'FORBIDDEN', 'This request does not come from our own pages')
    const { token = '' } = formOf(request)
    const cookie = await services.asCommand((scope) =>
      enter({ ...scope, market: site.market, origin: site.origin, prefersVat: site.prefersVat }, token),
    )
    return cookie === null
      ? back(reply, publicUrl('punchOutStart', { token: 'over' }))
      : back(reply.header('set-cookie', sessionCookie(site.site, cookie)), '/')
  })
}

/** Only the professional storefront has prices of companies. */
function siteOf(services: Services, request: FastifyRequest): RequestScope {
  const site = services.scopeOf(request)
  if (site?.mode !== 'b2b') throw new StatusError(404, 'NOT_FOUND', statuses[400])
  return site
}

/** The storefront that was called, and every origin of ours: storefronts of all markets and the pages of the identity provider. */
function placeOf({ hosts }: Services, { market, origin }: RequestScope): Place {
  return { market, origin, ownOrigins: [...hosts.all.map((site) => site.origin), new URL(settings().identity.url).origin] }
}

function formOf(request: FastifyRequest): Record<string, string> {
  const fields = (request.body ?? {}) as Record<string, string>
  for (const [name, value] of Object.entries(fields)) {
    const said = badText(value)
    if (said) throw new StatusError(400, 'BAD_REQUEST', `${name.slice(0, 40)} ${said}`)
  }
  return fields
}

const tooManyCalls = () => new TooManyError(600)

function back(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(to, 303)
}
