import { splitPack } from '../cart/pack.ts'
import { SumOfItemsDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

/** Prices of several pieces or offers, which the cart alone can tell. */
export const summed = '[data-sum]'

export function itemsOf({ dataset }: HTMLElement): { offerId: string; quantity: number }[] {
  return (dataset['sum'] ?? '').split(' ').map((pick) => {
    const { offerId, quantity } = splitPack(pick)
    return { offerId, quantity: quantity ?? 1 }
  })
}

/** Without a response the public sum stays, as single prices do. */
export async function putSum(place: HTMLElement): Promise<void> {
  const answer = await ask(SumOfItemsDocument, { items: itemsOf(place) }).catch(() => null)
  if (!answer) return
  place.textContent = answer.sumOfItems.total.formatted
  place.dataset['yours'] = ''
  // The unit price beside it belonged to the public price.
  place.parentElement?.querySelector('[data-unit-price]')?.remove()
}
