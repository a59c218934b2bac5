import type { OrderRow } from '@purlin/contract/order-rows.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { marketOffersToPrice, offersForSale, productsByCode, quantityRefusal, type OfferForSale } from '#catalogue'
import { chooseOffers } from '#conditions'
import type { Scope } from '#platform'
import type { AgreedPrice } from '#pricing'

/** The reason why a row cannot be ordered: about the number, the quantity as typed, or the offer. */
export type RowProblem = { reason: 'unknown-code' | 'ambiguous-code' | 'not-sold' | 'quantity-invalid' } | Refused

/** The offer of a row, with the price that its seller has agreed with the viewer's company. */
export type RowOffer = OfferForSale & { agreed: AgreedPrice | undefined }

export interface CheckedRow extends OrderRow {
  offer: RowOffer | null
  /** 0 when it is no whole number. */
  wanted: number
  problem: RowProblem | null
}

/**
 * Finds the best offer of each row and applies the rules of quantities; nothing is written. Rows of one offer add up, and
 * the row that exceeds a limit is the one reported. Three statements, however many rows, and two more for a company.
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
  const offers = await bestOffers(scope, quantities)
  const sums = new Map<string, number>()
  return typed.map(({ code, quantity }) => {
    const wanted = wholeNumber(quantity)
    const [productId, another] = named(code)
    const offer = (another === undefined && productId !== undefined && offers.get(productId)) || null
    const row = { code, quantity, wanted, offer }
    if (productId === undefined) return { ...row, problem: { reason: 'unknown-code' } }
    if (another !== undefined) return { ...row, problem: { reason: 'ambiguous-code' } }
    if (!offer) return { ...row, problem: { reason: 'not-sold' } }
    if (wanted === 0) return { ...row, problem: { reason: 'quantity-invalid' } }
    const sum = (sums.get(offer.id) ?? 0) + wanted
    const problem = quantityRefusal(offer, sum)
    if (!problem) sums.set(offer.id, sum)
    return { ...row, problem }
  })
}

const wholeNumber = (quantity: string): number => (/^\d{1,6}$/.test(quantity) ? Number(quantity) : 0)

/** The offer of each product that the viewer buys, by the quantities of its rows. */
async function bestOffers(scope: Scope, quantities: ReadonlyMap<string, readonly number[]>): Promise<Map<string, RowOffer>> {
  const { reads } = scope.db
  const offers = await marketOffersToPrice(reads, [...quantities.keys()], scope.market)
  const choices = await chooseOffers(scope, offers, ({ productId }) => quantities.get(productId) ?? [])
  const found = await offersForSale(
    reads,
    [...choices.values()].map(({ offerId }) => offerId),
  )
  return new Map([...found.values()].map((offer) => [offer.productId, { ...offer, agreed: choices.get(offer.productId)?.agreed }]))
}
