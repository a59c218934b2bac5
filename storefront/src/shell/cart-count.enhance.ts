import { CartCountAndPricesDocument, CartCountDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

/** The number at the cart: personal, so it is loaded after the page. */
export function enhance(element: HTMLElement): void {
  const badge = element.querySelector<HTMLElement>('[data-cart-count]')!
  let known = 0
  const show = (count: number) => {
    known = count
    badge.textContent = count > 99 ? '99+' : String(count)
    badge.hidden = count === 0
  }
  document.addEventListener('shop:cart-count', (event) => show((event as CustomEvent<number>).detail))
  document.addEventListener('shop:cart-grow', (event) => show(Math.max(0, known + (event as CustomEvent<number>).detail)))
  const ownPrices = () => import('../pro/show-your-prices.ts')
  const refresh = async (): Promise<void> => {
    // One request for both, where the page before this one had prices of the company. It leaves before the first paint, which the script
    // that shows them has to wait for.
    if (hadOwnPrices()) {
      const asked = offersOnPage()
      const answer = ask(CartCountAndPricesDocument, asked)
      return show((await ownPrices()).showAnswer(asked.offerIds, await answer))
    }
    const { site } = await ask(CartCountDocument, {})
    show(site.cartCount)
    if (site.hasYourPrices) (await ownPrices()).showYourPrices()
  }
  // Without a response the cart has no number; its link works all the same.
  const tryRefresh = () => void refresh().catch(() => undefined)
  tryRefresh()
  // A page restored from the back/forward cache may be outdated.
  addEventListener('pageshow', (event) => event.persisted && tryRefresh())
}

function offersOnPage() {
  const places = [...document.querySelectorAll<HTMLButtonElement>('[data-price],[data-card] button[name=offerId]')]
  return {
    // The value of a button may have a quantity (`packOf`).
    offerIds: places.map(({ dataset, value }) => (dataset['price'] ?? value).split('x')[0]!),
    withDelivery: !!document.querySelector('[data-fee],[data-landed]'),
  }
}

function hadOwnPrices(): boolean {
  try {
    return localStorage.getItem('purlin.own-prices') !== null
  } catch {
    return false
  }
}
