import { createHash } from 'node:crypto'
import { isMarket } from '@purlin/contract/markets.ts'
import type { SearchEvent } from '@purlin/search/types.ts'
import { readImpression, type ShownList } from '#listing'
import type { JobScope } from '#platform'
import { localDay } from '#pricing'
import { addAsked, addCategoryChoice, addChoices, addQueryChoice, saveEvents, type StoredEvent } from './analytics-store.ts'
import { analysedText, knownQueries } from './watch-searches.ts'

type EventScope = Pick<JobScope, 'db' | 'now'>

const maxProducts = 20

type Choice = Omit<StoredEvent, 'id' | 'senderHash'> & { queryId: string }

/** What search clients report about products, as the rows that it would take; anything else is dropped. */
export function choicesOf(events: readonly SearchEvent[]): Choice[] {
  return events.flatMap((event): Choice[] => {
    const market = /^products_([a-z]{2})/.exec(event.index)?.[1]
    if (!isMarket(market)) return []
    const productIds = (Array.isArray(event.objectIDs) ? event.objectIDs : [])
      .filter((id) => /^\d{1,18}$/.test(String(id)))
      .slice(0, maxProducts)
      .map(String)
    const queryId = typeof event.queryID === 'string' && /^[0-9a-f]{32}$/.test(event.queryID) ? event.queryID : null
    // Nothing could be said about events without a query: they are not kept.
    if (queryId === null) return []
    const { eventType: type, userToken } = event
    const one = { market, type, userToken, queryId }
    return productIds.length === 0 ? [{ ...one, productIds }] : productIds.map((id) => ({ ...one, productIds: [id] }))
  })
}

/**
 * Stores choices in lists of searches that the shop has answered; anybody can invent the id of another. A network counts once for a product
 * of a list, however often it sends the event. The caller has checked for consent.
 */
export async function takeChoices(scope: EventScope, choices: readonly Choice[], network: string | null = null): Promise<number> {
  const { db, now } = scope
  const known = await knownQueries(db, new Set(choices.map(({ queryId }) => queryId)))
  const stored = choices.filter(({ queryId }) => known.has(queryId)).map((choice) => storedEvent(scope, choice, network))
  if (stored.length === 0) return 0
  const chosen = (await saveEvents(db, stored, now)).filter(({ type }) => type !== 'view')
  if (chosen.length > 0) await addChoices(db, chosen)
  return stored.length
}

/** An event of the shop's own pages: a product chosen in a list, by its place from 1, or later put in the cart or ordered. */
export interface ListEvent extends ShownList {
  type: 'click' | 'conversion'
  queryId: string
  position: number
}

/**
 * Stores an event of a page, once for a network, list and product, and counts it for its query or category. The caller has checked
 * for consent. False if this shop did not show that list.
 */
export async function takeListEvent(
  scope: EventScope,
  { type, queryId, position, ...list }: ListEvent,
  { visitorId, network }: { visitorId: string | null; network: string | null },
): Promise<boolean> {
  const { db, now } = scope
  const { market, kind, id, query, shown } = list
  const impression = readImpression(queryId, list, now)
  const productId = shown[position - 1]
  if (!impression || productId === undefined) return false
  const text = kind === 'search' ? analysedText(query ?? '') : null
  if (text === null && kind === 'search') return true
  const event = storedEvent(scope, { market, type, userToken: visitorId ?? 'unknown', queryId, productIds: [productId] }, network)
  const added = await saveEvents(db, [event], now)
  if (added.length === 0) return true
  const day = localDay(market, now)
  if (text === null) await addCategoryChoice(db, { market, day, categoryId: id ?? 0, type })
  else await addQueryChoice(db, { market, day, query: text, type })
  // The order of searches is learned from lists in that order alone.
  if (text !== null && impression.isInOwnOrder) await addAsked(db, [{ queryId, market, day, query: text, shown, at: now }])
  return true
}

/** Its id is derived from what it counts once, and from the day. */
function storedEvent({ now }: EventScope, event: Omit<StoredEvent, 'id' | 'senderHash'>, network: string | null): StoredEvent {
  const day = now.toISOString().slice(0, 10)
  // Distinct within a day and not linked to another day.
  const senderHash = network && digest(`${day} ${network}`).toString('base64url')
  const { type, queryId, userToken, productIds } = event
  const id = digest([day, type, queryId, senderHash ?? `near ${userToken}`, ...productIds].join(' ')).toString('hex')
  return { ...event, id: id.slice(0, 32), senderHash }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
