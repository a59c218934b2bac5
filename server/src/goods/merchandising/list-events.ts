import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { isCrawler } from '@purlin/contract/crawlers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import { isIssuedVisitor } from '#consent'
import { pageSizeMax } from '#listing'
import { lineHashOf, takeQuota, type JobScope } from '#platform'
import { takeListEvent } from './take-events.ts'

const about = {
  type: v.picklist(['click', 'conversion']),
  queryId: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  shown: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\d{1,18}$/))), v.maxLength(pageSizeMax)),
  position: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(pageSizeMax)),
}
const listEvent = v.variant('kind', [
  v.object({ ...about, kind: v.literal('search'), query: v.pipe(v.string(), v.maxLength(500)) }),
  v.object({ ...about, kind: v.literal('category'), id: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 31 - 1)) }),
])

interface Provided {
  hosts: Pick<SiteHosts, 'siteOf'>
  asCommand: <Value>(run: (scope: JobScope) => Promise<Value>) => Promise<Value>
  isOwnOrigin: (request: FastifyRequest, site: SiteSettings) => boolean
}

/**
 * What visitors choose in the shop's own lists. The browser asks for consent before it sends, and so does this route: without it,
 * from crawlers, and beyond the quota the response is the same and nothing is stored.
 */
export function mountListEvents(app: FastifyInstance, { hosts, asCommand, isOwnOrigin }: Provided): void {
  app.post('/api/v1/search-events', { config: { action: 'event.send' }, bodyLimit: 16_384 }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: 'There is no shop at this host' })
    if (!isOwnOrigin(request, site)) return reply.code(403).send({ error: 'This request does not come from our own pages' })
    const taken = await takeQuota('search-event', { address: request.ip, line: request.ip })
    const event = v.safeParse(listEvent, request.body)
    if (!event.success) return reply.code(400).send({ error: 'This is no event of a list' })
    const isWanted = taken.ok && consentOf(request).allows('userPreferences') && !isCrawler(request.headers['user-agent'])
    if (!isWanted) return reply.code(204).send()
    // As of programs: the choices of visitors whose id is not ours are those of one sender together.
    const visitorId = visitorIdOf(request)
    const by = { visitorId, network: visitorId && isIssuedVisitor(visitorId) ? lineHashOf(request.ip) : null }
    const isOurs = await asCommand((scope) => takeListEvent(scope, { market: site.market, ...event.output }, by))
    return isOurs ? reply.code(204).send() : reply.code(400).send({ error: 'This shop has shown no such list' })
  })
}
