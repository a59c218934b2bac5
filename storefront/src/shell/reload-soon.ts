/** Loads the page, or the address given, anew while the shop waits for an answer, unless the visitor is filling in a form or has left. */
export function reloadSoon(element: HTMLElement): void {
  const { seconds = 3, at } = element.querySelector<HTMLElement>('[data-seconds]')?.dataset ?? {}
  const isFree = () => document.visibilityState === 'visible' && !document.activeElement?.matches('input, select, textarea')
  const hasTyped = () =>
    [...document.querySelectorAll('input')].some(({ value, defaultValue, type }) => type !== 'hidden' && value !== defaultValue)
  setInterval(
    () => {
      if (!isFree() || hasTyped()) return
      if (at === undefined) location.reload()
      else location.replace(at)
    },
    Number(seconds) * 1000,
  )
}
