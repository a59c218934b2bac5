import { formatMessage } from '@purlin/words/translate.ts'
import { onceAllowed } from '../consent/when-allowed.ts'
import { parseForm } from './listing-form.ts'
import { inputOf } from './listing-address.ts'
import { CountListingDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

const pauseMs = 200
const placeKey = 'listing-place'

/**
 * Filters that take effect at once. On a wide screen a choice loads the filtered page, restoring the scroll position and the
 * open sections; in the sheet on a phone it shows the number of results, until "show" is pressed.
 */
export function enhance(element: HTMLElement): void {
  const listing = element.querySelector<HTMLElement>('[data-listing]')
  const form = element.querySelector<HTMLFormElement>('form[data-facets]')
  if (!listing) return
  const results = listing.querySelector<HTMLElement>('[data-results]')!
  restorePlace(listing)
  if (listing.dataset['impression']) onceAllowed('userPreferences', ({ watchChoices }) => watchChoices(listing))

  const go = (which: HTMLFormElement) => {
    savePlace(listing)
    results.setAttribute('aria-busy', 'true')
    which.requestSubmit()
  }
  const sort = element.querySelector<HTMLFormElement>('form[data-sort]')
  sort?.addEventListener('change', () => {
    // Defaults need not be in the address.
    for (const select of sort.querySelectorAll('select')) select.disabled = select.value === select.dataset.default
    go(sort)
  })
  addEventListener('pageshow', () => {
    for (const select of sort?.querySelectorAll('select') ?? []) select.disabled = false
  })
  if (!form) return

  const sheet = element.querySelector<HTMLDetailsElement>('[data-facet-sheet]')!
  const show = form.querySelector<HTMLButtonElement>('[data-facet-show]')!
  const isWide = matchMedia('(min-width: 64rem)')
  let waiting: ReturnType<typeof setTimeout> | undefined

  // Empty fields would only lengthen the address.
  form.addEventListener('submit', () => {
    for (const field of form.querySelectorAll<HTMLInputElement>('input[type="number"]')) field.disabled = field.value === ''
  })
  addEventListener('pageshow', () => {
    results.removeAttribute('aria-busy')
    for (const field of form.querySelectorAll<HTMLInputElement>('input[type="number"]')) field.disabled = false
  })
  form.addEventListener('change', () => {
    clearTimeout(waiting)
    if (isWide.matches) waiting = setTimeout(() => go(form), pauseMs)
    else waiting = setTimeout(() => void count(form, listing, show).catch(() => undefined), pauseMs)
  })

  form.addEventListener('click', (event) => {
    const more = (event.target as Element).closest<HTMLAnchorElement>('a[data-more]')
    if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void import('./show-all.ts').then(({ showAll }) => showAll(more)).catch(() => location.assign(more.href))
  })

  const close = () => {
    sheet.open = false
    sheet.querySelector('summary')?.focus()
  }
  form.querySelector('[data-facet-close]')?.addEventListener('click', close)
  sheet.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isWide.matches) close()
  })
  sheet.addEventListener('toggle', (event) => {
    if (event.target !== sheet || isWide.matches) return
    document.documentElement.style.overflow = sheet.open ? 'hidden' : ''
    if (sheet.open) form.querySelector<HTMLElement>('[data-facet-close]')?.focus()
  })
}

async function count(form: HTMLFormElement, listing: HTMLElement, show: HTMLButtonElement): Promise<void> {
  const what = JSON.parse(listing.dataset.listing!)
  const input = { ...inputOf(what, parseForm(new FormData(form))), pageSize: 10 }
  const { listing: found } = await ask(CountListingDocument, { input })
  show.textContent = formatMessage(document.documentElement.lang, JSON.parse(listing.dataset.show!), { count: found.total })
}

/** Stores the scroll position for the next page at the same address. */
function savePlace(listing: HTMLElement): void {
  const folds = Object.fromEntries(
    [...listing.querySelectorAll<HTMLDetailsElement>('[data-facet]')].map((one) => [one.dataset.facet!, one.open]),
  )
  sessionStorage.setItem(placeKey, JSON.stringify({ path: location.pathname, y: scrollY, folds }))
}

function restorePlace(listing: HTMLElement): void {
  const saved = sessionStorage.getItem(placeKey)
  sessionStorage.removeItem(placeKey)
  if (!saved) return
  const { path, y, folds } = JSON.parse(saved) as { path: string; y: number; folds: Record<string, boolean> }
  if (path !== location.pathname) return
  for (const fold of listing.querySelectorAll<HTMLDetailsElement>('[data-facet]')) fold.open = folds[fold.dataset.facet!] ?? fold.open
  scrollTo({ top: y, behavior: 'instant' })
}
