import { onAuthState } from '../session/auth-state.ts'

/** Shows the links that are for guests, or for customers, once it is known which of them the visitor is. */
export function enhance(element: HTMLElement): void {
  const items = [...element.querySelectorAll<HTMLElement>('[data-audience]')]
  if (items.length === 0) return
  onAuthState(({ hasRetrievedAuthStatus, isAuthenticated }) => {
    if (!hasRetrievedAuthStatus) return
    for (const item of items) item.hidden = item.dataset['audience'] !== (isAuthenticated ? 'customers' : 'guests')
  })
}
