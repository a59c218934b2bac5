/** Consent of a visitor: what they agreed to, in a cookie that server and browser read alike. */

export const consentPurposes = ['statistics', 'personalisedAdvertising', 'userPreferences'] as const
export type ConsentPurpose = (typeof consentPurposes)[number]

export const consentCookie = 'mm_consent'
export const visitorCookie = 'mm_visitor_id'
/** Id of one visit, which ends after half an hour without a page. R-694. */
export const visitCookie = 'mm_session_id'
export const visitSeconds = 1800
/** The ad click that led to the shop (ad-click.ts). R-695. */
export const clickCookie = 'mm_gclid_session'

/** Version of the wording of purposes. A choice made under another version counts as none, and the visitor is asked again. */
export const consentVersion = 'v1'

/** Markets that allow the visitor id to be stored before a choice; elsewhere it ends with the page. (R-557) */
const marketsWithFreeId: readonly string[] = []
export const isVisitorIdFree = (market: string | undefined): boolean => market !== undefined && marketsWithFreeId.includes(market)

export interface Consent {
  /** False: the visitor has not chosen yet, and nothing is allowed. */
  isDecided: boolean
  purposes: readonly ConsentPurpose[]
  /** The id of the stored record; a refusal has none. */
  recordId: string | null
  /** The browser sends Global Privacy Control, which forbids personalised advertising whatever was chosen. */
  hasPrivacySignal: boolean
  allows(purpose: ConsentPurpose): boolean
}

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const cookieText = new RegExp(`(?:^|;\\s*)${consentCookie}=${consentVersion}:([A-Za-z,]*)(?::(${uuid}))?(?=;|$)`)

/** Value of the consent cookie: "v1:statistics,userPreferences:<id of the record>". */
export function consentValue(purposes: readonly ConsentPurpose[], recordId: string | null): string {
  return `${consentVersion}:${purposes.join(',')}${recordId ? `:${recordId}` : ''}`
}

export function readConsent(cookies: string | undefined, hasPrivacySignal: boolean): Consent {
  const [found, chosen = '', recordId = null] = cookieText.exec(cookies ?? '') ?? []
  const given = chosen.split(',')
  const purposes = consentPurposes.filter(
    (purpose) => given.includes(purpose) && !(hasPrivacySignal && purpose === 'personalisedAdvertising'),
  )
  const isDecided = found !== undefined
  return { isDecided, purposes, recordId, hasPrivacySignal, allows: (purpose) => purposes.includes(purpose) }
}

interface WithHeaders {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The consent that came with a request. (R-517, R-518, R-519) */
export function consentOf({ headers }: WithHeaders): Consent {
  return readConsent(oneOf(headers['cookie']), oneOf(headers['sec-gpc']) === '1')
}

const idIn = (cookie: string) => new RegExp(`(?:^|;\\s*)${cookie}=(${uuid})(?=;|$)`)
const visitorText = idIn(visitorCookie)
const visitText = idIn(visitCookie)

/** The visitor id of a cookie header; null without one, or with one that is no UUID. */
export function readVisitorId(cookies: string | undefined): string | null {
  return visitorText.exec(cookies ?? '')?.[1] ?? null
}

/** The visitor id of a request; null without consent to any purpose, whatever the cookie says. */
export function visitorIdOf(request: WithHeaders): string | null {
  return consentOf(request).purposes.length > 0 ? readVisitorId(oneOf(request.headers['cookie'])) : null
}

/** The visit's id of a cookie header; null without one, or with one that is no UUID. */
export function readVisitId(cookies: string | undefined): string | null {
  return visitText.exec(cookies ?? '')?.[1] ?? null
}

/** The visit's id of a request; null without consent to statistics, whatever the cookie says. */
export function visitIdOf(request: WithHeaders): string | null {
  return consentOf(request).allows('statistics') ? readVisitId(oneOf(request.headers['cookie'])) : null
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
