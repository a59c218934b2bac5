import { randomUUID } from 'node:crypto'
import { prefersVat, type SiteHosts, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { findSession, newSessionToken, sessionInsert, sessionIdOf, touchSession } from '#accounts'
import { type Pool, type Scope, type SessionRef, StatusError, type UnitOfWork, dbOn, logOf } from '#platform'
import { limits } from './limits.ts'

/** What a request says of itself, whether it came over HTTP or from a page in this process. */
export interface Incoming {
  headers: Record<string, string | string[] | undefined>
  remoteAddress?: string
}

/** The Scope of one request: questions go straight to the pool, each command gets a copy with its own transaction. */
export interface RequestScope extends Scope {
  site: SiteSettings
  remoteAddress: string
  /** SQL statements sent for this request, all of them. */
  statements: number
  /** Set-Cookie lines for the answer. */
  setCookies: string[]
  /** Questions asked, those whose answers are shared, and whether anything personal was looked at. */
  sharing: { asked: number; holds: (() => boolean)[]; isPersonal: boolean }
  /** Counts items of a list that was answered; throws when the operation has had its share. */
  spend(items: number): void
  /** Asked for once; `session` and `viewer` hold the answer then. */
  loadSession(): Promise<void>
}

/** Null when no settings are known for the host. */
export function requestScope(pool: Pool, hosts: SiteHosts, { headers, remoteAddress = '' }: Incoming): RequestScope | null {
  const site = hosts.siteOf(one(headers.host))
  if (!site) return null
  const cookies = one(headers.cookie)
  const given = one(headers['x-request-id'])
  const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  let loading: Promise<void> | undefined
  let spent = 0
  let log: Scope['log'] | undefined
  const scope: RequestScope = {
    market: site.market,
    mode: site.mode,
    origin: site.origin,
    viewer: { kind: 'guest' },
    prefersVat: prefersVat(site, cookies),
    session: null,
    now: new Date(),
    db: dbOn(pool, () => void scope.statements++),
    emit: () => {
      throw new Error('A query does not emit events')
    },
    requestId,
    get log() {
      return (log ??= logOf({ requestId, market: site.market, mode: site.mode }))
    },
    site,
    remoteAddress,
    statements: 0,
    setCookies: [],
    sharing: { asked: 0, holds: [], isPersonal: false },
    spend: (items) => {
      spent += items
      if (spent > limits.rows) throw new StatusError(400, 'TOO_EXPENSIVE', `The answer has more than ${limits.rows} rows`)
    },
    share: (holds) => void scope.sharing.holds.push(holds),
    loadSession: () => {
      scope.sharing.isPersonal = true
      return (loading ??= load(scope, cookies))
    },
  }
  return scope
}

async function load(scope: RequestScope, cookies: string | undefined): Promise<void> {
  const id = sessionIdOf(cookieValue(cookies, sessionCookieName(scope.site)))
  if (!id) return
  const session = await findSession(scope.db, id, scope.market, scope.mode)
  if (!session) return
  scope.session = { id, guestEmail: session.guestEmail }
  scope.viewer = session.viewer
  if (session.isStale) await touchSession(scope.db, id)
}

/** The scope of one command; a visitor without session gets one, stored together with the first thing written. */
export function commandScope(scope: RequestScope, unit: UnitOfWork): { scope: Scope; keep(): void } {
  const command: Scope = {
    market: scope.market,
    mode: scope.mode,
    origin: scope.origin,
    viewer: scope.viewer,
    prefersVat: scope.prefersVat,
    session: scope.session,
    now: scope.now,
    db: unit.db,
    emit: unit.emit,
    requestId: scope.requestId,
    get log() {
      return scope.log
    },
  }
  if (scope.session) return { scope: command, keep: () => undefined }
  const token = newSessionToken()
  const session: SessionRef = { id: sessionIdOf(token) ?? '', guestEmail: null, isNew: true }
  let stored = false
  command.session = session
  const { statement, values } = sessionInsert(session.id, scope.market, scope.mode)
  unit.before(statement, values, () => void (stored = true))
  return {
    scope: command,
    keep: () => {
      if (!stored) return
      scope.session = { ...session, isNew: false }
      scope.setCookies.push(sessionCookie(scope.site, token))
    },
  }
}

/** `__Host-` binds the cookie to this very host; browsers take it from https and from localhost. */
export function sessionCookieName({ origin }: Pick<SiteSettings, 'origin'>): string {
  return isSecure(origin) ? '__Host-purlin' : 'purlin'
}

function sessionCookie(site: SiteSettings, token: string): string {
  return `${sessionCookieName(site)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=5184000${isSecure(site.origin) ? '; Secure' : ''}`
}

function isSecure(origin: string): boolean {
  return /^https:|^http:\/\/(?:[a-z0-9-]+\.)*localhost(?::\d+)?$/.test(origin)
}

export function cookieValue(header: string | undefined, name: string): string {
  if (!header) return ''
  for (const pair of header.split(';', 100)) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
