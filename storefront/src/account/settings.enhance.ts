/** Saves details and offers without leaving the page; the code that does is loaded with the first form that is sent. */
export function enhance(element: HTMLElement): void {
  element.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!['profile', 'offers'].includes(String(new FormData(form).get('do')))) return
    event.preventDefault()
    import('./save-settings.ts').then(
      ({ save }) => save(form, (element.firstElementChild as HTMLElement).dataset),
      () => form.submit(),
    )
  })
}
