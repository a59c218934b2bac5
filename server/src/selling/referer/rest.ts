import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { settings, StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { attribute } from './attribute.ts'

const text = v.optional(v.pipe(v.string(), v.maxLength(2000)))
const query = v.object({
  page_type: text,
  referer: text,
  referer_id: text,
  current_referer_id: text,
  cookie_disabled: v.optional(v.picklist(['true', 'false', '0', '1'])),
})
const uuid = v.pipe(v.string(), v.uuid())

/** `GET /api/v1/referer/visitor/{visitorId}`: computed from the request alone, nothing is stored. Source: spec §7, R-566…R-569. */
export function routes(app: FastifyInstance, services: Services): void {
  const signInHost = URL.parse(settings().identity.url)?.host
  app.get<{ Params: { visitorId: string } }>(
    '/api/v1/referer/visitor/:visitorId',
    { config: { action: 'referer.ask' } },
    async (request, reply) => {
      const scope = services.scopeOf(request)
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      reply.header('cache-control', 'private, no-store')
      const refuse = (title: string) => reply.code(400).type('application/problem+json').send({ type: 'about:blank', title, status: 400 })
      const asked = v.safeParse(query, request.query)
      if (!v.is(uuid, request.params.visitorId)) return refuse('No visitor_id found')
      if (!asked.success) return refuse('The query is not valid')
      const { page_type, referer, referer_id, current_referer_id, cookie_disabled } = asked.output
      // Without cookies the browser remembers nothing: what it claims to remember is not believed.
      const remembers = cookie_disabled !== 'true' && cookie_disabled !== '1'
      return attribute({
        referer: referer ?? null,
        landing: request.headers.referer ?? null,
        refererId: referer_id ?? null,
        currentRefererId: remembers ? (current_referer_id ?? null) : null,
        pageType: page_type ?? null,
        isOwn: (host) => services.hosts.siteOf(host) !== null || host === signInHost,
      })
    },
  )
}
