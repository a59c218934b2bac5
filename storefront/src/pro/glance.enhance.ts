/** A professional's own work, once the page is idle. */
export function enhance(element: HTMLElement): void {
  void import('./show-glance.ts').then(({ showGlance }) => showGlance(element))
}
