import { consentOf, visitIdOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { isCrawler } from '@purlin/contract/crawlers.ts'
import type { EventName } from '@purlin/contract/event-names.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import { deviceOf, type EventInput } from './event.ts'
import { writeEvents } from './store.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

interface Recorded {
  name: EventName
  data: EventInput['data']
}

/** Stores an event that the server knows better than the page does, under the consent that came with the request; without it nothing. */
export async function recordEvent(
  db: Db,
  { headers, site }: { headers: Headers; site: { market: Market; mode: Mode } },
  { name, data }: Recorded,
): Promise<void> {
  const request = { headers }
  const consent = consentOf(request)
  const agent = String(headers['user-agent'] ?? '')
  if (!consent.allows('statistics') || isCrawler(agent)) return
  const { market, mode } = site
  const sender = { market, mode, visitorId: visitorIdOf(request), visitId: visitIdOf(request), device: deviceOf(agent) }
  await writeEvents(db.alone, [
    { ...sender, id: newId(), name, pageName: '', pageType: '', purposes: consent.purposes, data, at: new Date(), network: null },
  ])
}
