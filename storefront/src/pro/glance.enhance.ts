/** A professional's own work, once the page is idle. */
export function enhance(element: HTMLElement): void {
  const place = element.querySelector<HTMLElement>('[data-glance]')
  if (place) void import('./show-glance.ts').then(({ showGlance }) => showGlance(place)).catch(() => undefined)
}
