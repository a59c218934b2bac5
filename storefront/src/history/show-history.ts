import { browserConsent } from '../consent/browser-consent.ts'
import { onAuthState } from '../session/auth-state.ts'
import { recordView, syncHistory, writeEntries } from './product-history.ts'
import { fill } from './recommended-rows.ts'

/** Fills the place with rows that the server renders, and records the product of the page. */
export function showHistory(element: HTMLElement): void {
  const { product, placement = '' } = element.dataset
  element.dataset['state'] = 'pending'
  const stop = onAuthState((auth) => {
    if (auth.isAuthenticating) return
    queueMicrotask(() => stop())
    if (!mayRemember()) return
    void syncHistory(auth).then(async ({ status, entries }) => {
      element.dataset['state'] = status
      if (!mayRemember()) return writeEntries(localStorage, [])
      if (product) recordView(auth, product)
      const ids = entries.map(({ productId }) => productId).filter((id) => id !== product)
      if (ids.length > 0) await fill(element, { ids: ids.join(), placement })
    })
  })
}

/** Asked anew after each wait: another tab may have withdrawn it. */
const mayRemember = () => browserConsent().allows('userPreferences')
