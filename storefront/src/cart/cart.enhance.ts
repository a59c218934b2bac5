/** Choices that take effect when they are made; each is its form's own POST. */
export function enhance(element: HTMLElement): void {
  element.addEventListener('change', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>('form[data-cart-quantity], form[data-cart-delivery]')
    if (!form || !form.reportValidity()) return
    form.setAttribute('aria-busy', 'true')
    form.requestSubmit()
  })
}
