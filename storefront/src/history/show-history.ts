import { onAuthState } from '../session/auth-state.ts'
import { recordView, syncHistory } from './product-history.ts'
import { rowsOf } from './recommended-rows.ts'

/** Fills the place with rows that the server renders, and records the product of the page. */
export function showHistory(element: HTMLElement): void {
  const { product, placement = '', category, glance } = element.dataset
  if (glance !== undefined) return void import('../pro/show-glance.ts').then(({ showGlance }) => showGlance(element))
  if (category) return void fill(element, { placement: 'category_listing', category })
  element.dataset['state'] = 'pending'
  const stop = onAuthState((auth) => {
    if (!auth.hasRetrievedAuthStatus) return
    queueMicrotask(() => stop())
    void syncHistory(auth).then(async ({ status, entries }) => {
      element.dataset['state'] = status
      if (product) recordView(auth, product)
      const ids = entries.map(({ productId }) => productId).filter((id) => id !== product)
      if (ids.length > 0) await fill(element, { ids: ids.join(), placement })
    })
  })
}

async function fill(element: HTMLElement, query: Record<string, string>): Promise<void> {
  element.append(...(await rowsOf(query)))
  element.hidden = element.childElementCount === 0
}
