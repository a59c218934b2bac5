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
  const { id, news } = carrier.verify(rawBody, headers, scope.now)
  if (!news) return 'unheard'
  if (!(await keepMessage(scope.db, id))) return 'known'
  return recordNews(scope, news)
}
