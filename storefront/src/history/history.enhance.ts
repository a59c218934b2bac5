import { onceAllowed } from '../consent/when-allowed.ts'

/** Products seen before and what goes with them: a place that stays empty without consent to preferences. */
export function enhance(element: HTMLElement): void {
  const place = element.querySelector<HTMLElement>('[data-history]')
  if (!place) return
  const { category } = place.dataset
  if (category) void import('./recommended-rows.ts').then(({ fill }) => fill(place, { placement: 'category_listing', category }))
  else onceAllowed('userPreferences', ({ showHistory }) => showHistory(place))
}
