import { CartCountDocument } from '../generated/documents.ts'
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
  const refresh = () =>
    ask(CartCountDocument, {}).then(
      ({ site }) => {
        show(site.cartCount)
        if (site.hasYourPrices) void import('../pro/show-your-prices.ts').then(({ showYourPrices }) => showYourPrices())
      },
      // Without a response the cart has no number; its link works all the same.
      () => undefined,
    )
  void refresh()
  // A page restored from the back/forward cache may be outdated.
  addEventListener('pageshow', (event) => event.persisted && void refresh())
}
