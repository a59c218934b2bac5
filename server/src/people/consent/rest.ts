import { browserStorage } from '@purlin/contract/browser-storage.ts'
import { consentRules } from '@purlin/contract/consent-rules.ts'
import {
  consentCookie,
  consentOf,
  consentPurposes,
  consentValue,
  readConsent,
  readVisitorId,
  visitorCookie,
  type ConsentPurpose,
} from '@purlin/contract/consent.ts'
import { appSettingsNotFound, type SiteSettings } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { customerIdOf } from '#accounts'
import { isSecure, takeQuota, TooManyError, type Taken } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { choose, isSettled, lapsed, settle, withdrawnBy, type Lapse, type NewChoice } from './choose.ts'
import { isIssuedVisitor } from './issued-visitor.ts'

const visitorDays = 365
const bodyLimit = 2_000

/** The signal in the body of a request: proxies may strip the header of Global Privacy Control. */
const heard = v.nullish(v.picklist(['', 'gpc']))
const hasSignal = (request: FastifyRequest, said: v.InferOutput<typeof heard>) => said === 'gpc' || consentOf(request).hasPrivacySignal

const choice = v.object({
  choice: v.picklist(['all', 'none', 'some']),
  purposes: v.optional(v.pipe(v.array(v.picklist(consentPurposes)), v.maxLength(consentPurposes.length)), []),
  // A path of this site: neither another host nor a control character.
  back: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u))),
  signal: heard,
  click: v.optional(
    v.object({ dialog: v.pipe(v.string(), v.uuid()), number: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000)) }),
  ),
})

/**
 * `POST /api/v1/consent`: a visitor's choice, from a form or a script. It needs no session and starts none: a refusal must
 * not be a reason to store anything more than itself.
 */
