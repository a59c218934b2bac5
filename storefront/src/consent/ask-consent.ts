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
  const { isDecided, hasPrivacySignal } = browserConsent()
  // Also without a choice: one that has lapsed, or was about another wording, leaves what was stored under it.
  tidyStorage()
  settleVisitor()
  sayConsentMode('default')
  const isAllowed = browserConsent().allows('statistics')
  whenAllowed('statistics', () => {
    const from = isAllowed ? 0 : (window.dataLayer?.length ?? 0)
    runConsented(({ measure }) => measure(from))
  })
  whenConsented('personalisedAdvertising', ({ rememberClick }) => rememberClick())
  whenConsented('userPreferences', ({ offerPush }) => offerPush(element))
  const dialog = element.querySelector<HTMLElement>('[data-consent-dialog]')
  // Global Privacy Control has already answered.
  if (!dialog || isDecided || hasPrivacySignal) return
  dialog.dataset['open'] = ''
  dialog.querySelector('form')!.addEventListener('submit', (event) => {
    const choice = (event.submitter as HTMLButtonElement | null)?.value
    if (!choice) return
    event.preventDefault()
    void choose(choice).then((isSaved) => {
      if (isSaved) delete dialog.dataset['open']
    })
  })
}

/** A choice that could not be saved leaves the dialog open, to be made again. */
async function choose(choice: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('/api/v1/consent', { method: 'POST', headers, body: JSON.stringify({ choice }) }).catch(() => null)
  if (!answer?.ok) return false
  tidyStorage()
  sayConsentMode('update')
  consentChanged()
  return true
}
