import { trackingFields } from '@purlin/contract/channels.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import { pageFlag } from '../shell/flags.ts'
import { beacon, mayOutlive, post } from './beacon.ts'
import type { Adapter, DataLayerEvent } from './data-layer.ts'

/** Sends the data layer's events to our own collector, in batches. */

const address = '/api/v1/events'
const maxBatch = 50
const restMs = 1500
let waiting: object[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false

export const collector: Adapter = {
  purpose: 'statistics',
  take(event) {
    // The server records what reaches the cart, on whichever way.
    if (event.event === 'add_to_cart') return
    waiting.push(wireForm(event))
    // A chosen link leaves the page, which may be unloaded before the batch is due.
    if (event.event === 'recommendation_click') flush()
    // The first goes at once: it shows whether the shop answers.
    timer ??= setTimeout(() => void send(), mayOutlive() ? restMs : 0)
  },
}

/** One batch at a time, so that a collector that hangs holds one connection. */
async function send(): Promise<void> {
  timer = undefined
  if (!isSending) {
    const events = takeWaiting()
    if (events.length === 0) return
    isSending = true
    await post(address, { events }).catch(() => undefined)
    isSending = false
  }
  if (waiting.length > 0) timer ??= setTimeout(() => void send(), restMs)
}

function flush(): void {
  if (!mayOutlive()) return
  const events = takeWaiting()
  if (events.length > 0) beacon(address, { events })
}

/** None after a withdrawal, which may have been made in another tab. */
function takeWaiting(): object[] {
  const events = browserConsent().allows('statistics') ? waiting.slice(0, maxBatch) : []
  waiting = waiting.slice(events.length || Infinity)
  return events
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
  const facts = pageFlag('enableCustomDataNewFormat')
    ? { ...named('page', pageCustomData), ...named('view', pageViewCustomData) }
    : { ...pageCustomData, ...pageViewCustomData }
  const came = Object.fromEntries(trackingFields.flatMap((name) => (event[name] ? [[name, event[name]]] : [])))
  // Where visitors came from, without what they searched for there.
  return { ...facts, ...came, referer: referer.replace(/[?#].*/s, '').slice(0, 300), statusCode, isAuthenticated }
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
  // Eleven digits until the year 2527.
  const time = `0${Date.now().toString(16)}`
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
