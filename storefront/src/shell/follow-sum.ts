import { SumOfItemsDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { tickedIn } from './ticked-items.ts'

const pauseMs = 250

/** Shows what the ticked items cost this viewer, and keeps a list without ticks from being sent. */
export function followSum(element: HTMLElement): void {
  const form = element.querySelector('form')
  const place = element.querySelector<HTMLElement>('[data-list-sum]')
  const first = form?.querySelector<HTMLInputElement>('input[name=take]')
  if (!form || !place || !first) return
  const { withVat = '', withoutVat = '', none = '' } = place.dataset
  let waiting: ReturnType<typeof setTimeout> | undefined
  let asked = new AbortController()

  const show = async () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const items = tickedIn(new FormData(form))
    // The browser itself says so, at the first box, when the list is sent.
    first.setCustomValidity(items.length === 0 ? none : '')
    if (items.length === 0) {
      place.textContent = none
      return
    }
    try {
      const { sumOfItems: sum } = await ask(SumOfItemsDocument, { items }, { signal })
      if (!signal.aborted) place.textContent = (sum.taxKey === 'with_vat' ? withVat : withoutVat).replace('%', () => sum.total.formatted)
    } catch {
      // An outdated sum is worse than none; the basket has it.
      if (!signal.aborted) place.textContent = ''
    }
  }
  form.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void show(), pauseMs)
  })
  void show()
}
