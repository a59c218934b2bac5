import { YourPricesDocument, type YourPricesQuery } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

type YourPrice = YourPricesQuery['yourPrices'][number]

/**
 * Puts the prices of the acting company in place of the public ones on a page that is cached for everybody. Loaded only for
 * members of a company that has such prices.
 */
export function showYourPrices(): void {
  const known = new Map<string, YourPrice | null>()
  const done = new WeakSet<Element>()
  let isAsking = false
  const places = () => [...document.querySelectorAll<HTMLElement>('[data-price]')].filter((place) => !done.has(place))
  const fill = async (): Promise<void> => {
    if (isAsking) return
    const missing = new Set(places().flatMap(({ dataset: { price = '' } }) => (known.has(price) ? [] : [price])))
    if (missing.size > 0) {
      isAsking = true
      const offerIds = [...missing].slice(0, 100)
      const answer = await ask(YourPricesDocument, { offerIds }).catch(() => null)
      isAsking = false
      // Without a response the public price stays; the cart charges the company's.
      if (!answer) return
      for (const id of offerIds) known.set(id, null)
      for (const price of answer.yourPrices) known.set(price.offerId, price)
    }
    for (const place of places()) {
      const id = place.dataset['price'] ?? ''
      if (!known.has(id)) continue
      done.add(place)
      const price = known.get(id)
      if (price) put(place, price)
    }
    if (places().length > 0) void fill()
  }
  void fill()
  // Lists are filtered and paged in place.
  new MutationObserver(() => void fill()).observe(document.body, { childList: true, subtree: true })
}

function put(place: HTMLElement, { offerId, price, lines, quantityBreaks }: YourPrice): void {
  const amount = place.querySelector('b')
  if (!amount) return
  amount.textContent = price
  // Reference price, unit price and the other tax mode belonged to the public price.
  for (const line of place.querySelectorAll(':scope > p')) if (!line.contains(amount)) line.remove()
  for (const text of lines) {
    const line = document.createElement('p')
    line.textContent = text
    place.append(line)
  }
  place.dataset['yours'] = ''
  const steps = new Map(quantityBreaks.map((step) => [String(step.from), step]))
  for (const row of document.querySelectorAll<HTMLElement>(`[data-breaks="${offerId}"] [data-from]`))
    if (!steps.has(row.dataset['from'] ?? '')) row.remove()
}
