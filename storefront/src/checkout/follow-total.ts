import { ChooseCartDeliveryDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

const prefix = 'delivery.'

/** The summary beside the form follows another choice of delivery at once; without it the next page shows the total. (V-41) */
export function followTotal(form: HTMLFormElement): void {
  let latest = 0
  const choose = async (radio: HTMLInputElement) => {
    const turn = ++latest
    const { result } = await ask(ChooseCartDeliveryDocument, { sellerId: Number(radio.name.slice(prefix.length)), kind: radio.value })
    if (result.refusal) return
    const page = await fetch(location.href)
    const fresh = new DOMParser().parseFromString(await page.text(), 'text/html')
    if (turn !== latest) return
    for (const summary of document.querySelectorAll<HTMLElement>('[data-summary]')) {
      const other = fresh.querySelector(`[data-summary="${summary.dataset['summary']}"]`)
      if (other) summary.innerHTML = other.innerHTML
    }
  }
  const radios = [...form.querySelectorAll<HTMLInputElement>(`input[type="radio"][name^="${prefix}"]`)]
  const follow = (radio: HTMLInputElement) => void choose(radio).catch(() => undefined)
  for (const radio of radios) {
    radio.addEventListener('change', () => follow(radio))
    // Chosen while this script was loading.
    if (radio.checked && !radio.defaultChecked) follow(radio)
  }
}
