/** "I buy for myself" is kept with the customer's segments; the invitation then goes, and stays where that fails. */
export function enhance(element: HTMLElement): void {
  const button = element.querySelector<HTMLButtonElement>('[data-not-pro]')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    button.setAttribute('aria-busy', 'true')
    void import('../session/customer-requests.ts')
      .then(({ updateSegments }) => updateSegments({ b2b_suspected_pro: 'NOT_SUSPECTED_PRO' }))
      .catch(() => false)
      .then((isKept) => {
        button.removeAttribute('aria-busy')
        if (!isKept) return
        element.remove()
        document.getElementById('content')?.focus()
      })
  })
}
