/** The one service worker of the shop. */
export const workerAddress = '/service-worker.js'

/** Ends push messages to this browser, here and at the shop. */
export async function endPush(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration(workerAddress).catch(() => undefined)
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  if (!subscription) return
  const { endpoint } = subscription
  await subscription.unsubscribe().catch(() => false)
  const headers = { 'content-type': 'application/json' }
  await fetch('/api/v1/push/subscriptions/end', { method: 'POST', headers, body: JSON.stringify({ endpoint }) }).catch(() => undefined)
}
