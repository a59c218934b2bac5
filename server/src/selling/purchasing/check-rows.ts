import type { OrderRow } from '@purlin/contract/order-rows.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { marketOffersToPrice, offersForSale, productsByCode, quantityRefusal, type OfferForSale } from '#catalogue'
import { cartLimits, chooseOffers, loadBasket, pricesInCart } from '#cart'
import type { Db, Scope } from '#platform'
import { askedPrice, priceDisplay } from '#pricing'

/** The reason why a row cannot be ordered: about the number, the quantity as typed, or the offer. */
export type RowProblem = { reason: 'code-missing' | 'unknown-code' | 'ambiguous-code' | 'not-sold' | 'quantity-invalid' } | Refused

export interface CheckedRow extends OrderRow {
  offer: OfferForSale | null
  /** Per piece, minor units with VAT: as the cart would charge it if all rows that are right were added. */
  price: number
  /** 0 when it is no whole number. */
  wanted: number
  problem: RowProblem | null
}

/**
 * Finds the best offer of each row and applies the rules of quantities; nothing is written. Rows of one offer add up, with each other and
 * with the cart, and the row that exceeds a limit is the one reported. Three statements, however many rows, one more for a viewer with
 * a cart, and three more for a company.
 */
export async function checkRows(scope: Scope, rows: readonly OrderRow[]): Promise<CheckedRow[]> {
  const { reads } = scope.db
  const typed = rows.map(({ code, quantity }) => ({ code: code.trim(), quantity: quantity.trim() }))
  const byCode = await productsByCode(
    reads,
    typed.map(({ code }) => code).filter((code) => code !== ''),
  )
  const named = (code: string) => byCode.get(code) ?? []
  const quantities = new Map<string, number[]>()
  for (const { code, quantity } of typed) {
    const [productId, another] = named(code)
    if (productId !== undefined && another === undefined)
      quantities.set(productId, [...(quantities.get(productId) ?? []), wholeNumber(quantity)])
  }
  const offersOf = Map.groupBy(await marketOffersToPrice(reads, [...quantities.keys()], scope.market), ({ productId }) => productId)
  // In the order of their rows, in which the cart takes them.
  const found = [...quantities.keys()].flatMap((productId) => offersOf.get(productId) ?? [])
  const basket = await loadBasket(scope, found)
  const offers = await bestOffers(
    reads,
    chooseOffers(basket, found, ({ productId }) => quantities.get(productId) ?? []),
  )
  const held = new Map(basket.cart.lines.map(({ offerId, quantity }) => [offerId, quantity]))
  const added = new Map<string, { offer: OfferForSale; quantity: number }>()
  const lines = new Set(held.keys())
  const checked = typed.map(({ code, quantity }): Omit<CheckedRow, 'price'> => {
    const wanted = wholeNumber(quantity)
    const [productId, another] = named(code)
    const offer = (another === undefined && productId !== undefined && offers.get(productId)) || null
    const row = { code, quantity, wanted, offer }
    if (code === '') return { ...row, problem: { reason: 'code-missing' } }
    if (productId === undefined) return { ...row, problem: { reason: 'unknown-code' } }
    if (another !== undefined) return { ...row, problem: { reason: 'ambiguous-code' } }
    if (!offer) return { ...row, problem: { reason: 'not-sold' } }
    if (wanted === 0) return { ...row, problem: { reason: 'quantity-invalid' } }
    const sum = (added.get(offer.id)?.quantity ?? 0) + wanted
    const problem =
      quantityRefusal(offer, (held.get(offer.id) ?? 0) + sum) ??
      (lines.has(offer.id) || lines.size < cartLimits.lines ? null : cartTooLarge)
    if (problem) return { ...row, problem }
    added.set(offer.id, { offer, quantity: sum })
    lines.add(offer.id)
    return { ...row, problem: null }
  })
  const priceOf = pricesInCart(basket, [...added.values()])
  const display = priceDisplay(scope)
  const alone = (offer: OfferForSale, wanted: number) => askedPrice(display, { ...offer, agreed: basket.agreed?.get(offer.id) }, wanted)
  return checked.map((row) => ({ ...row, price: row.offer ? (priceOf.get(row.offer.id) ?? alone(row.offer, row.wanted)) : 0 }))
}

const cartTooLarge = { ok: false, reason: 'cart-too-large' } as const

const wholeNumber = (quantity: string): number => (/^\d{1,6}$/.test(quantity) ? Number(quantity) : 0)

/** The chosen offer of each product, with everything that is shown of it. */
async function bestOffers(db: Db, choices: ReturnType<typeof chooseOffers>): Promise<ReadonlyMap<string, OfferForSale>> {
  const found = await offersForSale(
    db,
    [...choices.values()].map(({ offerId }) => offerId),
  )
  return new Map([...found.values()].map((offer) => [offer.productId, offer]))
}
