import { onAuthState } from '../session/auth-state.ts'

/** Fills the place with what the server renders for a member of a company; guests send no request. */
export function showGlance(element: HTMLElement): void {
  const stop = onAuthState((auth) => {
    if (!auth.hasRetrievedAuthStatus) return
    queueMicrotask(() => stop())
    if (auth.isAuthenticated && auth.isB2B) void fill(element)
  })
}

async function fill(element: HTMLElement): Promise<void> {
  const place = element.querySelector<HTMLElement>('[data-glance]')
  if (!place) return
  try {
    const answer = await fetch('/pro-at-a-glance', { credentials: 'same-origin' })
    if (!answer.ok || answer.redirected) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const glance = page.querySelector('[data-glance-card]')
    if (glance) place.replaceChildren(glance)
    place.hidden = glance === null
  } catch {
    // Nothing is missing without it: each of its links is in the account.
  }
}
