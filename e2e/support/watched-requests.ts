import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import * as documents from '@purlin/storefront/generated/documents.ts'
import type { Request } from 'playwright-core'
import type { Visitor } from './visitor.ts'

/** Requests of a visitor's pages, without those that every page needs. */

/** Calls that are not part of showing a page. */
export const measuring =
  /\/api\/v1\/(?:(?:search-)?events|web-vitals|client-page-change|pro-event|referer|experiment-exposures)|\/ab-test\/|\/search-engine\/1\/events/
/** Calls of scripts that every page needs: its personal parts, the session, and the choice itself. */
const needed = /^(?:\/graphql (?:CartCount|WishedProducts)|\/api\/auth\/(?:session|csrf|providers|_log)|\/api\/v1\/consent)$/
/** Pictures that a page shows: none of them says who looks at it. */
const picture = /^\/(?:pictures\/|files\/public\/|assets\/|favicon)/
/** Calls that a purpose allows beyond these. */
const allowedCalls: Readonly<Record<ConsentPurpose, RegExp>> = {
  statistics:
    /^\/(?:api\/v1\/(?:events|web-vitals\/beacon|client-page-change|experiment-exposures|referer\/visitor\/[\da-f-]+)|ab-test\/api\/v1\/user\/flags)$/,
  personalisedAdvertising: /^$/,
  userPreferences:
    /^\/(?:api\/v1\/search-events|search-engine\/1\/events|api\/v1\/push\/\w+|ab-test\/api\/v1\/user\/flags|push-prompt|recently-seen)$/,
}

export const isAllowedBy = (purpose: ConsentPurpose, call: string): boolean => allowedCalls[purpose].test(call)

export interface Watched {
  /** Every call of a script beyond the needed ones, and every picture that is none of the shop's. */
  sent: string[]
  scripts: string[]
  /** Requests to other origins, of whatever kind. */
  foreign: string[]
}

export function watch({ page, origin }: Pick<Visitor, 'page' | 'origin'>): Watched {
  const watched: Watched = { sent: [], scripts: [], foreign: [] }
  page.on('request', (request) => {
    const { pathname, search, origin: to, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && to !== origin) watched.foreign.push(request.url())
    const call = pathname === '/graphql' ? `${pathname} ${operationOf(request)}` : pathname
    const isCall = ['fetch', 'xhr', 'ping', 'eventsource', 'websocket'].includes(request.resourceType())
    const isImage = request.resourceType() === 'image' && protocol.startsWith('http')
    const isStrange = isImage && (!picture.test(pathname) || hasId.test(search))
    if (measuring.test(pathname) || isStrange || (isCall && !needed.test(call))) watched.sent.push(call)
    if (request.resourceType() === 'script') watched.scripts.push(pathname)
  })
  return watched
}

/** A visitor's id in the address of a picture; otherwise it has a version and a size. */
const hasId = /[\da-f]{8}-[\da-f]{4}-/

const names = new Map(Object.values(documents).map(({ id, name }) => [id, name]))

/** The name of the shop's document whose hash a request sends; the text of any other. */
function operationOf(request: Request): string {
  const text = request.postData() ?? decodeURIComponent(new URL(request.url()).search)
  const hash = /"sha256Hash":"([\da-f]+)"/.exec(text)?.[1] ?? ''
  return names.get(hash) ?? text.slice(0, 80)
}
