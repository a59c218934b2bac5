import { readProducts } from '#catalogue'
import type { SellerOrder } from '#orders'
import type { Db } from '#platform'

/** Box, filling and label; and a product that the catalogue does not know any more. Grams. */
const packaging = 250
const usualProduct = 1_000

/** What these pieces of a seller's part weigh in their packaging. Grams. */
export async function weightOfPieces(
  db: Db,
  { lines }: Pick<SellerOrder, 'lines'>,
  pieces: readonly { offerId: string; quantity: number }[],
): Promise<number> {
  const productOf = new Map(lines.map(({ offerId, productId }) => [offerId, productId]))
  const products = await readProducts(db, [...new Set(pieces.flatMap(({ offerId }) => productOf.get(offerId) ?? []))])
  const grams = new Map(products.map(({ id, weightG }) => [id, weightG]))
  return pieces.reduce(
    (all, { offerId, quantity }) => all + quantity * (grams.get(productOf.get(offerId) ?? '') ?? usualProduct),
    packaging,
  )
}