export function routes(app: FastifyInstance, { hosts, asCommand, scopeOf }: Services): void {
  setRoutesAction(app, 'consent.choose')
  const customerOf = async (request: FastifyRequest) => {
    const scope = await scopeOf(request)?.personal()
    return scope ? customerIdOf(scope) : null
  }
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    const form = new URLSearchParams(String(body))
    const [choice, signal] = [form.get('choice'), form.get('signal')]
    done(null, { choice, signal, purposes: form.getAll('purposes'), ...(form.has('back') && { back: form.get('back') }) })
  })
  app.post('/api/v1/consent', { bodyLimit }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: appSettingsNotFound })
    if (!isFromOwnPage(request, site)) return reply.code(403).send(notOwn)
    const parsed = v.safeParse(choice, request.body)
    if (!parsed.success) return reply.code(400).send({ error: 'A choice is all, none, or some with its purposes' })
    const { given, counting, visitorId } = broughtBy(request, hasSignal(request, parsed.output.signal))
    const { hasPrivacySignal } = counting
    const { market } = site
    const purposes = chosen(parsed.output, hasPrivacySignal)
    const customerId = purposes.length < consentPurposes.length ? await customerOf(request) : null
    const wanted = { market, purposes, hasPrivacySignal, given, visitorId, customerId, click: parsed.output.click }
    const admitted = await admit(request, wanted)
    const made = await asCommand((scope) => choose(scope, { ...wanted, ...admitted }))
    if (!made) return reply.code(204).send()
    const { recordId, visitorId: kept } = made
    void reply.header('set-cookie', cookieOf(site, consentCookie, consentValue(purposes, recordId), consentRules[market].choiceDays))
    if (kept !== visitorId || kept === null)
      void reply.header('set-cookie', cookieOf(site, visitorCookie, kept ?? '', kept ? visitorDays : 0))
    for (const name of refusedCookies(purposes)) void reply.header('set-cookie', cookieOf(site, name, '', 0))
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    return isForm
      ? reply.redirect(parsed.output.back ?? pageOf(request.headers.referer, request.headers.host), 303)
      : reply.code(204).send()
  })
  // For a browser that has lost its id, or has one that was not issued here, since the visitor agreed; and for one whose consent has
  // lapsed since, or sends a privacy signal now.
  app.post('/api/v1/consent/visitor', { bodyLimit }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (!site) return reply.code(404).send({ error: appSettingsNotFound })
    if (!isFromOwnPage(request, site)) return reply.code(403).send(notOwn)
    const said = v.safeParse(heard, request.body)
    if (!said.success) return reply.code(400).send({ error: 'The body is empty, or gpc for Global Privacy Control' })
    const { given, counting, visitorId } = broughtBy(request, hasSignal(request, said.output))
    const lapse = { market: site.market, given, counting, visitorId }
    if (isSettled(lapse)) return reply.code(204).send()
    const isRecorded = await admitLapse(request, lapse)
    const { recordId, visitorId: kept } = await asCommand((scope) => settle(scope, { ...lapse, isRecorded }))
    if (given.purposes.length > counting.purposes.length)
      void reply.header('set-cookie', cookieOf(site, consentCookie, ...narrowed(lapse, recordId)))
    if (kept !== visitorId) void reply.header('set-cookie', cookieOf(site, visitorCookie, kept ?? '', kept ? visitorDays : 0))
    if (lapsed(lapse).length > 0 && visitorId !== null)
      for (const name of refusedCookies(counting.purposes)) void reply.header('set-cookie', cookieOf(site, name, '', 0))
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

function broughtBy({ headers: { cookie } }: FastifyRequest, hasPrivacySignal: boolean) {
  return { given: readConsent(cookie, false), counting: readConsent(cookie, hasPrivacySignal), visitorId: readVisitorId(cookie) }
}

type Admitted = Pick<NewChoice, 'isRecorded' | 'isPostponed'>
type Wanted = Omit<NewChoice, keyof Admitted>

/**
 * Each record is kept for years: a visitor chooses once or twice, an office behind one address some dozens of times. What a choice refuses
 * takes effect beyond that as well; what it withdraws is deleted later if too much is withdrawn now.
 * @throws TooManyError
 */
async function admit(request: FastifyRequest, wanted: Wanted): Promise<Admitted> {
  const recorded = await takeQuota('consent', { address: request.ip })
  const allowsMore = !wanted.purposes.every((purpose) => wanted.given.allows(purpose))
  const replacesId = wanted.purposes.length > 0 && wanted.visitorId !== null && !isIssuedVisitor(wanted.visitorId)
  if (!recorded.ok && (allowsMore || replacesId)) throw new TooManyError(recorded.retryAfterSeconds)
  const withdrawal = withdrawnBy(wanted).length > 0 ? ((await takeWithdrawal(request, wanted)) ?? recorded) : null
  const isPostponed = withdrawal?.ok === false
  // The id alone tells a later page what to withdraw: all that it names, and nothing of an account.
  if (isPostponed && (wanted.purposes.length > 0 || wanted.customerId !== null)) throw new TooManyError(withdrawal.retryAfterSeconds)
  return { isRecorded: recorded.ok, isPostponed }
}

/**
 * Whether what is left of a consent is recorded.
 * @throws TooManyError: the next page tries again
 */
async function admitLapse(request: FastifyRequest, lapse: Lapse): Promise<boolean> {
  const withdrawal = lapsed(lapse).length > 0 ? await takeWithdrawal(request, { ...lapse, customerId: null }) : null
  if (withdrawal?.ok === false) throw new TooManyError(withdrawal.retryAfterSeconds)
  if (withdrawal && lapse.counting.purposes.length === 0) return false
  const recorded = await takeQuota('consent', { address: request.ip })
  if (!recorded.ok && !withdrawal) throw new TooManyError(recorded.retryAfterSeconds)
  return recorded.ok
}

/**
 * A withdrawal reaches every module. It counts by the visitor or customer who withdraws, whom no stranger can name; visitor ids are given
 * to everybody who agrees, so theirs count by network as well, with much more room. Null for ids that anybody can invent.
 */
async function takeWithdrawal(
  { ip }: FastifyRequest,
  { visitorId, customerId }: Pick<Wanted, 'visitorId' | 'customerId'>,
): Promise<Taken | null> {
  if (customerId !== null) return takeQuota('consent-withdrawal', { key: customerId })
  if (visitorId === null || !isIssuedVisitor(visitorId)) return null
  return takeQuota('consent-withdrawal', { address: ip, line: ip, key: visitorId })
}

/** Value of the cookie without what has lapsed, and the days that are left of its choice; the id of its record tells when that was. */
function narrowed({ market, given, counting }: Lapse, recordId: string | null): [value: string, days: number] {
  const { choiceDays } = consentRules[market]
  if (counting.purposes.length === 0 || !given.recordId) return [consentValue(counting.purposes, null), choiceDays]
  const madeAt = Number.parseInt(given.recordId.replace('-', '').slice(0, 12), 16)
  const daysAgo = Math.floor((Date.now() - madeAt) / 86_400_000)
  return [consentValue(counting.purposes, recordId), Math.min(choiceDays, Math.max(1, choiceDays - daysAgo))]
}

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
