import { onAuthState } from '../session/auth-state.ts'

/** "Sign in" becomes the name of the signed-in customer: the page itself is the same for everybody. */
export function enhance(element: HTMLElement): void {
  const link = element.querySelector<HTMLAnchorElement>('[data-account]')
  const label = link?.querySelector('[data-account-name]')
  if (!link || !label) return
  const { account = '', label: named = '' } = link.dataset
  const signIn = { href: link.href, text: label.textContent }
  onAuthState(({ isAuthenticated, given_name: name }) => {
    // Returns to this address, including its query.
    const query = new URLSearchParams({ callbackUrl: location.pathname + location.search })
    link.href = isAuthenticated ? account : `${signIn.href.split('?', 1)[0]}?${query}`
    label.textContent = isAuthenticated ? name || named : signIn.text
    link.toggleAttribute('data-signed-in', isAuthenticated)
  })
}
