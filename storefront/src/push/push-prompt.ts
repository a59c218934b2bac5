import { isCrawler } from '@purlin/contract/crawlers.ts'
import { clientFlags } from '../experiments/client-flags.ts'
import { showFlash } from '../shell/show-flash.ts'
import { workerAddress } from './end-push.ts'

/** Remembers the answer, so that nobody is asked twice. */
const answerKey = 'push-prompt'

/**
 * Asks a visitor with consent to preferences whether they want push messages, where the browser can show them and the flag
 * batchEnabled is on. The browser itself asks only after "I subscribe". (R-682…)
 */
export async function offerPush(element: HTMLElement): Promise<void> {
  if (!('PushManager' in window) || !('serviceWorker' in navigator) || isCrawler(navigator.userAgent)) return
  if (Notification.permission === 'denied' || localStorage.getItem(answerKey) !== null) return
  const { flagValuesMap } = await clientFlags()
  if (flagValuesMap.batchEnabled !== true) return
  const answer = await fetch('/push-prompt', { credentials: 'same-origin' })
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const prompt = page.querySelector<HTMLElement>('[data-push-prompt]')
  // Another question comes first.
  if (!prompt || element.querySelector('[data-consent-dialog][data-open]')) return
  prompt.addEventListener('click', ({ target }) => {
    const given = (target as Element).closest<HTMLElement>('[data-answer]')?.dataset['answer']
    if (!given) return
    localStorage.setItem(answerKey, given)
    prompt.remove()
    if (given === 'yes') void subscribe(prompt.dataset['done'] ?? '')
  })
  document.body.append(prompt)
}

/** A refusal of the browser's own question, or a failure, is not reported: the visitor knows, or can do nothing about it. */
async function subscribe(done: string): Promise<void> {
  try {
    if ((await Notification.requestPermission()) !== 'granted') return
    const { publicKey } = (await (await fetch('/api/v1/push/key')).json()) as { publicKey: string }
    await navigator.serviceWorker.register(workerAddress)
    const { pushManager } = await navigator.serviceWorker.ready
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/api/v1/push/subscriptions', { method: 'POST', headers, body: JSON.stringify(subscription) })
    if (answer.ok) showFlash({ severity: 'success', message: done })
    else await subscription.unsubscribe()
  } catch (error) {
    console.error(error)
  }
}
