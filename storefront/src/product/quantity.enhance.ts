/** Makes the two buttons of a number field work without a page load. */
export function enhance(element: HTMLElement): void {
  const field = element.querySelector<HTMLInputElement>('input[type="number"]')
  if (!field) return
  const min = Number(field.min)
  const max = Number(field.max)
  const buttons = [...element.querySelectorAll<HTMLButtonElement>('button[data-step]')]

  const set = (value: number) => {
    field.value = String(value)
    for (const button of buttons) {
      const next = value + Number(button.dataset.step)
      button.disabled = next < min || next > max
    }
  }
  set(Number(field.value))
  for (const button of buttons) button.addEventListener('click', () => set(Number(field.value) + Number(button.dataset.step)))
  field.addEventListener('change', () => set(nearest(Number(field.value), min, max, Number(field.step) || 1)))
}

/** The nearest valid quantity: whole steps within stock. */
function nearest(value: number, min: number, max: number, step: number): number {
  const wanted = Number.isFinite(value) ? Math.ceil(value / step) * step : min
  return Math.min(Math.floor(max / step) * step, Math.max(min, wanted))
}
