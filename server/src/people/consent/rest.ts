import { browserStorage } from '@purlin/contract/browser-storage.ts'
import { consentRules } from '@purlin/contract/consent-rules.ts'
import {
  consentCookie,
  consentOf,
  consentPurposes,
  consentValue,
  isVisitorIdFree,
  readVisitorId,
  visitorCookie,
  type ConsentPurpose,
} from '@purlin/contract/consent.ts'
import { appSettingsNotFound, type SiteSettings } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { customerIdOf } from '#accounts'
import { isSecure, requireQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { choose, issueVisitorId } from './choose.ts'

const visitorDays = 365
const bodyLimit = 2_000

const choice = v.object({
  choice: v.picklist(['all', 'none', 'some']),
  purposes: v.optional(v.pipe(v.array(v.picklist(consentPurposes)), v.maxLength(consentPurposes.length)), []),
  // A path of this site: neither another host nor a control character.
  back: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u))),
})

/**
 * `POST /api/v1/consent`: a visitor's choice, from a form or a script. It needs no session and starts none: a refusal must
 * not be a reason to store anything more than itself.
 */
export function routes(app: FastifyInstance, { hosts, asCommand, scopeOf }: Services): void {
  setRoutesAction(app, 'consent.choose')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    const form = new URLSearchParams(String(body))
    done(null, { choice: form.get('choice'), purposes: form.getAll('purposes'), ...(form.has('back') && { back: form.get('back') }) })
  })
  app.post('/api/v1/consent', { bodyLimit }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: appSettingsNotFound })
    if (!isFromOwnPage(request, site)) return reply.code(403).send(notOwn)
    // A visitor chooses once or twice, an office behind one address some dozens of times; each choice is a record kept for years.
    await requireQuota('consent', { address: request.ip })
    const parsed = v.safeParse(choice, request.body)
    if (!parsed.success) return reply.code(400).send({ error: 'A choice is all, none, or some with its purposes' })
    const before = consentOf(request)
    const { market } = site
    const purposes = chosen(parsed.output, before.hasPrivacySignal)
    const visitorId = readVisitorId(request.headers.cookie)
    const customerId = async () => {
      const scope = await scopeOf(request)?.personal()
      return scope ? customerIdOf(scope) : null
    }
    const { recordId, visitorId: kept } = await asCommand((scope) => choose(scope, { market, purposes, before, visitorId, customerId }))
    void reply.header('set-cookie', cookieOf(site, consentCookie, consentValue(purposes, recordId), consentRules[market].choiceDays))
    if (kept !== visitorId || purposes.length === 0)
      void reply.header('set-cookie', cookieOf(site, visitorCookie, kept ?? '', kept ? visitorDays : 0))
    for (const name of refusedCookies(purposes)) void reply.header('set-cookie', cookieOf(site, name, '', 0))
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    return isForm
      ? reply.redirect(parsed.output.back ?? pageOf(request.headers.referer, request.headers.host), 303)
      : reply.code(204).send()
  })
  // For a browser that has lost its id, or has one that was not issued here, since the visitor agreed.
  app.post('/api/v1/consent/visitor', { bodyLimit }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: appSettingsNotFound })
    if (!isFromOwnPage(request, site)) return reply.code(403).send(notOwn)
    await requireQuota('consent', { address: request.ip })
    const known = readVisitorId(request.headers.cookie)
    if (consentOf(request).purposes.length === 0 && !isVisitorIdFree(site.market)) return reply.code(204).send()
    const visitorId = await asCommand(async (scope) => issueVisitorId(scope, known))
    if (visitorId !== known) void reply.header('set-cookie', cookieOf(site, visitorCookie, visitorId, visitorDays))
    return reply.code(204).send()
  })
  // Without scripts a cached page cannot tell whether this visitor has chosen; this style sheet can.
  app.get('/api/v1/consent/dialog.css', (request, reply) => {
    const { isDecided, hasPrivacySignal } = consentOf(request)
    const css = isDecided || hasPrivacySignal ? '' : '[data-consent-dialog]{display:block!important}'
    return reply.type('text/css; charset=utf-8').header('cache-control', 'private, no-store').header('vary', 'cookie').send(css)
  })
}

const notOwn = { error: 'This request does not come from our own pages' }

/** Browsers that do not say where a request comes from send at least its origin. */
function isFromOwnPage(request: FastifyRequest, site: SiteSettings): boolean {
  const { origin, host, 'sec-fetch-site': from } = request.headers
  return isOwnOrigin(request, site) && (from !== undefined || origin === undefined || isHost(origin, host))
}

const isHost = (origin: string, host: string | undefined): boolean => URL.canParse(origin) && new URL(origin).host === host

/** The page that the form was on, if it was one of ours: cached pages need not name themselves in the dialog. */
function pageOf(referer: string | undefined, here: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return '/'
  const { host, pathname, search } = new URL(referer)
  return host === here && !pathname.startsWith('//') ? pathname + search : '/'
}

/** A browser that sends Global Privacy Control has objected to personalised advertising: no click overrules that. */
function chosen({ choice: word, purposes }: v.InferOutput<typeof choice>, hasPrivacySignal: boolean): ConsentPurpose[] {
  const wanted = word === 'all' ? consentPurposes : word === 'some' ? purposes : []
  return consentPurposes.filter((each) => wanted.includes(each) && !(hasPrivacySignal && each === 'personalisedAdvertising'))
}

/** Registered cookies whose purposes are all refused; the visitor id is handled by itself. */
function refusedCookies(purposes: readonly ConsentPurpose[]): string[] {
  return browserStorage.flatMap(({ name, in: place, purposes: allowedBy }) =>
    place === 'cookie' && allowedBy !== 'needed' && name !== visitorCookie && !allowedBy.some((each) => purposes.includes(each))
      ? [name]
      : [],
  )
}

/** Scripts read both cookies, so they are not HttpOnly; a cookie of the server outlives the week that browsers grant to scripts'. */
function cookieOf({ origin }: SiteSettings, name: string, value: string, days: number): string {
  return `${name}=${value}; Path=/; SameSite=Lax; Max-Age=${days * 86_400}${isSecure(origin) ? '; Secure' : ''}`
}
