import { postcodeOf } from '@purlin/contract/addresses.ts'
import { formatMessage } from '@purlin/words/translate.ts'
import { followTotal } from './follow-total.ts'
import { offerPoints } from './offer-points.ts'
import { callApi } from '../session/api-client.ts'

interface Suggestion {
  line1: string | null
  postcode: string
  city: string
}

const pauseMs = 200

/** The addresses of a form, delivery and billing: a whole postcode brings its town, a town and a street bring the rest. */
export function completeAddress(form: HTMLFormElement, element: HTMLElement): void {
  const { country = '', filled = '""' } = element.querySelector<HTMLElement>('[data-country]')?.dataset ?? {}
  const status = document.createElement('p')
  status.className = 'hidden'
  status.setAttribute('role', 'status')
  form.append(status)
  const say = (city: string) => (status.textContent = formatMessage(document.documentElement.lang, JSON.parse(filled), { city }))
  for (const prefix of ['', 'billing.']) complete(form, prefix, country, say)
  followTotal(form)
  offerPoints(form)
}

function complete(form: HTMLFormElement, prefix: string, home: string, say: (city: string) => void): void {
  const box = (name: string) => form.elements.namedItem(prefix + name)
  const [line1, postcode, city, country] = [box('line1'), box('postcode'), box('city'), box('country')]
  if (!(line1 instanceof HTMLInputElement && postcode instanceof HTMLInputElement && city instanceof HTMLInputElement)) return
  const where = () => (country instanceof HTMLSelectElement ? country.value : home)
  /** The town that came by itself; one that was typed stays. */
  let brought = ''
  const bring = (town: string) => {
    if (city.value !== '' && city.value !== brought) return
    if (city.value === town) return
    put(city, town)
    brought = town
    say(town)
  }

  watch(postcode, where, (found) => {
    const towns = [...new Set(found.map((each) => each.city))]
    offer(city, towns)
    if (towns.length === 1 && postcodeOf(where(), postcode.value) !== null) bring(towns[0] ?? '')
  })
  let towns: readonly Suggestion[] = []
  watch(city, where, (found) => {
    towns = found
    offer(
      city,
      found.map((each) => each.city),
    )
  })
  city.addEventListener('input', () => {
    const chosen = towns.find((each) => each.city === city.value)
    if (chosen?.postcode && postcode.value === '') put(postcode, chosen.postcode)
  })
  let streets: readonly Suggestion[] = []
  const written = (each: Suggestion) => `${each.line1 ?? ''}, ${each.postcode} ${each.city}`
  watch(line1, where, (found) => {
    streets = found.filter((each) => each.line1 !== null)
    offer(line1, streets.map(written))
  })
  line1.addEventListener('input', () => {
    const chosen = streets.find((each) => written(each) === line1.value)
    if (!chosen) return
    put(line1, chosen.line1 ?? '')
    put(postcode, chosen.postcode)
    put(city, chosen.city)
    brought = chosen.city
    say(chosen.city)
  })
}

let isOff = false

/** Sends a request shortly after the last key press; of two responses that of the later request wins. */
function watch(box: HTMLInputElement, where: () => string, found: (suggestions: Suggestion[]) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  const ask = () => {
    clearTimeout(timer)
    const asked = ++latest
    const text = box.value.trim()
    if (isOff || text.length < 2) return
    timer = setTimeout(() => {
      const query = new URLSearchParams({ country: where(), text })
      callApi(`/api/v1/address-suggestions?${query}`).then(
        async (answer) => {
          // Switched off by a setting: no further requests on this page.
          if (answer.status === 404) isOff = true
          if (answer.ok && asked === latest) found((await answer.json()) as Suggestion[])
        },
        () => undefined,
      )
    }, pauseMs)
  }
  box.addEventListener('input', ask)
  // Typed while this script was on its way.
  if (document.activeElement === box) ask()
}

function offer(box: HTMLInputElement, values: readonly string[]): void {
  const id = `${box.id}-suggestions`
  let list = document.getElementById(id)
  if (!list) {
    list = document.createElement('datalist')
    list.id = id
    box.after(list)
    box.setAttribute('list', id)
  }
  list.replaceChildren(
    ...values.map((value) => {
      const option = document.createElement('option')
      option.value = value
      return option
    }),
  )
}

function put(box: HTMLInputElement, value: string): void {
  box.value = value
  box.dispatchEvent(new Event('change', { bubbles: true }))
}
