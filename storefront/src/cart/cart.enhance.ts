/** Options that take effect when chosen, by submitting their own form. */
export function enhance(element: HTMLElement): void {
  element.addEventListener('change', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>('form[data-cart-quantity], form[data-cart-delivery]')
    if (!form || !form.reportValidity()) return
    form.setAttribute('aria-busy', 'true')
    form.requestSubmit()
  })
}
