import { showFlash } from '../shell/show-flash.ts'

/** A button that copies the code next to it; absent without a script or a clipboard. */
export function offerCopy(element: HTMLElement): void {
  const button = element.querySelector<HTMLButtonElement>('button[data-code]')
  const { code, copied } = button?.dataset ?? {}
  if (!button || code === undefined || copied === undefined || !('clipboard' in navigator)) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => showFlash({ severity: 'success', message: copied }),
      () => getSelection()?.selectAllChildren(element),
    )
  })
}
