/** Says Global Privacy Control in the form as well: its header may get lost on the way. */
export function enhance(element: HTMLElement): void {
  const field = element.querySelector('input')
  if (field && navigator.globalPrivacyControl === true) field.value = 'gpc'
}
