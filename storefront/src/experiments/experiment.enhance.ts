import { onceAllowed } from '../consent/when-allowed.ts'

/** Loads the experiment tag where a page shows an experiment and the visitor has agreed to statistics. */
export function enhance(element: HTMLElement): void {
  onceAllowed('statistics', ({ followExperiment }) => followExperiment(element))
}
