import { randomUUID } from 'node:crypto'
import { isForStaff, type Action } from '@purlin/contract/actions.ts'
import { consentOf, readVisitorId } from '@purlin/contract/consent.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { prefersVat, type SiteHosts, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { findSession, newSessionToken, sessionInsert, sessionIdOf, stranger, touchSession } from '#accounts'
import { mayGoOn } from '#auth'
import { recordAdded } from '#insights'
import {
  type AddedProduct,
  type Beside,
  type Pool,
  type ReadBeside,
  type Scope,
  type SessionRef,
  type SiteScope,
  StatusError,
  type UnitOfWork,
  asCommand,
  cookieValue,
  hostCookieName,
  dbOn,
  isRefused,
  logOf,
  requireQuota,
  sessionCookie,
  sessionCookieName,
  staffCookie,
} from '#platform'
import { limits } from './limits.ts'
import type { Slices } from './time-slices.ts'

/** The properties of a request, whether over HTTP or from a page in this process. */
export interface Incoming {
  headers: Record<string, string | string[] | undefined>
  remoteAddress?: string
}

/**
 * The scope of one request, as anonymous actions receive it: it has no principal, so they cannot use a wrong one. Queries
 * read outside any transaction; each command gets a copy with its own.
 */
export interface RequestScope extends SiteScope {
  site: SiteSettings
  remoteAddress: string
  /** Number of SQL statements sent for this request. */
  statements: number
  /** Set-Cookie lines for the response. */
  setCookies: string[]
  /** Fields resolved so far, how many of them are shared, and whether anything personal was read. */
  sharing: { asked: number; holds: (() => boolean)[]; isPersonal: boolean }
  /** Present if the operation is executed in slices. */
  slices?: Slices
  /** Counts the items of a returned list; throws when the operation exceeds its row budget. */
  spend(items: number): void
  /**
   * The scope with its principal, for every other action: the session is read once, on first use. Actions granted to staff
   * alone are resolved by the session of the offices. Calls of the first turn may read something beside the session.
   */
  personal(action?: Action, beside?: Beside): Promise<Scope>
  /** Measures what a committed command has put into the cart. */
  measure(added: readonly AddedProduct[]): void
  /** Called when a command has created a session: the rest of the request runs in it. */
  actAs(scope: Scope): void
}

/** Resolves the principal of a session cookie. Tests may supply their own. */
export type FindSession = typeof findSession

/** Null for an unknown host. */
export function requestScope(
  pool: Pool,
  hosts: SiteHosts,
  { headers, remoteAddress = '' }: Incoming,
  find = findSession,
): RequestScope | null {
  const site = hosts.siteOf(one(headers.host))
  if (!site) return null
  const cookies = one(headers.cookie)
  const given = one(headers['x-request-id'])
  const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  let personal: Promise<Scope> | undefined
  const besides: Beside[] = []
  let staff: Promise<Scope> | undefined
  let spent = 0
  let log: Scope['log'] | undefined
  const scope: RequestScope = {
    market: site.market,
    mode: site.mode,
    origin: site.origin,
    prefersVat: prefersVat(site, cookies),
    now: new Date(),
    db: dbOn({ query: pool.lanes.reads }, pool.lanes, () => void scope.statements++),
    emit: () => {
      throw new Error('A query does not emit events')
    },
    requestId,
    get userToken() {
      return consentOf({ headers }).allows('userPreferences') ? readVisitorId(cookies) : null
    },
    get visitorId() {
      return consentOf({ headers }).allows('statistics') ? readVisitorId(cookies) : null
    },
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
      if (spent > limits.rows) throw new StatusError(400, 'TOO_EXPENSIVE', `The result has more than ${limits.rows} rows`)
    },
    share: (holds) => void scope.sharing.holds.push(holds),
    personal: (action, beside) => {
      scope.sharing.isPersonal = true
      if (action !== undefined && isForStaff(action)) return (staff ??= resolve(pool, scope, { cookies, find, isStaff: true }))
      if (beside) besides.push(beside)
      // Resolvers that wait for nothing are called in one turn, and each may have something to read.
      return (personal ??= Promise.resolve().then(() => resolve(pool, scope, { cookies, find, isStaff: false, besides })))
    },
    measure: (added) => recordAdded(pool.db, { headers, site, remoteAddress }, added),
    actAs: (acting) => void (personal = Promise.resolve(acting)),
  }
  return scope
}

