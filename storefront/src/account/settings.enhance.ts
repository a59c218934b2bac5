/** Saves details and consents without leaving the page, and asks before a card is deleted; the code is loaded with the first form. */
export function enhance(element: HTMLElement): void {
  // A script of its own would need more room in that of every page than is left.
  if (element.querySelector('[data-seconds]')) return void import('../shell/reload-soon.ts').then(({ reloadSoon }) => reloadSoon(element))
  element.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!['profile', 'offers', 'credentials', 'drop'].includes(String(new FormData(form).get('do')))) return
    // Only a page loaded anew is free of the marks of an earlier refusal.
    if (form.querySelector('[aria-invalid]')) return
    event.preventDefault()
    import('./save-settings.ts').then(
      ({ save }) => save(form, (element.firstElementChild as HTMLElement).dataset),
      () => form.submit(),
    )
  })
}
