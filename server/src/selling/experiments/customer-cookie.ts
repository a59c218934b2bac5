import { createHmac, timingSafeEqual } from 'node:crypto'
import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { experimentsCookie } from '@purlin/contract/experiments.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { cookieValue, isSecure, log, settings, UnavailableError, within, type Db } from '#platform'
import { namesHeld } from '#segments'
import { runningExperiments } from './running.ts'
import { holdUnit, readUnit } from './store.ts'

/** What a signed-in customer's browser knows about their experiments, so that pages need no session and no database. */
export interface OfCustomer {
  /** The visitor whose variations they see on every device. */
  unit: string
  /** Experiments for segments that they belong to. */
  audiences: readonly number[]
}

interface Visit {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

const days = 60
const text = /^([0-9a-f-]{36})\.([\d-]{0,200})\.([\w-]{22})$/

/** For one browser's visitor id: elsewhere, and after a withdrawal, it is worth nothing. */
const macOf = (visitorId: string, unit: string, audiences: string): string =>
  createHmac('sha256', settings().mail.linkSecret).update(`experiments:${visitorId}:${unit}:${audiences}`).digest('base64url').slice(0, 22)

function valueOf(visitorId: string, { unit, audiences }: OfCustomer): string {
  const listed = audiences.toSorted((a, b) => a - b).join('-')
  return `${unit}.${listed}.${macOf(visitorId, unit, listed)}`
}

const cookieIn = ({ headers }: Visit): string => cookieValue([headers['cookie']].flat()[0], experimentsCookie)

/** Null without the cookie, without consent to statistics, and for one that this shop did not issue to this browser. */
export function customerIn(visit: Visit): OfCustomer | null {
  const found = text.exec(cookieIn(visit))
  const visitorId = found && consentOf(visit).allows('statistics') ? visitorIdOf(visit) : null
  if (!found || visitorId === null) return null
  const [, unit = '', audiences = '', mac = ''] = found
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(visitorId, unit, audiences)))) return null
  return { unit, audiences: audiences === '' ? [] : audiences.split('-').map(Number) }
}

/** The unit of a customer, that of this visitor if they have none yet, and the experiments for segments that they belong to. */
async function customerFor(db: Db, customerId: string, visitorId: string): Promise<OfCustomer> {
  const known = await readUnit(db.reads, customerId)
  const targeted = runningExperiments().filter(({ segments }) => segments.length > 0)
  const held = targeted.length > 0 ? await namesHeld(db.reads, customerId) : []
  return {
    unit: known?.unit ?? (await holdUnit(db.alone, customerId, visitorId)),
    audiences: targeted.filter(({ segments }) => segments.some((name) => held.includes(name))).map(({ campaignId }) => campaignId),
  }
}

/** Nobody's session waits longer for experiments; after that nobody waits at all for a while, and few connections are held. */
const patienceMs = 200
const pauseMs = 1_000
let pausedUntil = 0

/** @throws UnavailableError */
export async function customerInTime(db: Db, customerId: string, visitorId: string): Promise<OfCustomer> {
  if (pausedUntil > Date.now()) throw new UnavailableError('Experiments are unavailable')
  try {
    return await within(patienceMs, customerFor(db, customerId, visitorId))
  } catch (error) {
    pausedUntil = Date.now() + pauseMs
    log.error({ err: error }, 'The experiments of customers are unavailable; their browsers go on as they are')
    throw new UnavailableError('Experiments are unavailable')
  }
}

/**
 * The cookie for the browser of whoever is signed in there, if it is to change: of a customer, with consent to statistics, and of
 * nobody else.
 */
export async function experimentCookies(db: Db, site: SiteSettings, visit: Visit, customerId: string | null): Promise<string[]> {
  const before = cookieIn(visit)
  const visitorId = consentOf(visit).allows('statistics') ? visitorIdOf(visit) : null
  if (customerId === null || visitorId === null) return before === '' ? [] : [lineOf(site, '', 0)]
  // Each page asks for the session: without experiments nothing is read for it.
  if (runningExperiments().length === 0) return []
  try {
    const value = valueOf(visitorId, await customerInTime(db, customerId, visitorId))
    return value === before ? [] : [lineOf(site, value, days)]
  } catch {
    // A session must not end because experiments do; the reason is in the log.
    return []
  }
}

function lineOf({ origin }: SiteSettings, value: string, lifetime: number): string {
  return `${experimentsCookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime * 86_400}${isSecure(origin) ? '; Secure' : ''}`
}
