import type { Mode } from '@purlin/contract/markets.ts'
import { storefrontChoice, storefrontCookie, type SiteHosts, type SiteSettings } from '@purlin/contract/site-settings.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionIdOf, type SessionFamily } from '#accounts'
import { cookieValue, hostCookie, hostCookieName, isSecure, staffCookie, type Db, type JobScope } from '#platform'
import { callbackPathOf } from './callback-url.ts'
import { csrfCookieOf, csrfTokenOf, newSecret } from './secrets.ts'

/** Dependencies of the session service on the gateway. */
export interface AuthServices {
  hosts: SiteHosts
  db: Db
  /** One transaction that never creates a guest session. */
  asCommand<Value>(operation: (scope: JobScope) => Promise<Value>): Promise<Value>
}

/** A parsed request to the session service; none of its fields is trusted. */
export interface AuthRequest {
  site: SiteSettings
  method: 'GET' | 'POST'
  query: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
  headers: FastifyRequest['headers']
  /** The query string as sent, including its question mark. */
  search: string
}

export interface AuthAnswer {
  status?: number
  body?: object
  /** An address on this site or at the identity provider. */
  redirect?: string
  cookies?: readonly string[]
}

export function authRequest(request: FastifyRequest, site: SiteSettings): AuthRequest {
  const at = request.url.indexOf('?')
  const { body, query } = request
  return {
    site,
    method: request.method === 'POST' ? 'POST' : 'GET',
    query: isFields(query) ? query : {},
    body: isFields(body) ? body : {},
    headers: request.headers,
    search: at < 0 ? '' : request.url.slice(at),
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns a redirect into `{ url }` if the body requests JSON, for scripts that follow it themselves. */
export function sendAnswer(
  reply: FastifyReply,
  { method, body: fields }: AuthRequest,
  { status = 200, body = {}, redirect, cookies = [] }: AuthAnswer,
): FastifyReply {
  reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer').header('x-content-type-options', 'nosniff')
  for (const line of cookies) reply.header('set-cookie', line)
  if (redirect === undefined) return reply.code(status).send(body)
  if (fields['json'] === 'true' || fields['json'] === true) return reply.code(200).send({ url: redirect })
  return reply.redirect(redirect, method === 'POST' ? 303 : 302)
}

export function cookieIn({ site, headers }: AuthRequest, name: string): string {
  return cookieValue(headers.cookie, hostCookieName(site, name))
}

/** Marks a sign-out in this browser: the next sign-in requires the password, even before the provider has ended its session. */
export const signedOutCookie = 'signed-out'

/** The back offices have a session of their own besides the shop's. */
export function sessionCookieFor(family: SessionFamily): string {
  return family === 'staff' ? staffCookie : 'purlin'
}

export function sessionIdIn(request: AuthRequest, family: SessionFamily = request.site.mode): string | null {
  return sessionIdOf(cookieIn(request, sessionCookieFor(family)))
}

/** Names of our cookies with this beginning, without the host prefix. */
export function cookieNamesIn({ site, headers }: AuthRequest, start: string): string[] {
  const prefix = hostCookieName(site, '')
  return (headers.cookie ?? '')
    .split(';', 100)
    .map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))).trim())
    .filter((name) => name.startsWith(prefix + start))
    .map((name) => name.slice(prefix.length))
}

/** This browser's CSRF token, with the cookie to set if it has none yet. */
export function csrfTokenFor(request: AuthRequest): { token: string; cookies: string[] } {
  const known = csrfTokenOf(cookieIn(request, 'purlin-csrf'))
  if (known !== null) return { token: known, cookies: [] }
  const token = newSecret()
  return { token, cookies: [hostCookie(request.site, 'purlin-csrf', csrfCookieOf(token), 24 * 60 * 60)] }
}

export function hasCsrfToken(request: AuthRequest): boolean {
  const token = csrfTokenOf(cookieIn(request, 'purlin-csrf'))
  return token !== null && request.body['csrfToken'] === token
}

/** Where to go afterwards: a path on this site. */
export function callbackOf(request: AuthRequest): string {
  const given = request.body['callbackUrl'] ?? request.query['callbackUrl']
  return callbackPathOf(request.site, request.headers.host, given)
}

/** Signals once that a sign-in has just happened; read and removed by the page. */
export function newSessionCookie({ origin }: SiteSettings): string {
  return `purlin_new_session=1; Path=/; SameSite=Lax; Max-Age=600${isSecure(origin) ? '; Secure' : ''}`
}

/** Remembers on this host which storefront the visitor chose last. */
export function chosenStorefront({ origin }: SiteSettings, mode: Mode): string {
  return `${storefrontCookie}=${storefrontChoice(mode)}; Path=/; SameSite=Lax; Max-Age=31536000${isSecure(origin) ? '; Secure' : ''}`
}

/** An address on this site with a query. */
export function pageUrl({ origin }: SiteSettings, path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return origin + path + (given.length ? `?${new URLSearchParams(given)}` : '')
}
