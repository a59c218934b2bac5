import { endSmsOffers } from '#profile'
import type { JobScope } from '#platform'
import { removeAtProvider, transitMs } from './forget-sms.ts'
import type { ProviderNews } from './provider.ts'
import { isNewReply, writeReport } from './store.ts'

/** The words that end messages, in the languages of the shop and as providers know them. */
const stops = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'arret',
  'arrêt',
  'stopp',
  'baja',
  'alto',
  'annulla',
  'basta',
  'ferma',
])

const isStop = (body: string) =>
  stops.has(
    body
      .trim()
      .replace(/(?<![.!])[.!]+$/, '')
      .toLowerCase(),
  )

/** Takes what the provider reports. A reply of one of these words ends offers by text message to that number. Nobody reads replies: the provider deletes them. */
export async function receiveNews({ db, now }: Pick<JobScope, 'db' | 'now'>, news: ProviderNews): Promise<void> {
  if (news.kind === 'report') return writeReport(db, news.reference, news.state, news.errorCode)
  await removeAtProvider(db, [news.reference], new Date(now.getTime() + transitMs))
  if (isStop(news.body) && (await isNewReply(db, news.reference)))
    await endSmsOffers(db, { phone: news.from, wording: news.body.slice(0, 50) })
}
