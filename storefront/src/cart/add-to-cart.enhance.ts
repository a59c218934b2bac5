import { formatMessage } from '@purlin/words/translate.ts'
import { AddToCartDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { sendPlain } from '../shell/send-plain.ts'
import { growCartCount, showFlash, showCartCount } from '../shell/show-flash.ts'
import { splitPack } from './pack.ts'

let adds = 0

/**
 * Wraps the whole page: adding to the cart does not leave it. Success is shown at once; if the shop refuses, the refusal
 * replaces it. If the request fails, the form is submitted normally. (V-40)
 */
export function enhance(element: HTMLElement): void {
  const { added = '""', cart = '', cartHref = '/cart' } = (element.firstElementChild as HTMLElement | null)?.dataset ?? element.dataset
  const busy = new WeakSet<HTMLElement>()

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    const title = titleOf(form, button)
    if (title === undefined || event.defaultPrevented) return
    event.preventDefault()
    const one = button ?? form
    if (busy.has(one)) return
    busy.add(one)
    button?.setAttribute('aria-busy', 'true')
    const fields = new FormData(form, button)
    const { offerId, quantity: pack } = splitPack(String(fields.get('offerId')))
    const quantity = pack ?? Number(fields.get('quantity') ?? 1)
    const id = `add-${++adds}`
    growCartCount(quantity)
    showFlash({
      id,
      severity: 'success',
      message: formatMessage(document.documentElement.lang, JSON.parse(added), { title }),
      link: { href: cartHref, label: cart },
    })
    ask(AddToCartDocument, { offerId, quantity })
      .then(({ addToCart: { cart: content, refusal } }) => {
        if (content && !refusal) {
          void import('../history/show-added.ts').then(({ showAdded }) => showAdded(one, quantity))
          return showCartCount(content.itemCount)
        }
        growCartCount(-quantity)
        showFlash({ id, severity: 'warning', message: refusal?.message ?? title })
      })
      .catch(() => sendPlain(form, button))
      .finally(() => {
        busy.delete(one)
        button?.removeAttribute('aria-busy')
      })
  })
}

/** The product name a form adds; undefined for a form, or a button of a card list, with another purpose. */
function titleOf(form: HTMLFormElement, button: HTMLButtonElement | null): string | undefined {
  if (form.dataset['cards'] === undefined) return form.dataset['addToCart']
  if (button?.name !== 'offerId') return undefined
  return button.closest('[data-card]')?.querySelector(':is(h2, h3, h4) a')?.textContent ?? ''
}
