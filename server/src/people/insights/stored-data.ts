import { addressPattern } from '@purlin/contract/address-pattern.ts'
import { channels, trackingFields, trackingWord } from '@purlin/contract/channels.ts'
import type { EventInput } from './event.ts'

type Data = EventInput['data']
type IsOwn = (host: string) => boolean

const known: ReadonlySet<unknown> = new Set(channels)
const maxReferer = 300

/** An event's data as they are stored, whatever a browser sent: addresses without what opens or names something, attribution in plain words. */
export function storedData(data: Data, isOwn: IsOwn): Data {
  const { clickId: _, ...stored }: Data = data
  if (typeof data['referer'] === 'string') stored['referer'] = storedReferer(data['referer'], isOwn)
  for (const name of trackingFields) {
    if (!(name in data)) continue
    const word = trackingWord(data[name])
    if (word === null || (name === 'trackingChannel' && !known.has(word))) delete stored[name]
    else stored[name] = word
  }
  return stored
}

/** The page that led here: one of ours by its pattern, because links of mails carry tokens; another without its query. */
function storedReferer(address: string, isOwn: IsOwn): string {
  const url = URL.parse(address)
  if (!url) return ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return url.protocol === 'android-app:' ? `android-app://${url.host}/` : ''
  return (url.origin + (isOwn(url.host) ? (addressPattern(url.pathname) ?? '/') : url.pathname)).slice(0, maxReferer)
}
