import { formatMessage } from '@purlin/words/translate.ts'
import { AddToCartDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { showFlash, tellCartCount } from '../shell/show-flash.ts'

/** Wraps the whole page: adding to the cart does not leave it. If the request fails, the form is submitted normally. */
export function enhance(element: HTMLElement): void {
  const words = element.dataset
  const { added = '""', cart = '', cartHref = '/cart' } = (element.firstElementChild as HTMLElement | null)?.dataset ?? words
  const busy = new WeakSet<HTMLFormElement>()

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const title = form.dataset.addToCart
    if (title === undefined || event.defaultPrevented) return
    event.preventDefault()
    if (busy.has(form)) return
    busy.add(form)
    const button = event.submitter
    button?.setAttribute('aria-busy', 'true')
    const fields = new FormData(form)
    const variables = { offerId: String(fields.get('offerId')), quantity: Number(fields.get('quantity')) }
    ask(AddToCartDocument, variables)
      .then(({ addToCart: { cart: content, refusal } }) => {
        if (refusal || !content) return showFlash({ severity: 'warning', message: refusal?.message ?? title })
        tellCartCount(content.itemCount)
        showFlash({
          severity: 'success',
          message: formatMessage(document.documentElement.lang, JSON.parse(added), { title }),
          link: { href: cartHref, label: cart },
        })
      })
      .catch(() => form.submit())
      .finally(() => {
        busy.delete(form)
        button?.removeAttribute('aria-busy')
      })
  })
}
