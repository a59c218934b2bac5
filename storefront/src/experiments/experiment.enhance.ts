import { whenAllowed } from '../consent/browser-consent.ts'

/** Loads the experiment tag where a page shows an experiment and the visitor has agreed to statistics. */
export function enhance(element: HTMLElement): void {
  whenAllowed('statistics', () => void import('./experiment-tag.ts').then(({ followExperiment }) => followExperiment(element)))
}
