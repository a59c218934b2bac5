import { browserConsent } from '../consent/browser-consent.ts'
import { workerAddress } from './end-push.ts'

/** Everything that messages are about, as the shop's call takes it. */
export const pushTopics = ['orders', 'prices', 'baskets', 'offers'] as const
export type PushTopic = (typeof pushTopics)[number]

/**
 * Subscribes this browser, asking for its permission, or changes its topics. Returns the topics as stored; null if the browser or the
 * shop refused. Without topics a new subscription is to offers, and an existing one keeps those it has.
 */
export async function subscribeBrowser(topics?: readonly PushTopic[]): Promise<PushTopic[] | null> {
  if ((await Notification.requestPermission()) !== 'granted' || !browserConsent().allows('userPreferences')) return null
  const { publicKey } = (await (await fetch('/api/v1/push/key')).json()) as { publicKey: string }
  await navigator.serviceWorker.register(workerAddress)
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  const subscription = known ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  const kept = await report(subscription, topics)
  if (!kept && !known) await subscription.unsubscribe()
  return kept
}

/** The topics of this browser, which belongs to whoever is signed in from now on; none without a subscription. */
export async function topicsOfBrowser(): Promise<PushTopic[]> {
  const registration = await navigator.serviceWorker.getRegistration(workerAddress)
  const subscription = await registration?.pushManager.getSubscription()
  return (subscription && (await report(subscription))) || []
}

async function report(subscription: PushSubscription, topics?: readonly PushTopic[]): Promise<PushTopic[] | null> {
  const { endpoint, keys } = subscription.toJSON()
  const answer = await fetch('/api/v1/push/subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, topics }),
  })
  return answer.ok ? ((await answer.json()) as { topics: PushTopic[] }).topics : null
}
