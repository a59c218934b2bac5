import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Language } from '@purlin/contract/markets.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { MailSite } from '@purlin/server/foundation/mail/index.ts'
import type { Provider } from 'oidc-provider'
import type { IdentityContext } from './context.ts'
import { formKey, isOwnForm } from './forms.ts'
import { readForm, sendPage } from './http.ts'
import { languageOf, shopOf, signInLink, siteOfAddress } from './language.ts'
import { LaterError, LinkLaterError } from './later.ts'
import type { Block, FieldModel, FormModel, PageModel } from './pages/model.ts'
import { shopOrigins } from './provider.ts'
import type { RealmServer } from './realm.ts'
import { type Translate, type Word, wordsOf } from './words.ts'

/** A request for a page, before it is routed. */
export interface PageRequest {
  context: IdentityContext
  server: RealmServer
  request: IncomingMessage
  response: ServerResponse
  path: string
  /** Network address, for quotas. */
  address: string
}

/** A request for a page, with its language and shop. */
export interface Visit extends PageRequest {
  realm: Realm
  provider: Provider
  base: string
  language: Language
  t: Translate
  /** The shop's site the visitor came from. */
  site: SiteSettings | undefined
  /** Set if the submitted form was refused, because it was not ours or is out of date (403), or for now: its page is shown again, with this message. */
  refused?: { status: 403 | 429 | 503; text: string }
}

export interface From {
  uiLocales?: unknown
  /** An address of the shop. */
  shop?: unknown
}

/** Where the parameters of an authorisation request come from. The provider's own pages carry the shop in the state. */
export function fromParameters({ url }: Pick<IdentityContext, 'url'>, parameters: Partial<Record<string, unknown>>): From {
  const { redirect_uri: back, state, ui_locales: uiLocales } = parameters
  const isOwn = typeof back === 'string' && back.startsWith(url)
  return { uiLocales, shop: isOwn && typeof state === 'string' ? state.split(' ')[0] : back }
}

export function visitOf(asked: PageRequest, { uiLocales, shop }: From): Visit {
  const { context, server, request } = asked
  const site = siteOfAddress(context.hosts, shop)
  const language = languageOf(uiLocales, site, request)
  const { realm } = server
  return { ...asked, realm, provider: server.provider(), base: `/realms/${realm}`, language, t: wordsOf(language), site }
}

export type PageParts = Pick<PageModel, 'title' | 'blocks'> & Partial<Pick<PageModel, 'intro' | 'alert'>>

export function show(visit: Visit, status: number, parts: PageParts): void {
  const { context, response, language, t, site, realm, refused } = visit
  const words = {
    back: t('identity.page.back'),
    skip: t('identity.page.skip'),
    errors: t('identity.page.errors'),
    optional: t('identity.page.optional'),
    home: t('identity.page.home'),
  }
  const isPro = realm === 'b2b' || (realm === 'unified' && site?.mode === 'b2b')
  const alert = refused === undefined ? {} : { alert: { severity: 'danger' as const, text: refused.text } }
  const html = context.pages.render({ ...alert, ...parts, language, isPro, shop: shopOf(context.hosts, visit), words })
  sendPage(response, refused?.status ?? status, html, shopOrigins(context.hosts))
}

/** The way to the shop's sign-in, for browsers that no sign-in is waiting in. */
export function signInLinks(visit: Visit): Block[] {
  return signInLink(visit.realm, shopOf(visit.context.hosts, visit), visit.t)
}

/** One of our own forms, submitted to this address. */
export function formFor(
  { context, request, response, t }: Visit,
  action: string,
  fields: FieldModel[],
  submit: string,
  more: Partial<Pick<FormModel, 'hidden' | 'look' | 'first'>> = {},
): FormModel {
  const named = fields.map((field) => ({
    ...field,
    ...(field.error && { summary: t('identity.page.error-of', { label: field.label, problem: field.error }) }),
  }))
  return { action, formKey: formKey(context, request, response, action), fields: named, submit, ...more }
}

/** The submitted form, if it came from one of our pages in this browser. */
export async function ownForm({
  context,
  request,
  path,
}: Pick<Visit, 'context' | 'request' | 'path'>): Promise<URLSearchParams | undefined> {
  if (request.method !== 'POST') return undefined
  const form = await readForm(request)
  return form && isOwnForm(context, request, form, path) ? form : undefined
}

/** The message of a form that is refused for now, with the header for Retry-After; other errors are thrown again. */
export function laterOf({ response, t }: Pick<Visit, 'response' | 't'>, error: unknown): NonNullable<Visit['refused']> {
  if (!(error instanceof LaterError)) throw error
  const { status, seconds } = error
  response.setHeader('retry-after', String(seconds))
  const tooMany = error instanceof LinkLaterError ? 'identity.link.later' : 'identity.form.later'
  return { status, text: status === 503 ? t('identity.sign-in.busy') : t(tooMany, { minutes: Math.ceil(seconds / 60) }) }
}

export function showError(visit: Visit, status: number, text: Word = 'identity.error.text'): void {
  show(visit, status, { title: visit.t('identity.error.title'), blocks: [{ kind: 'text', text: visit.t(text) }, ...signInLinks(visit)] })
}

/** A page of its own for what is refused for now, where no form can be shown again. */
export function showLater(visit: Visit, error: LaterError): void {
  const { status, text } = laterOf(visit, error)
  show(visit, status, { title: visit.t('identity.error.title'), blocks: [{ kind: 'text', text }, ...signInLinks(visit)] })
}

export function showSignedOut(visit: Visit): void {
  const { t } = visit
  const blocks: Block[] = [{ kind: 'text', text: t('identity.signed-out.text') }, ...signInLinks(visit)]
  show(visit, 200, { title: t('identity.signed-out.title'), blocks })
}

/** The storefront a mail is sent for. */
export function mailSiteOf({ site, context }: Pick<Visit, 'site'> & { context: Pick<Visit['context'], 'hosts'> }): MailSite {
  const { market, mode, origin } = site ?? context.hosts.site('gb', 'b2c')
  return { market, mode, origin }
}

/** A field's text, limited in length and without characters that no name contains. */
export function textOf(form: URLSearchParams, name: string, longest = 200): string {
  return (form.get(name) ?? '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}<>]/gu, '')
    .trim()
    .slice(0, longest)
}
