import { marketCodes, modes } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

/** The push services of the browsers: what a visitor sends as an endpoint leads to no other server. */
const services =
  /^https:\/\/(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]{1,60}\.notify\.windows\.com)\/[\w\-./:%=?&~]{1,900}$/

const endpoint = v.pipe(v.string(), v.regex(services, 'is not of a push service'))
const key = (bytes: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[\w-]{16,100}={0,2}$/),
    v.check((text) => Buffer.from(text, 'base64url').length === bytes, `has not ${bytes} bytes`),
  )

/** Everything that messages are about; without a choice a subscription is to offers, which the prompt names. */
export const pushTopics = ['orders', 'prices', 'baskets', 'offers'] as const
export type PushTopic = (typeof pushTopics)[number]

/** A subscription of the browser's PushManager, with the topics chosen for it. */
export const subscriptionInput = v.object({
  endpoint,
  keys: v.object({ p256dh: key(65), auth: key(16) }),
  topics: v.optional(v.pipe(v.array(v.picklist(pushTopics)), v.maxLength(pushTopics.length))),
})
export const endInput = v.object({ endpoint })

/** A message to everybody who subscribed on a storefront; the path leads to a page of ours. */
export const messageInput = v.strictObject({
  key: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)),
  market: v.picklist(marketCodes),
  mode: v.picklist(modes),
  title: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80)),
  body: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
  path: v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u)),
})
export type PushMessage = v.InferOutput<typeof messageInput>

/** A message to one customer, in every browser that is subscribed to its topic and still signed in. */
export interface PersonalPush extends PushMessage {
  customerId: string
  topic: PushTopic
}
