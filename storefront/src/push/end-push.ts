/** The one service worker of the shop. */
export const workerAddress = '/service-worker.js'

const maxCallMs = 10_000

/**
 * Ends push messages to this browser, at the shop and then here: a subscription that is gone here can be named to the shop no more, so
 * after a failed call the next page tries again. A withdrawal of consent ends it here in any case: the shop's side is reached by the visitor's
 * id. Returns whether it has ended.
 */
export async function endPush(isWithdrawn = false): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return true
  const registration = await navigator.serviceWorker.getRegistration(workerAddress).catch(() => undefined)
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  if (!subscription) return true
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ endpoint: subscription.endpoint })
  const signal = AbortSignal.timeout(maxCallMs)
  const call = fetch('/api/v1/push/subscriptions/end', { method: 'POST', headers, body, keepalive: true, signal }).catch(() => null)
  return (isWithdrawn || (await call)?.ok === true) && subscription.unsubscribe().catch(() => false)
}
