import { onceAllowed } from '../consent/when-allowed.ts'

/** Products seen before and what goes with them: a place that stays empty without consent to preferences. */
export function enhance(element: HTMLElement): void {
  const place = element.querySelector<HTMLElement>('[data-history]')
  if (!place) return
  const show = () => void import('./show-history.ts').then(({ showHistory }) => showHistory(place))
  if (place.dataset['now']) show()
  else onceAllowed('userPreferences', show)
}
