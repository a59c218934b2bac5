/** Saves details and consents without leaving the page; the code is loaded when the first form is submitted. */
export function enhance(element: HTMLElement): void {
  element.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!['profile', 'offers', 'credentials'].includes(String(new FormData(form).get('do')))) return
    event.preventDefault()
    import('./save-settings.ts').then(
      ({ save }) => save(form, (element.firstElementChild as HTMLElement).dataset),
      () => form.submit(),
    )
  })
}
