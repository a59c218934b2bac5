/** Sends a form as its button would without scripts: `submit()` alone forgets who sent it. */
export function sendPlain(form: HTMLFormElement, button: HTMLElement | null): void {
  if (button instanceof HTMLButtonElement && button.name) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name: button.name, value: button.value })
    form.append(field)
  }
  form.submit()
}
