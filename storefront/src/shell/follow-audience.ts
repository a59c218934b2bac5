import { onAuthState } from '../session/auth-state.ts'

/** Shows what is for guests, or for customers, once it is known which of them the visitor is. */
export function followAudience(element: HTMLElement): void {
  const items = [...element.querySelectorAll<HTMLElement>('[data-audience]')]
  if (items.length === 0) return
  onAuthState(({ hasRetrievedAuthStatus, isAuthenticated }) => {
    if (!hasRetrievedAuthStatus) return
    for (const item of items) item.hidden = item.dataset['audience'] !== (isAuthenticated ? 'customers' : 'guests')
  })
}
