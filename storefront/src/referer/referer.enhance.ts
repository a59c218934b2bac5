import { onceAllowed } from '../consent/when-allowed.ts'

const referer = () => import('./referer.ts')

/** Attributes the visit once the visitor has agreed to statistics, and remembers an ad click with consent to advertising. */
export function enhance(): void {
  onceAllowed('statistics', () => void referer().then(({ arrival }) => arrival()))
  onceAllowed('personalisedAdvertising', () => void referer().then(({ rememberClick }) => rememberClick()))
}
