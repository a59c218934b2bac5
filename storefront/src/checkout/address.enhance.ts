/** Around a form with an address: completes towns and streets once somebody is in it. The form works without. */
export function enhance(element: HTMLElement): void {
  const form = element.querySelector('form')
  // A form without completion still works.
  if (form) import('./complete-address.ts').then(({ completeAddress }) => completeAddress(form, element)).catch(() => undefined)
}
