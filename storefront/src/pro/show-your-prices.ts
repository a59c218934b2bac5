import { YourPricesDocument, type CartCountAndPricesQuery, type YourPriceFragment } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { offerOf, priced, putPrice, showsDelivery } from './put-price.ts'
import { itemsOf, putSum, summed } from './put-sums.ts'

/** Prices that one request may name. */
const mostOffers = 100
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
      const answer = await ask(YourPricesDocument, { offerIds, withDelivery: showsDelivery() }).catch(() => null)
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
      if (price) putPrice(place, price)
    }
    for (const place of sums(done)) {
      const ids = itemsOf(place).map(({ offerId }) => offerId)
      if (!ids.every((id) => known.has(id))) continue
      done.add(place)
      if (ids.some((id) => known.get(id))) void putSum(place)
    }
    if (places(done).length > 0 || sums(done).length > 0) void fill()
  }
  void fill()
  // Lists are filtered and paged in place.
  new MutationObserver(() => void fill()).observe(document.body, { childList: true, subtree: true })
}

/** Shows the prices that came with the number at the cart, at most as many as one request may name, and returns that number. */
export function showAnswer(asked: readonly string[], { site, yourPrices }: CartCountAndPricesQuery): number {
  const offerIds = asked.slice(0, mostOffers)
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

const sums = (done: WeakSet<Element>): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(summed)].filter((place) => !done.has(place))

/** Offers on the page whose prices have not been requested, at most as many as one request may name. */
function unknownOffers(done: WeakSet<Element>): string[] {
  const ids = [...places(done).map(offerOf), ...sums(done).flatMap((place) => itemsOf(place).map(({ offerId }) => offerId))]
  return [...new Set(ids.filter((id) => !known.has(id)))].slice(0, mostOffers)
}
