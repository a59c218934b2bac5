import { splitPack } from '../cart/pack.ts'
import type { YourPriceFragment } from '../generated/documents.ts'

/** The amount with small decimals, as `Amount` renders it. */
function figures(price: string): (string | Node)[] {
  const [, whole = price, rest = '', after = ''] = /^(.*\d)([.,]\d\d)\s*(.*)$/.exec(price) ?? []
  return rest === '' ? [whole] : [whole, element('small', after ? `${rest}\u00a0${after}` : rest)]
}

function element(name: 'p' | 'small', text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Prices of cards in lists stand beside the button that adds their offer, others name it. */
export const priced = '[data-price], [data-card] > div:has(> button[name=offerId])'

/** Rows of the quick order have prices without an offer's id. */
export function offerOf(place: HTMLElement): string {
  const id = place.dataset['price'] ?? splitPack(place.querySelector<HTMLButtonElement>('button[name=offerId]')?.value ?? '').offerId
  return /^\d+$/.test(id) ? id : ''
}

/** Puts the price of the acting company in place of the public one, also in the table of quantity breaks. */
export function putPrice(place: HTMLElement, own: YourPriceFragment): void {
  const { offerId, price, tax, lines, isLower, losesFreeDelivery, quantityBreaks } = own
  const amount = place.querySelector('b')
  if (!amount) return
  amount.replaceChildren(...figures(price))
  // The colour of a reduction belonged to the public price as well.
  amount.style.color = 'var(--ink)'
  // The label of the tax mode follows the amount.
  if (tax != null) {
    while (amount.nextSibling?.nodeType === Node.TEXT_NODE) amount.nextSibling.remove()
    amount.after(` ${tax}`)
  }
  // Reference price, unit price and the other tax mode belonged to the public price.
  for (const line of place.querySelectorAll(':scope > p')) line.remove()
  const notes = lines.map((text) => element('p', text))
  // A card has its button after them.
  const button = place.querySelector(':scope > :is(form, button)')
  if (button) button.before(...notes)
  else place.append(...notes)
  place.dataset['yours'] = ''
  if (isLower) removeReduction(place)
  if (losesFreeDelivery) removeFreeDelivery(place)
  const steps = new Map(quantityBreaks.map(({ from, each }) => [String(from), each]))
  for (const table of document.querySelectorAll(`[data-breaks="${offerId}"]`)) {
    for (const row of table.querySelectorAll<HTMLElement>('[data-from]')) {
      const each = steps.get(row.dataset['from'] ?? '')
      if (each === undefined) row.remove()
      else row.querySelector('td')?.replaceChildren(each)
    }
    if (steps.size === 0) table.remove()
  }
  putDelivery(own)
}

/** Pages of one product say what it costs with delivery, and the fees. */
export const showsDelivery = (): boolean => document.querySelector('[data-fee], [data-landed]') !== null

function putDelivery({ offerId, landedPrice, delivery }: YourPriceFragment): void {
  for (const { kind, text } of delivery ?? []) document.querySelector(`[data-fee="${offerId} ${kind}"]`)?.replaceChildren(text)
  const landed = document.querySelector<HTMLElement>(`[data-landed="${offerId}"]`)
  if (!landed || !landedPrice) return
  landed.textContent = landedPrice.formatted
  if (landed.dataset['amount'] !== undefined) landed.dataset['amount'] = String(landedPrice.amount)
  // Another second-hand offer may be the cheapest by now.
  const amountOf = ({ dataset }: HTMLElement) => Number(dataset['amount'])
  const [least] = [...document.querySelectorAll<HTMLElement>('[data-amount]')].toSorted((a, b) => amountOf(a) - amountOf(b))
  if (least) document.querySelector('[data-least]')?.replaceChildren(least.textContent)
}

const reductions = ['blackfriday', 'sales', 'productdays', 'promo', 'loweredprice', 'proPriceAdvantage']
  .map((type) => `[data-badge="${type}"]`)
  .join()

/** Badges and the end of an offer are about the public price. */
function removeReduction(place: HTMLElement): void {
  const around = place.closest('[data-card]') ?? place.parentElement
  for (const said of around?.querySelectorAll(`:is(${reductions}), [data-ends]`) ?? []) {
    const item = said.parentElement
    if (item?.matches('li:not([data-card])')) item.remove()
    else said.remove()
  }
}

/** A card says it behind the promise of delivery, after a dot; an element of its own would weigh too much in a list. */
function removeFreeDelivery(place: HTMLElement): void {
  const promise = place.closest('[data-card]')?.querySelector(':scope > div + p')
  if (promise) promise.textContent = promise.textContent.split(' · ', 1)[0] ?? ''
}
