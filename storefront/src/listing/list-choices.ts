import { browserConsent } from '../consent/browser-consent.ts'
import { beacon } from '../measure/beacon.ts'

/**
 * Products chosen in searches and categories, for the order of searches: a click, and later in this tab a conversion. Sent and
 * remembered with consent to preferences at that moment alone.
 */
type Choice = Record<string, unknown>

const key = 'list-choices'
const maxRemembered = 20
const link = '[data-card] a[id]'

export function watchChoices(list: HTMLElement): void {
  // A new tab is opened by the middle button, whose clicks are no clicks.
  for (const type of ['click', 'auxclick'] as const)
    list.addEventListener(type, ({ target, button }) => {
      const id = button < 2 && (target as Element).closest(link)?.id
      if (id) sayChosen('click', [id])
    })
}

/** Reports the products that stand in this page's list, each with its place, or were chosen in one. */
export function sayChosen(type: 'click' | 'conversion', productIds: readonly string[]): void {
  if (!browserConsent().allows('userPreferences')) return
  const known = new Map<string, Choice>(JSON.parse(sessionStorage.getItem(key) ?? '[]'))
  const { listing, impression: queryId } = document.querySelector<HTMLElement>('[data-impression]')?.dataset ?? {}
  const shown = [...document.querySelectorAll(`[data-impression] ${link}`)].map(({ id }) => id)
  for (const id of productIds) {
    const position = shown.indexOf(id) + 1
    const choice = listing && position ? { ...JSON.parse(listing), queryId, shown, position } : known.get(id)
    if (!choice) continue
    beacon('/api/v1/search-events', { ...choice, type })
    known.set(id, choice)
  }
  sessionStorage.setItem(key, JSON.stringify([...known].slice(-maxRemembered)))
}
