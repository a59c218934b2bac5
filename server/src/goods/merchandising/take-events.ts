import { createHash } from 'node:crypto'
import { isMarket } from '@purlin/contract/markets.ts'
import type { SearchEvent } from '@purlin/search/types.ts'
import { newId, type JobScope } from '#platform'
import { addClicks, saveEvents, type StoredEvent } from './analytics-store.ts'

const maxProducts = 20

/** Stores events of search clients about products; others are dropped. The caller has checked for consent. */
export async function takeEvents(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  events: readonly SearchEvent[],
  network: string | null = null,
): Promise<number> {
  // Distinct within a day and not linked to another day.
  const senderHash =
    network &&
    createHash('sha256')
      .update(`${now.toISOString().slice(0, 10)} ${network}`)
      .digest('base64url')
  const stored = events.flatMap((event): StoredEvent[] => {
    const market = /^products_([a-z]{2})/.exec(event.index)?.[1]
    if (!isMarket(market)) return []
    const productIds = (Array.isArray(event.objectIDs) ? event.objectIDs : [])
      .filter((id) => /^\d{1,18}$/.test(String(id)))
      .slice(0, maxProducts)
      .map(String)
    const queryId = typeof event.queryID === 'string' && /^[0-9a-f]{32}$/.test(event.queryID) ? event.queryID : null
    // Nothing could be said about events without a query: they are not kept.
    if (queryId === null) return []
    return [{ id: newId(), market, type: event.eventType, userToken: event.userToken, queryId, senderHash, productIds }]
  })
  if (stored.length === 0) return 0
  await saveEvents(db, stored, now)
  const clicked = stored.flatMap(({ type, queryId }) => (type === 'click' && queryId ? [queryId] : []))
  if (clicked.length > 0) await addClicks(db, clicked)
  return stored.length
}
