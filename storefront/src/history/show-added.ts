import { ifAllowed } from '../consent/when-allowed.ts'
import { keepOffline } from '../offline/keep-offline.ts'
import type { AddedToCart } from '../measure/data-layer.ts'
import { rowsOf } from './recommended-rows.ts'

/** After a product was added to the cart: the way to it beside the button, and what goes with the product, in a sheet at the bottom that takes no focus. */
export async function showAdded(added: HTMLElement, quantity: number): Promise<void> {
  added.closest('form')?.querySelector('a')?.removeAttribute('hidden')
  keepOffline().catch(() => undefined) // a private window may refuse, and loses nothing else
  const ids = productOf(added)
  if (ids) ifAllowed('userPreferences', ({ sayChosen }) => sayChosen('conversion', [ids]))
  const productId = Number(added.closest('form')?.dataset['product'] ?? ids)
  const detail: AddedToCart = { quantity, ...(productId > 0 && { productId }) }
  document.dispatchEvent(new CustomEvent('shop:added', { detail }))
  // The cart page recommends by itself.
  if (!ids || document.documentElement.dataset['page'] === 'cart') return
  const [sheet] = await rowsOf({ ids, placement: 'add_to_cart' })
  document.querySelector('[data-row="added"]')?.remove()
  if (!sheet) return
  const escape = (event: KeyboardEvent) => event.key === 'Escape' && close()
  const close = () => {
    sheet.remove()
    document.removeEventListener('keydown', escape)
  }
  sheet.querySelector('button')?.addEventListener('click', close)
  document.addEventListener('keydown', escape)
  document.querySelector('main')?.append(sheet)
}

/** Of the card that was used, or of the page. */
function productOf(added: HTMLElement): string | null | undefined {
  const link = added.closest('[data-card]')?.querySelector<HTMLAnchorElement>('a[href*="/p/"]')
  if (link) return /-(\d+)$/.exec(link.pathname)?.[1]
  return new URLSearchParams(document.documentElement.dataset['view']).get('productId')
}
