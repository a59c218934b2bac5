/** Loads the page anew while the shop waits for an answer, unless the visitor is filling in a form or has left. */
export function reloadSoon(element: HTMLElement): void {
  const seconds = Number(element.querySelector<HTMLElement>('[data-seconds]')?.dataset['seconds'] ?? 3)
  const isFree = () => document.visibilityState === 'visible' && !document.activeElement?.matches('input, select, textarea')
  const hasTyped = () =>
    [...document.querySelectorAll('input')].some(({ value, defaultValue, type }) => type !== 'hidden' && value !== defaultValue)
  setInterval(() => {
    if (isFree() && !hasTyped()) location.reload()
  }, seconds * 1000)
}
