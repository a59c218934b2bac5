/** Saves details and consents without leaving the page, and asks before a card is deleted; the code is loaded with the first form. */
export function enhance(element: HTMLElement): void {
  // A script of its own would need more room in that of every page than is left.
  if (element.querySelector('[data-seconds]')) return void import('../shell/reload-soon.ts').then(({ reloadSoon }) => reloadSoon(element))
  element.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const act = String(new FormData(form).get('do'))
    if (!['profile', 'offers', 'credentials', 'drop'].includes(act)) return
    // Only a page loaded anew is free of the marks of an earlier refusal; the form of the password is renewed by itself.
    if (act !== 'credentials' && form.querySelector('[aria-invalid]')) return
    event.preventDefault()
    import('./save-settings.ts').then(
      ({ save }) => save(form, (element.firstElementChild as HTMLElement).dataset),
      () => form.submit(),
    )
  })
}
