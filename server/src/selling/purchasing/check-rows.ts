import type { OrderRow } from '@purlin/contract/order-rows.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { quantityRefusal } from '#cart'
import { offersForSale, productsByCode, readMarketOffers, type OfferForSale } from '#catalogue'
import { ownOffers } from '#conditions'
import { rankForSale } from '#pricing'
import type { Scope } from '#platform'
import { knownSellers } from '#sellers'

/** The reason why a row cannot be ordered: about the number, the quantity as typed, or the offer. */
export type RowProblem = { reason: 'unknown-code' | 'ambiguous-code' | 'not-sold' | 'quantity-invalid' } | Refused

export interface CheckedRow extends OrderRow {
  offer: OfferForSale | null
  /** 0 when it is no whole number. */
  wanted: number
  problem: RowProblem | null
}

/**
 * Finds the best offer of each row and applies the rules of quantities; nothing is written. Rows of one offer add up, and
 * the row that exceeds a limit is the one reported. Three statements,
 * however many rows, and for a company with agreed prices three more.
 */
export async function checkRows(scope: Scope, rows: readonly OrderRow[]): Promise<CheckedRow[]> {
  const { reads } = scope.db
  const typed = rows.map(({ code, quantity }) => ({ code: code.trim(), quantity: quantity.trim() }))
  const byCode = await productsByCode(
    reads,
    typed.map(({ code }) => code).filter((code) => code !== ''),
  )
  const named = (code: string) => byCode.get(code) ?? []
  const pieces = new Map<string, number>()
  for (const { code, quantity } of typed) {
    const [productId, another] = named(code)
    if (productId !== undefined && another === undefined) pieces.set(productId, (pieces.get(productId) ?? 0) + wholeNumber(quantity))
  }
  const offers = await bestOffers(scope, pieces)
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

/**
 * The winner of the buy box of each product, as cards and pages show it; for a company with agreed prices the offer that it buys best for
 * so many pieces.
 */
async function bestOffers(scope: Scope, pieces: ReadonlyMap<string, number>): Promise<Map<string, OfferForSale>> {
  const { reads } = scope.db
  const [byProduct, own] = await Promise.all([
    readMarketOffers(reads, [...pieces.keys()], scope.market),
    ownOffers(scope, new Map([...pieces].map(([productId, wanted]) => [productId, Math.max(1, wanted)]))),
  ])
  const sellers = await knownSellers(scope, new Set([...byProduct.values()].flat().map(({ sellerId }) => sellerId)))
  const winners = [...byProduct].flatMap(([productId, offers]) => {
    const chosen = own.get(productId)
    if (chosen !== undefined) return [chosen]
    const best = rankForSale(scope, { sellers }, offers)[0]?.offer.of
    return best && !best.isSample ? [best.id] : []
  })
  const found = await offersForSale(reads, winners)
  return new Map([...found.values()].map((offer) => [offer.productId, offer]))
}
