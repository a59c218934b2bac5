import { ifAllowed } from '../consent/when-allowed.ts'

/** Reports what was ordered after it had been chosen in a list. */
export function enhance(element: HTMLElement): void {
  const ids = element.querySelector<HTMLElement>('[data-ordered]')?.dataset['ordered']?.split(' ') ?? []
  ifAllowed('userPreferences', ({ sayChosen }) => sayChosen('conversion', ids))
}
