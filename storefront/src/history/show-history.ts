import { onAuthState } from '../session/auth-state.ts'
import { mayRemember, recordView, syncHistory } from './product-history.ts'
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
      if (!mayRemember()) return
      if (product) void recordView(auth, product)
      const ids = entries.map(({ productId }) => productId).filter((id) => id !== product)
      if (ids.length > 0) await fill(element, { ids: ids.join(), placement })
    })
  })
}
