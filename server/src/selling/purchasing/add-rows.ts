import { createHash } from 'node:crypto'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { ownerOf } from '#accounts'
import { addLines } from '#cart'
import type { OfferForSale } from '#catalogue'
import { StatusError, withIdempotency, type Scope } from '#platform'
import { checkRows, type CheckedRow } from './check-rows.ts'
import { putKeptRows } from './row-store.ts'

interface Added {
  added: number
  /** With what is wrong. */
  left: CheckedRow[]
}

/**
 * Adds the rows that are right to the cart, in one command; the others are kept for the page. The same rows with the same key are added once: a button
 * may be pressed twice, and a page to which somebody has gone back may be sent again with other rows.
 */
export async function addRows(scope: Scope, rows: readonly OrderRow[], idempotencyKey: string | null): Promise<Added> {
  const owner = ownerOf(scope)
  if (idempotencyKey === null || owner === null) return add(scope, rows)
  const body = { command: 'add-quick-order', market: scope.market, mode: scope.mode, rows: typedOf(rows) }
  const key = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, body]))
    .digest('hex')
  let now: Added | undefined
  const outcome = await withIdempotency<Outcome>(scope, { owner, key, body }, async () => {
    now = await add(scope, rows)
    return { ok: true, added: now.added, left: typedOf(now.left) }
  })
  if (!outcome.ok) throw new StatusError(400, 'BAD_REQUEST', outcome.reason)
  return now ?? { added: outcome.added, left: await checkRows(scope, outcome.left) }
}

interface Outcome {
  ok: true
  added: number
  left: OrderRow[]
}

const typedOf = (rows: readonly OrderRow[]): OrderRow[] => rows.map(({ code, quantity }) => ({ code, quantity }))

async function add(scope: Scope, rows: readonly OrderRow[]): Promise<Added> {
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
  if (owner !== null) await putKeptRows(scope.db, owner, typedOf(left))
  return { added: rows.length - left.length, left }
}
