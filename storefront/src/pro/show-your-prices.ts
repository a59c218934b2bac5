import { splitPack } from '../cart/pack.ts'
import { CartCountAndPricesDocument, YourPricesDocument, type YourPriceFragment } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

const known = new Map<string, YourPriceFragment | null>()
let isWatching = false

/**
 * Puts the prices of the acting company in place of the public ones on a page that is cached for everybody. Loaded only for
 * members of a company that has such prices.
 */
export function showYourPrices(): void {
  // A page restored from the back/forward cache is watched already.
  if (isWatching) return
  isWatching = true
  remember(true)
  const done = new WeakSet<Element>()
  let isAsking = false
  const fill = async (): Promise<void> => {
    if (isAsking) return
    const offerIds = unknownOffers(done)
    if (offerIds.length > 0) {
      isAsking = true
      const answer = await ask(YourPricesDocument, { offerIds }).catch(() => null)
      isAsking = false
      // Without a response the public price stays; the cart charges the company's.
      if (!answer) return
      learn(offerIds, answer.yourPrices)
    }
    for (const place of places(done)) {
      const id = offerOf(place)
      if (!known.has(id)) continue
      done.add(place)
      const price = known.get(id)
      if (price) put(place, price)
    }
    if (places(done).length > 0) void fill()
  }
  void fill()
  // Lists are filtered and paged in place.
  new MutationObserver(() => void fill()).observe(document.body, { childList: true, subtree: true })
}

/** Shows them with the response that has the number at the cart, and returns that number. */
export async function countAndShow(): Promise<number> {
  const offerIds = unknownOffers(new WeakSet())
  const { site, yourPrices } = await ask(CartCountAndPricesDocument, { offerIds })
  learn(offerIds, yourPrices)
  showYourPrices()
  // Somebody else may be signed in by now, or the lists have ended: the next page asks whether there are any.
  if (offerIds.length > 0 && yourPrices.length === 0) remember(false)
  return site.cartCount
}

/** For the next page of this browser. */
function remember(hasPrices: boolean): void {
  try {
    if (hasPrices) localStorage.setItem('purlin.own-prices', 'yes')
    else localStorage.removeItem('purlin.own-prices')
  } catch {
    // Without storage each page asks anew.
  }
}

function learn(offerIds: readonly string[], prices: readonly YourPriceFragment[]): void {
  for (const id of offerIds) known.set(id, null)
  for (const price of prices) known.set(price.offerId, price)
}

function places(done: WeakSet<Element>): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(priced)].filter((place) => offerOf(place) !== '' && !done.has(place))
}

/** Offers on the page whose prices have not been requested, at most as many as one request may name. */
function unknownOffers(done: WeakSet<Element>): string[] {
  const ids = places(done).map(offerOf)
  return [...new Set(ids.filter((id) => !known.has(id)))].slice(0, 100)
}

/** The amount with small decimals, as `Amount` renders it. */
function figures(price: string): (string | Node)[] {
  const [, whole = price, rest = '', after = ''] = /^(.*\d)([.,]\d\d)\s*(.*)$/.exec(price) ?? []
  return rest === '' ? [whole] : [whole, element('small', after ? `${rest}\u00a0${after}` : rest)]
}

function element(name: 'p' | 'small', text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Prices of cards in lists stand beside the button that adds their offer, others name it. */
const priced = '[data-price], [data-card] > div:has(> button[name=offerId])'

/** Rows of the quick order have prices without an offer's id. */
function offerOf(place: HTMLElement): string {
  const id = place.dataset['price'] ?? splitPack(place.querySelector<HTMLButtonElement>('button[name=offerId]')?.value ?? '').offerId
  return /^\d+$/.test(id) ? id : ''
}

function put(place: HTMLElement, { offerId, price, tax, lines, isLower, quantityBreaks }: YourPriceFragment): void {
  const amount = place.querySelector('b')
  if (!amount) return
  amount.replaceChildren(...figures(price))
  // The colour of a reduction belonged to the public price as well.
  amount.style.color = 'var(--ink)'
  // The label of the tax mode follows the amount.
  if (tax != null) {
    while (amount.nextSibling?.nodeType === Node.TEXT_NODE) amount.nextSibling.remove()
    amount.after(` ${tax}`)
  }
  // Reference price, unit price and the other tax mode belonged to the public price.
  for (const line of place.querySelectorAll(':scope > p')) line.remove()
  const own = lines.map((text) => element('p', text))
  // A card has its button after them.
  const button = place.querySelector(':scope > :is(form, button)')
  if (button) button.before(...own)
  else place.append(...own)
  place.dataset['yours'] = ''
  if (isLower) removeReduction(place)
  const steps = new Map(quantityBreaks.map(({ from, each }) => [String(from), each]))
  for (const table of document.querySelectorAll(`[data-breaks="${offerId}"]`)) {
    for (const row of table.querySelectorAll<HTMLElement>('[data-from]')) {
      const each = steps.get(row.dataset['from'] ?? '')
      if (each === undefined) row.remove()
      else row.querySelector('td')?.replaceChildren(each)
    }
    if (steps.size === 0) table.remove()
  }
}

const reductions = ['blackfriday', 'sales', 'productdays', 'promo', 'loweredprice', 'proPriceAdvantage']
  .map((type) => `[data-badge="${type}"]`)
  .join()

/** Badges and the end of an offer are about the public price. */
function removeReduction(place: HTMLElement): void {
  const around = place.closest('[data-card]') ?? place.parentElement
  for (const said of around?.querySelectorAll(`:is(${reductions}), [data-ends]`) ?? []) {
    const item = said.parentElement
    if (item?.matches('li:not([data-card])')) item.remove()
    else said.remove()
  }
}
