import { onceAllowed } from '../consent/when-allowed.ts'

/** Attributes the visit once the visitor has agreed to statistics; its page view says how. */
export function enhance(): void {
  onceAllowed('statistics', () => void import('./referer.ts').then(({ arrival }) => arrival()))
}
