import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { ownerOf } from '#accounts'
import { addLines } from '#cart'
import type { OfferForSale } from '#catalogue'
import type { Scope } from '#platform'
import { checkRows, type CheckedRow } from './check-rows.ts'
import { putKeptRows } from './row-store.ts'

/** Adds the rows that are right to the cart, in one command. Returns how many, and the others with what is wrong, which are kept for the page. */
export async function addRows(scope: Scope, rows: readonly OrderRow[]): Promise<{ added: number; left: CheckedRow[] }> {
  const checked = await checkRows(scope, rows)
  const wishes = new Map<string, { offer: OfferForSale; quantity: number }>()
  for (const { offer, wanted, problem } of checked) {
    if (offer && !problem) wishes.set(offer.id, { offer, quantity: (wishes.get(offer.id)?.quantity ?? 0) + wanted })
  }
  const refused = await addLines(scope, [...wishes.values()])
  for (const [id, { offer, quantity }] of wishes) if (!refused.has(id)) scope.noteAdded?.({ productId: offer.productId, quantity })
  const left = checked.flatMap((row) => {
    const problem = row.problem ?? (row.offer && refused.get(row.offer.id)) ?? null
    return problem ? [{ ...row, problem }] : []
  })
  const owner = ownerOf(scope)
  if (owner !== null)
    await putKeptRows(
      scope.db,
      owner,
      left.map(({ code, quantity }) => ({ code, quantity })),
    )
  return { added: rows.length - left.length, left }
}
