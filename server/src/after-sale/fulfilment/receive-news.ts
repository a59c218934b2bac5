import type { JobScope } from '#platform'
import type { Carrier } from './carrier.ts'
import { recordNews } from './record-news.ts'
import { keepMessage } from './store.ts'

/** Handles a message of the carrier: verified, noted once and recorded, all in one transaction. @throws ForgedNews */
export async function receiveNews(
  scope: JobScope,
  carrier: Carrier,
  rawBody: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<'recorded' | 'foreign' | 'known' | 'unheard'> {
  const { id, news, collection } = carrier.verify(rawBody, headers, scope.now)
  if (!news && !collection) return 'unheard'
  if (!(await keepMessage(scope.db, id))) return 'known'
  if (collection) {
    scope.emit('collection.reported', { collectionReference: collection.reference, state: collection.state })
    return 'recorded'
  }
  if (!news) return 'unheard'
  const recorded = await recordNews(scope, news)
  // Goods on their way back are another module's.
  if (recorded === 'foreign')
    scope.emit('foreign-parcel.reported', {
      trackingNumber: news.trackingNumber,
      events: news.events.map(({ kind, at }) => ({ kind, at: at.toISOString() })),
    })
  return recorded
}
