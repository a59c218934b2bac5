import { consentOf, visitIdOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { isCrawler } from '@purlin/contract/crawlers.ts'
import type { EventName } from '@purlin/contract/event-names.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { log, newId, takeQuota, type AddedProduct, type Db } from '#platform'
import { clickOf } from './conversion.ts'
import { bytesOf, deviceOf, rowBytes, type EventInput } from './event.ts'
import { eventWriter, type EventWriter } from './event-writer.ts'
import { writeEvents, type StoredEvent } from './store.ts'

interface Requested {
  headers: Readonly<Record<string, string | string[] | undefined>>
  site: { market: Market; mode: Mode }
}

interface Recorded {
  name: EventName
  data: EventInput['data']
}

/** Stores an event that the server knows better than the page does, under the consent and visitor id that came with the request; without them nothing. */
export async function recordEvent(db: Db, requested: Requested, event: Recorded): Promise<void> {
  const events = storedEvents(requested, [event])
  if (events.length > 0) await writeEvents(db.alone, events)
}

/** One of a process for each database: a collector that hangs holds one connection. */
const writers = new WeakMap<Db, EventWriter>()

/**
 * Records what a command has put into a cart, on whichever way. Nobody waits for it: goods are in the basket whether or not it is stored, and
 * beyond what a line may leave a day it is not.
 */
export function recordAdded(db: Db, requested: Requested & { remoteAddress: string }, added: readonly AddedProduct[]): void {
  const events = storedEvents(
    requested,
    added.map(({ productId, quantity }) => ({ name: 'add_to_cart', data: { productId: Number(productId), quantity } })),
  )
  if (events.length === 0) return
  const writer = writers.get(db) ?? eventWriter(db.alone)
  writers.set(db, writer)
  writeWithinQuota(writer, requested.remoteAddress, events).catch((error: unknown) =>
    log.warn({ err: error }, 'What was added to a cart was not recorded'),
  )
}

async function writeWithinQuota(writer: EventWriter, address: string, events: readonly StoredEvent[]): Promise<void> {
  const bytes = events.reduce((sum, { data }) => sum + rowBytes + bytesOf(data), 0)
  const taken = await takeQuota('measurement', { line: address }, Math.ceil(bytes / 1024))
  if (taken.ok) await writer.write(events)
}

function storedEvents({ headers, site: { market, mode } }: Requested, recorded: readonly Recorded[]): StoredEvent[] {
  const request = { headers }
  const consent = consentOf(request)
  const agent = String(headers['user-agent'] ?? '')
  const visitorId = visitorIdOf(request)
  // Without an id no withdrawal would reach it.
  if (visitorId === null || !consent.allows('statistics') || isCrawler(agent)) return []
  const sender = { market, mode, visitorId, visitId: visitIdOf(request), device: deviceOf(agent) }
  return recorded.map(({ name, data }) => ({
    ...sender,
    id: newId(),
    name,
    pageName: '',
    pageType: '',
    purposes: consent.purposes,
    data: { ...data, ...clickOf(request, { name, pageName: '' }) },
    at: new Date(),
    network: null,
  }))
}
