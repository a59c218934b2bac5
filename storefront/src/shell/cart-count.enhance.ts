import { CartCountDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

/** The figure at the cart: personal, so it is asked for after the page is there. */
export function enhance(element: HTMLElement): void {
  const badge = element.querySelector<HTMLElement>('[data-cart-count]')!
  const show = (count: number) => {
    badge.textContent = count > 99 ? '99+' : String(count)
    badge.hidden = count === 0
  }
  document.addEventListener('shop:cart-count', (event) => show((event as CustomEvent<number>).detail))
  const refresh = () =>
    ask(CartCountDocument, {}).then(
      ({ site }) => show(site.cartCount),
      // Without an answer the cart has no figure; its link works all the same.
      () => undefined,
    )
  void refresh()
  // A page that comes back from the browser's memory may be behind.
  addEventListener('pageshow', (event) => event.persisted && void refresh())
}
