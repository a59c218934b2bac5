import { AddToWishlistDocument, RemoveFromWishlistDocument, WishedProductsDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { showFlash } from '../shell/show-flash.ts'

/** Wraps the whole page: hearts show which products are on a wishlist, and toggle them in place. */
export function enhance(element: HTMLElement): void {
  const { wished = '', unwished = '', open = '', href = '/' } = (element.firstElementChild as HTMLElement | null)?.dataset ?? {}
  const products = new Set<string>()
  const hearts = () => document.querySelectorAll<HTMLFormElement>('form[data-wish]')
  const show = () => {
    for (const form of hearts())
      form.querySelector('button')?.setAttribute('aria-pressed', String(products.has(form.dataset['wish'] ?? '')))
  }

  if (hearts().length > 0)
    void ask(WishedProductsDocument, {})
      .then(({ wishedProducts }) => wishedProducts.forEach((id) => products.add(id)))
      // Hearts without their state still work.
      .catch(() => undefined)
      .then(show)

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const productId = form.dataset['wish']
    if (productId === undefined || event.defaultPrevented) return
    event.preventDefault()
    const button = event.submitter
    if (button?.getAttribute('aria-busy') === 'true') return
    button?.setAttribute('aria-busy', 'true')
    const isWished = products.has(productId)
    ask(isWished ? RemoveFromWishlistDocument : AddToWishlistDocument, { productId, listId: null })
      .then(({ result: { refusal } }) => {
        if (refusal) return showFlash({ severity: 'warning', message: refusal.message })
        if (isWished) products.delete(productId)
        else products.add(productId)
        show()
        showFlash({ severity: 'success', message: isWished ? unwished : wished, link: { href, label: open } })
      })
      .catch(() => form.submit())
      .finally(() => button?.removeAttribute('aria-busy'))
  })
}
