import { workerAddress } from '../push/end-push.ts'

/** Stores the basket for reading without a connection: somebody who fills one wants to see it in a cellar or a shed too. (decision 061) */
export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(workerAddress)
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage('basket')
}
