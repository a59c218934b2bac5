import { endSmsOffers } from '#profile'
import type { JobScope } from '#platform'
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

/** Takes what the provider reports. A reply of one of these words ends offers by text message to that number. */
export async function receiveNews({ db }: Pick<JobScope, 'db'>, news: ProviderNews): Promise<void> {
  if (news.kind === 'report') return writeReport(db, news.reference, news.state, news.errorCode)
  if (
    !stops.has(
      news.body
        .trim()
        .replace(/(?<![.!])[.!]+$/, '')
        .toLowerCase(),
    ) ||
    !(await isNewReply(db, news.reference))
  )
    return
  await endSmsOffers(db, { phone: news.from, wording: news.body.slice(0, 50) })
}
