import { trackingFields } from '@purlin/contract/channels.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import { pageFlag } from '../shell/flags.ts'
import { beacon } from './beacon.ts'
import type { Adapter, DataLayerEvent } from './data-layer.ts'

/** Sends the data layer's events to our own collector, in batches. */

const maxBatch = 50
const restMs = 1500
let waiting: object[] = []
let timer: ReturnType<typeof setTimeout> | undefined

export const collector: Adapter = {
  purpose: 'statistics',
  take(event) {
    waiting.push(wireForm(event))
    // A chosen link leaves the page, which may be unloaded before the batch is due.
    if (waiting.length >= maxBatch || event.event === 'recommendation_click') return flush()
    timer ??= setTimeout(flush, restMs)
  },
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  if (waiting.length === 0) return
  beacon('/api/v1/events', { events: waiting })
  waiting = []
}

addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush(), true)
addEventListener('pagehide', flush)

function wireForm(event: DataLayerEvent): object {
  const { page = '', pageType = '' } = document.documentElement.dataset
  return { id: eventId(), name: event.event, page: { name: page, type: pageType }, data: { ...dataOf(event), ...consentOf() } }
}

function dataOf(event: DataLayerEvent): object {
  if (event.event !== 'page_view') return { ...event, event: undefined }
  const { pageViewCustomData, pageCustomData, referer, statusCode, isAuthenticated } = event
  // Where visitors came from, without what they searched for there.
  const [from = ''] = referer.split(/[?#]/, 1)
  const facts = pageFlag('enableCustomDataNewFormat')
    ? { ...named('page', pageCustomData), ...named('view', pageViewCustomData) }
    : { ...pageCustomData, ...pageViewCustomData }
  const came = Object.fromEntries(trackingFields.flatMap((name) => (event[name] ? [[name, event[name]]] : [])))
  return { ...facts, ...came, referer: from.slice(0, 300), statusCode, isAuthenticated }
}

/** The second format says of each fact whether it is of the page or of this view. */
function named(of: 'page' | 'view', facts: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${of}_${name}`, value]))
}

/** The visitor's consent at the time of the event. */
function consentOf(): { purposes?: string } {
  return pageFlag('eventsWithPurposesEnabled') ? { purposes: browserConsent().purposes.join() } : {}
}

/** A UUIDv7: its time tells the server which day it belongs to, and sending it twice stores it once. */
function eventId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
