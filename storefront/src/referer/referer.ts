import { isClickId, readClick } from '@purlin/contract/ad-click.ts'
import { clickCookie, readVisitorId } from '@purlin/contract/consent.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import { callApi } from '../session/api-client.ts'

/** Where the visitor came from, once per arrival and with consent alone. Source: spec §3, §5, §9, R-406, R-492…. */
export interface RefererInfo {
  refererId: string | null
  rawRefererId: string | null
  trackingCampaign: string | null
  trackingCategory: string | null
  trackingChannel: string
}

export const refererKey = 'mm_referer_id'
const numeric = /^\d{1,18}$/
/** Google attributes a sale to a click for this long. */
const clickDays = 90

/** The stored referer id; one that is not numeric is deleted. */
export function storedRefererId(storage: Pick<Storage, 'getItem' | 'removeItem'>): string | null {
  const known = storage.getItem(refererKey)
  if (known === null || numeric.test(known)) return known
  storage.removeItem(refererKey)
  return null
}

/** An id of the query string: numeric, else ignored. */
export function idInQuery(name: 'referer_id' | 'publisher_id', search: string): string | null {
  const given = new URLSearchParams(search).get(name)
  return given !== null && numeric.test(given) ? given : null
}

/** The ad click of the cookie, while it has an id and an expiry in the future; any other cookie is deleted. */
export function storedClick(page: { cookie: string }, now = Date.now()): string | null {
  const id = readClick(page.cookie, now)
  if (id === null && page.cookie.includes(`${clickCookie}=`)) page.cookie = `${clickCookie}=; path=/; max-age=0`
  return id
}

/** Remembers the click that led here. */
export function keepClick(page: { cookie: string }, search: string, now = Date.now()): void {
  const id = new URLSearchParams(search).get('gclid')
  if (!isClickId(id)) return
  const expires = now + clickDays * 86_400_000
  page.cookie = `${clickCookie}=${encodeURIComponent(JSON.stringify({ id, expires }))}; path=/; max-age=${clickDays * 86_400}; samesite=lax`
}

/** With consent to personalised advertising, whatever else was agreed to. The server reads it with a conversion. */
export function rememberClick(): void {
  keepClick(document, location.search)
  storedClick(document)
}

let asked: Promise<RefererInfo | null> | undefined

/** Where the visitor came from, looked up once per page; null for one who came from here. */
export function arrival(): Promise<RefererInfo | null> {
  return (asked ??= lookUpReferer())
}

/** Asks the referer service. Crawlers are skipped, and a failure is ignored in silence. */
async function lookUpReferer(): Promise<RefererInfo | null> {
  if (!browserConsent().allows('statistics')) return null
  const visitorId = readVisitorId(document.cookie)
  if (visitorId === null || document.referrer.startsWith(`${location.origin}/`)) return null
  try {
    const current = storedRefererId(localStorage)
    const given = idInQuery('referer_id', location.search)
    const query = new URLSearchParams({
      page_type: document.documentElement.dataset['page'] ?? '',
      // Without what was searched for there.
      referer: document.referrer.replace(/[?#].*/s, ''),
      cookie_disabled: String(!navigator.cookieEnabled),
      ...(given !== null && { referer_id: given }),
      ...(current !== null && { current_referer_id: current }),
    })
    const answer = await callApi(`/api/v1/referer/visitor/${visitorId}?${query}`)
    if (!answer.ok) return null
    const info = (await answer.json()) as RefererInfo
    if (info.refererId !== null && numeric.test(info.refererId) && browserConsent().allows('statistics'))
      localStorage.setItem(refererKey, info.refererId)
    return info
  } catch {
    return null
  }
}
