/** Reports what was ordered after it had been chosen in a list. */
export function enhance(element: HTMLElement): void {
  const ids = element.querySelector<HTMLElement>('[data-ordered]')?.dataset['ordered']?.split(' ') ?? []
  void import('../listing/list-choices.ts').then(({ sayChosen }) => sayChosen('conversion', ids)).catch(() => undefined)
}
