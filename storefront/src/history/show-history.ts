import { onAuthState } from '../session/auth-state.ts'
import { recordView, syncHistory } from './product-history.ts'

/** Fills the place with rows that the server renders, and records the product of the page. */
export function showHistory(element: HTMLElement): void {
  const { product, placement = '' } = element.dataset
  element.dataset['state'] = 'pending'
  const stop = onAuthState((auth) => {
    if (!auth.hasRetrievedAuthStatus) return
    queueMicrotask(() => stop())
    void syncHistory(auth).then(async ({ status, entries }) => {
      element.dataset['state'] = status
      if (product) recordView(auth, product)
      const ids = entries.map(({ productId }) => productId).filter((id) => id !== product)
      if (ids.length > 0) await fill(element, new URLSearchParams({ ids: ids.join(), placement }))
    })
  })
}

async function fill(element: HTMLElement, query: URLSearchParams): Promise<void> {
  try {
    const answer = await fetch(`/recently-seen?${query}`, { credentials: 'same-origin' })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    element.append(...page.querySelectorAll('[data-row]'))
    element.hidden = element.childElementCount === 0
  } catch {
    // Nothing is missing without it.
  }
}
