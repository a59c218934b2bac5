import { browserConsent } from '../consent/browser-consent.ts'
import { clientFlags } from '../experiments/client-flags.ts'
import { showFlash } from '../shell/show-flash.ts'
import { knownAuth } from '../measure/known-auth.ts'

/** Loaded when it is needed: few visitors are subscribed. */
const subscribing = () => import('./subscribe-browser.ts')

/** Remembers the answer, so that nobody is asked twice. */
const answerKey = 'push-prompt'

/**
 * Asks a visitor with consent to preferences whether they want push messages, where the browser can show them and the flag
 * batchEnabled is on. The browser itself asks only after "I subscribe". (R-682…)
 */
export async function offerPush(element: HTMLElement): Promise<void> {
  if (!('PushManager' in window) || Notification.permission === 'denied') return
  const known = localStorage.getItem(answerKey)
  if (known !== null) return followSignIn(known)
  const { flagValuesMap } = await clientFlags()
  if (flagValuesMap.batchEnabled !== true || !isAllowed()) return
  const answer = await fetch('/push-prompt', { signal: AbortSignal.timeout(5000) })
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const prompt = page.querySelector<HTMLElement>('[data-push-prompt]')
  // Another question comes first.
  if (!prompt || element.querySelector('[data-consent-dialog][data-open]')) return
  prompt.addEventListener('click', ({ target }) => {
    const given = (target as Element).closest<HTMLElement>('[data-answer]')?.dataset['answer']
    if (!given) return
    prompt.remove()
    if (!isAllowed()) return
    localStorage.setItem(answerKey, given)
    if (given === 'yes') void subscribe(prompt.dataset['done'] ?? '')
  })
  document.body.append(prompt)
}

/** Consent may be withdrawn in another tab while something is awaited. */
const isAllowed = () => browserConsent().allows('userPreferences')

/** A subscribed browser belongs to the person who signs in next, and to nobody after they have signed out. */
async function followSignIn(answer: string): Promise<void> {
  if (!answer.startsWith('yes')) return
  const { isAuthenticated } = await knownAuth()
  const now = isAuthenticated ? 'yes, signed in' : 'yes'
  if (now === answer || !isAllowed()) return
  if (isAuthenticated) await (await subscribing()).topicsOfBrowser()
  localStorage.setItem(answerKey, now)
}

/** A refusal of the browser's own question, or a failure, is not reported: the visitor knows, or can do nothing about it. */
async function subscribe(done: string): Promise<void> {
  try {
    if (await (await subscribing()).subscribeBrowser()) showFlash({ severity: 'success', message: done })
  } catch (error) {
    console.error(error)
  }
}