/** The principal of a session cookie; a guest without identity if the session is unknown or belongs to another site. */
async function resolve(
  pool: Pool,
  scope: RequestScope,
  {
    cookies,
    find,
    isStaff,
    besides = [],
  }: { cookies: string | undefined; find: FindSession; isStaff: boolean; besides?: readonly Beside[] },
): Promise<Scope> {
  const name = isStaff ? hostCookieName(scope.site, staffCookie) : sessionCookieName(scope.site)
  const id = sessionIdOf(cookieValue(cookies, name))
  const found = id === null ? null : await find(scope.db, id, isStaff ? 'staff' : scope.mode, besides)
  if (!found) return asRequester(pool, scope, stranger, null)
  if (found.overdue !== null && !(await mayGoOn(scope.db, found.overdue))) return asRequester(pool, scope, stranger, null)
  if (found.isStale) await touchSession(scope.db.alone, found.id)
  return asRequester(pool, scope, found.principal, { id: found.id }, found.besides)
}

/** The principal's scope for reads; `begin` runs one of their commands in a transaction of its own. */
function asRequester(
  pool: Pool,
  scope: RequestScope,
  principal: Principal,
  session: SessionRef | null,
  besides?: readonly ReadBeside[],
): Scope {
  const requester = actingIn(scope, scope, principal, session)
  if (besides) requester.besides = besides
  requester.begin = async (work) => {
    let keep: () => boolean = () => true
    let added: AddedProduct[] = []
    // Counted before it is made, so that parallel requests cannot pass together; given back if nothing was stored.
    const taken = session ? null : await requireQuota('session', { address: scope.remoteAddress })
    const value = await asCommand(
      pool,
      (unit) => {
        const command = commandScope(pool, scope, requester, unit)
        keep = command.keep
        added = []
        command.scope.noteAdded = (product) => void added.push(product)
        return work(command.scope)
      },
      () => void scope.statements++,
    )
    if (!isRefused(value) && added.length > 0) scope.measure(added)
    if (isRefused(value) || !keep()) await taken?.giveBack()
    return value
  }
  return requester
}

function siteParts(scope: SiteScope, { db, emit }: Pick<SiteScope, 'db' | 'emit'>): SiteScope {
  const { market, mode, origin, prefersVat: withVat, now, requestId } = scope
  return {
    market,
    mode,
    origin,
    prefersVat: withVat,
    now,
    db,
    emit,
    requestId,
    ...(scope.remoteAddress !== undefined && { remoteAddress: scope.remoteAddress }),
    ...(scope.leaveTurn && { leaveTurn: scope.leaveTurn }),
    // Getters: the log is created and cookies are read on first use.
    get log() {
      return scope.log
    },
    get visitorId() {
      return scope.visitorId ?? null
    },
  }
}

/** The scope of one command; a visitor without a session gets one, stored together with the command's first write. */
function commandScope(
  pool: Pool,
  scope: RequestScope,
  { principal, session, besides }: Scope,
  unit: UnitOfWork,
): { scope: Scope; keep(): boolean } {
  if (session) {
    const acting = actingIn(scope, unit, principal, session)
    return { scope: besides ? { ...acting, besides } : acting, keep: () => true }
  }
  const token = newSessionToken()
  const made: SessionRef = { id: sessionIdOf(token) ?? '' }
  let stored = false
  const { statement, values } = sessionInsert(made.id, scope.market, scope.mode)
  unit.before(statement, values, () => void (stored = true))
  const guest: Principal = { kind: 'guest', id: made.id, email: null }
  return {
    scope: actingIn(scope, unit, guest, made),
    keep: () => {
      if (!stored) return false
      scope.actAs(asRequester(pool, scope, guest, made))
      scope.setCookies.push(sessionCookie(scope.site, token))
      return true
    },
  }
}

function actingIn(scope: RequestScope, on: Pick<SiteScope, 'db' | 'emit'>, principal: Principal, session: SessionRef | null): Scope {
  return Object.assign(siteParts(scope, on), { principal, session })
}

export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
