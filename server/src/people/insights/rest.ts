import { consentOf, visitIdOf, visitorIdOf, type Consent } from '@purlin/contract/consent.ts'
import { isCrawler } from '@purlin/contract/crawlers.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { isIssuedVisitor } from '#consent'
import { newId, takeQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { interaction, pageChangeInput, proEventsInput, vitalsInput } from './beacons.ts'
import { clickOf } from './conversion.ts'
import { batchInput, bytesOf, deviceOf, isTimely, rowBytes, timeOf, type Device } from './event.ts'
import { eventWriter } from './event-writer.ts'
import { interactionIdOf } from './interaction-id.ts'
import { insightsRoutes } from './page-route.ts'
import { networkGroupOf } from './network-group.ts'
import { storedData } from './stored-data.ts'
import { writeProEvents, writeVitals, type StoredVital } from './store.ts'
import { observeVitals } from './vitals-metrics.ts'

interface Caller {
  site: SiteSettings
  consent: Consent
  visitorId: string | null
  device: Device
}

/**
 * The calls that measure: events, web vitals, page changes, product views. Each needs consent to statistics; without it, and
 * from crawlers, the response is that of an accepted call and nothing is stored. Nor is an event whose browser has lost its visitor id:
 * no withdrawal would reach it. What a client says about itself is never trusted: market and mode come from the host, visitor and consent
 * from the cookies, the customer from the session.
 */
export function routes(app: FastifyInstance, services: Services): void {
  insightsRoutes(app, services.db)
  const events = eventWriter(services.db.alone)
  const isOwn = (host: string) => services.hosts.siteOf(host) !== null
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) throw error
    return problem(reply, status, error.message)
  })

  /** Null when the response has been sent. A batch costs as much as its events, or metrics, sent one by one. */
  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    units = 1,
    quota: 'event' | 'web-vital' = 'event',
  ): Promise<Caller | null> => {
    const site = services.hosts.siteOf(request.headers.host)
    const consent = consentOf(request)
    const visitorId = visitorIdOf(request)
    const taken = await takeQuota(quota, { address: request.ip, session: visitorId }, units)
    if (!site) void problem(reply, 404, 'There is no shop at this host')
    else if (!isOwnOrigin(request, site)) void problem(reply, 403, 'This request does not come from our own pages')
    else if (!taken.ok) void tooMany(reply, taken.retryAfterSeconds)
    else return { site, consent, visitorId, device: deviceOf(request.headers['user-agent']) }
    return null
  }
  /** Whether rows of so many bytes may still be stored for the sender's line today; false when the response has been sent. */
  const hasRoom = async (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<boolean> => {
    const taken = await takeQuota('measurement', { line: request.ip }, Math.ceil(bytes / 1024))
    if (!taken.ok) void tooMany(reply, taken.retryAfterSeconds)
    return taken.ok
  }
  const isWanted = ({ consent }: Caller, request: FastifyRequest) =>
    consent.allows('statistics') && !isCrawler(request.headers['user-agent'])
  const done = (reply: FastifyReply) => reply.code(204).send()
  const tooMany = (reply: FastifyReply, seconds: number) => problem(reply.header('retry-after', String(seconds)), 429, 'Too many requests')

  app.post('/api/v1/events', { config: { action: 'event.send' }, bodyLimit: 65_536 }, async (request, reply) => {
    const parsed = v.safeParse(batchInput, request.body)
    const caller = await admit(request, reply, parsed.success ? parsed.output.events.length : 1)
    if (!caller) return reply
    if (!parsed.success) return problem(reply, 400, said(parsed.issues))
    const { site, consent, visitorId, device } = caller
    if (visitorId === null || !isWanted(caller, request)) return done(reply)
    const bytes = parsed.output.events.reduce((sum, { data }) => sum + rowBytes + bytesOf(data), 0)
    if (!(await hasRoom(request, reply, bytes))) return reply
    const visitId = visitIdOf(request)
    // Anybody can invent an id: nothing is learned from visitors who did not get theirs from us.
    const network = isIssuedVisitor(visitorId) ? networkGroupOf(request.ip) : null
    const timely = parsed.output.events
      .filter(({ id }) => isTimely(id, Date.now()))
      .map(({ id, name, page, data }) => ({
        id,
        name,
        data: { ...storedData(data, isOwn), ...clickOf(request, { name, pageName: page.name }) },
        market: site.market,
        mode: site.mode,
        visitorId,
        visitId,
        device,
        purposes: consent.purposes,
        pageName: page.name,
        pageType: page.type,
        at: new Date(timeOf(id)),
        network: name === 'page_view' && page.type === 'product' ? network : null,
      }))
    // Stored before it is acknowledged: a 202 is kept whatever happens to this process.
    if (timely.length > 0) await events.write(timely)
    return reply.code(202).send()
  })

  app.post('/api/v1/web-vitals/beacon', { config: { action: 'event.send' }, bodyLimit: 32_768 }, async (request, reply) => {
    const parsed = v.safeParse(vitalsInput, request.body)
    const caller = await admit(request, reply, parsed.success ? parsed.output.metrics.length : 1, 'web-vital')
    if (!caller) return reply
    if (!parsed.success) return problem(reply, 400, said(parsed.issues))
    if (!isWanted(caller, request)) return done(reply)
    const { site, device } = caller
    const { resource, version, metrics } = parsed.output
    if (!(await hasRoom(request, reply, metrics.length * rowBytes))) return reply
    const vitals = metrics.map(({ name, value, tags }): StoredVital => {
      const detail = name === interaction ? `${tags['type'] ?? ''} ${tags['target'] ?? ''}`.trim() : null
      const { market, mode } = site
      const id = detail === null ? newId() : interactionIdOf(request.ip, resource, detail)
      return { id, market, mode, pageName: resource, device, metric: name, value, detail, version }
    })
    await writeVitals(services.db.alone, vitals)
    observeVitals(vitals)
    return done(reply)
  })

  app.get('/api/v1/client-page-change', { config: { action: 'event.send' } }, async (request, reply) => {
    const caller = await admit(request, reply)
    if (!caller) return reply
    const parsed = v.safeParse(pageChangeInput, request.query)
    if (!parsed.success) return problem(reply, 400, said(parsed.issues))
    const { site, consent, visitorId, device } = caller
    if (visitorId === null || !isWanted(caller, request)) return done(reply)
    if (!(await hasRoom(request, reply, rowBytes))) return reply
    const { market, mode } = site
    const event = {
      id: newId(),
      name: 'client_page_change',
      pageName: '',
      pageType: '',
      data: parsed.output,
      at: new Date(),
      network: null,
    }
    await events.write([{ ...event, market, mode, visitorId, visitId: visitIdOf(request), device, purposes: consent.purposes }])
    return done(reply)
  })

  app.post('/api/v1/pro-event/event', { config: { action: 'pro-event.send' }, bodyLimit: 16_384 }, async (request, reply) => {
    const caller = await admit(request, reply)
    if (!caller) return reply
    const parsed = v.safeParse(proEventsInput, request.body)
    if (!parsed.success) return problem(reply, 400, said(parsed.issues))
    if (!isWanted(caller, request)) return done(reply)
    const { site, visitorId } = caller
    if (!visitorId) return problem(reply, 400, 'No visitor_id found')
    const customer = (await services.scopeOf(request)?.personal())?.principal
    const isOwn = parsed.output.every(
      (event) => event.customer_id === customer?.id && event.visitor_id === visitorId && event.market === site.market,
    )
    if (!isOwn) return problem(reply, 403, 'These events are of another customer, visitor or market')
    if (!(await hasRoom(request, reply, parsed.output.length * rowBytes))) return reply
    const events = parsed.output.map(({ market: _, platform_id, event, visitor_id, customer_id, content }) => ({
      id: newId(),
      market: site.market,
      platformId: platform_id,
      event,
      visitorId: visitor_id,
      customerId: customer_id,
      productId: content.product_id,
      categoryId: content.category_id ?? null,
    }))
    await writeProEvents(services.db.alone, events)
    return done(reply)
  })
}

/** A problem document (RFC 9457). */
function problem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .send({ type: 'about:blank', status, title: titles[status] ?? 'Error', detail })
}
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
}

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
    .join('; ')
    .slice(0, 500)
}
