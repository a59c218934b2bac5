import { articlesFor, typedNumber } from '@purlin/ui/coverage.ts'

/** The two buttons of a number field count on the spot; the helper for square metres and litres fills the field in. */
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

  const helper = element.querySelector<HTMLElement>('[data-coverage]')
  if (helper) coverage(helper, set)
}

/** What can be ordered: whole steps within stock. */
function nearest(value: number, min: number, max: number, step: number): number {
  const wanted = Number.isFinite(value) ? Math.ceil(value / step) * step : min
  return Math.min(Math.floor(max / step) * step, Math.max(min, wanted))
}

function coverage(helper: HTMLElement, set: (value: number) => void): void {
  const need = helper.querySelector<HTMLInputElement>('[data-need]')!
  const spare = helper.querySelector<HTMLInputElement>('[data-spare-on]')
  const place = helper.querySelector<HTMLElement>('[data-answer-place]')!
  const figures = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 })
  const perArticle = Number(helper.dataset.coverage)
  const answer = () => {
    const packs = articlesFor({
      wanted: typedNumber(need.value) ?? 0,
      perArticle,
      step: Number(helper.dataset.step),
      max: Number(helper.dataset.max),
      ...(spare?.checked && { sparePercent: Number(helper.dataset.spare) }),
    })
    if (packs === null) {
      place.textContent = ''
      return
    }
    set(packs)
    place.textContent = helper.dataset.answer!.replace('PACKS', figures.format(packs)).replace('COVERS', figures.format(packs * perArticle))
  }
  need.addEventListener('input', answer)
  spare?.addEventListener('change', answer)
}
