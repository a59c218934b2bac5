import { AddToWishlistDocument, RemoveFromWishlistDocument, WishedProductsDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { sendPlain } from '../shell/send-plain.ts'
import { showFlash } from '../shell/show-flash.ts'

/** Wraps the whole page: hearts show which products are on a wishlist, and toggle them in place. */
export function enhance(element: HTMLElement): void {
  const { wished = '', unwished = '', open = '', href = '/', save = '' } = (element.firstElementChild as HTMLElement | null)?.dataset ?? {}
  const products = new Set<string>()
  const hearts = () => document.querySelectorAll<HTMLButtonElement>('[data-wish] button, [data-card] > button[name=productId]')
  const show = () => {
    for (const heart of hearts()) heart.setAttribute('aria-pressed', String(products.has(heart.value)))
  }

  if (hearts().length > 0)
    void ask(WishedProductsDocument, {})
      .then(({ wishedProducts }) => wishedProducts.forEach((id) => products.add(id)))
      // Hearts without their state still work.
      .catch(() => undefined)
      .then(show)

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    if (form.dataset['wish'] === undefined || !button || event.defaultPrevented) return
    event.preventDefault()
    const productId = button.value
    if (button.getAttribute('aria-busy') === 'true') return
    button.setAttribute('aria-busy', 'true')
    const isWished = products.has(productId)
    ask(isWished ? RemoveFromWishlistDocument : AddToWishlistDocument, { productId, listId: null })
      .then(async ({ result: { refusal } }) => {
        if (refusal) return showFlash({ severity: 'warning', message: refusal.message })
        if (isWished) products.delete(productId)
        else products.add(productId)
        show()
        const isForSite = save && !isWished && (await (await import('./save-to-site.ts')).hasSites())
        const link = isForSite ? { href: `${href}?save=${productId}`, label: save } : { href, label: open }
        showFlash({ severity: 'success', message: isWished ? unwished : wished, link })
      })
      // Without a response the form is submitted normally, by this button.
      .catch(() => sendPlain(form, button))
      .finally(() => button.removeAttribute('aria-busy'))
  })
}
