import { callApi } from '../session/api-client.ts'
import { browserConsent, consentChanged, settleVisitor, whenAllowed } from './browser-consent.ts'
import { sayConsentMode } from './consent-mode.ts'
import { tidyStorage } from './tidy-storage.ts'
import { ifConsented, runConsented, whenConsented } from './with-consent.ts'

// For others: what decides is one script.
export { ifConsented, whenConsented }

/**
 * Asks for a choice where there is none, by opening the dialog that every page contains. It is not part of what caches see,
 * covers no content and moves nothing.
 */
export function askConsent(element: HTMLElement): void {
  const { isDecided, hasPrivacySignal, allows } = browserConsent()
  // Also without a choice: one that has lapsed, or was about another wording, leaves what was stored under it.
  tidyStorage()
  settleVisitor()
  sayConsentMode('default')
  whenAllowed('statistics', () => {
    const from = allows('statistics') ? 0 : (window.dataLayer?.length ?? 0)
    runConsented(({ measure }) => measure(from))
  })
  whenConsented('personalisedAdvertising', ({ rememberClick }) => rememberClick())
  whenConsented('userPreferences', ({ offerPush }) => offerPush(element))
  const dialog = element.querySelector<HTMLElement>('[data-consent-dialog]')
  // Global Privacy Control has already answered.
  if (!dialog || isDecided || hasPrivacySignal) return
  dialog.dataset['open'] = ''
  let call: AbortController | undefined
  const click = { dialog: crypto.randomUUID(), number: 0 }
  dialog.querySelector('form')!.addEventListener('submit', (event) => {
    const choice = (event.submitter as HTMLButtonElement | null)?.value
    if (!choice) return
    event.preventDefault()
    // The last click counts, and however many there are, they hold one connection. The server may handle them in another order.
    call?.abort()
    click.number++
    const { signal } = (call = new AbortController())
    void callApi('/api/v1/consent', { body: { choice, click }, signal })
      .catch(() => undefined)
      .then((answer) => {
        if (answer?.ok) {
          delete dialog.dataset['open']
          tidyStorage()
          sayConsentMode('update')
          consentChanged()
        } else if (!signal.aborted) dialog.dataset['open'] = 'failed' // says so, and the choice can be made again
      })
  })
}
