import { moveLines, quantityStates, type LineQuantities, type SellerOrderState } from '#orders'
import type { JobScope } from '#platform'
import { awaitedByParcel, awaitedPieces } from './awaited-pieces.ts'
import { awaitedStates, consequence, type DueKind } from './deadlines.ts'
import { movesOf, type Pieces } from './handle-sale.ts'
import { endDue, postponeDue, readDues, takeMissed, type Due } from './store.ts'
import { tellEscalation, tellReminder } from './tell.ts'

/** The next state of pieces still pending when the last deadline of a kind has passed, with the reason. */
const missed: Record<DueKind, { to: SellerOrderState; reason: string }> = {
  accept: { to: 'cancelled', reason: 'not-accepted-in-time' },
  ship: { to: 'cancelled', reason: 'not-shipped-in-time' },
  arrive: { to: 'incident-open', reason: 'not-arrived' },
  collect: { to: 'incident-open', reason: 'collection-unknown' },
  close: { to: 'closed', reason: 'return-period-over' },
}

const atOnce = 50

/** Deadlines that have passed: the seller is reminded, then the operator told, then the system acts. Source: R-482, V-60. */
export async function checkDeadlines(scope: JobScope): Promise<void> {
  for (const due of await takeMissed(scope.db, scope.now, atOnce)) await follow(scope, due)
}

async function follow(scope: JobScope, due: Due): Promise<void> {
  const { kind, market, sellerOrderId } = due
  const lines = await quantityStates(scope.db, [sellerOrderId])
  const pieces = await awaitedPieces(scope.db, kind, due, lines)
  if (pieces?.length === 0) return endDue(scope.db, due)
  const { does, nextAt } = consequence(kind, market, due.step, scope.now)
  if (does === 'remind') await tellReminder(scope, due)
  else if (does === 'escalate') await tellEscalation(scope, due)
  else await act(scope, due, { pieces, lines })
  if (nextAt) await postponeDue(scope.db, due, nextAt)
  else await endDue(scope.db, due)
}

interface Awaited {
  pieces: readonly Pieces[] | null
  lines: readonly LineQuantities[]
}

async function act(scope: JobScope, due: Due, awaited: Awaited): Promise<void> {
  const { kind, sellerOrderId } = due
  const { to, reason } = missed[kind]
  for (const { parcelId, pieces } of await awaitedByParcel(scope.db, kind, due, awaited))
    await moveLines(scope, {
      sellerOrderId,
      actor: 'system',
      reason,
      parcelId,
      moves: (held) => movesOf(held, pieces, awaitedStates[kind], to),
    })
}

/** Deletes the deadlines of a seller order that have nothing to wait for any more: neither buyer nor seller sees them. */
export async function endIdleDues({ db }: Pick<JobScope, 'db'>, sellerOrderId: string): Promise<void> {
  const lines = await quantityStates(db, [sellerOrderId])
  for (const due of await readDues(db, [sellerOrderId])) {
    const pieces = await awaitedPieces(db, due.kind, due, lines)
    if (pieces?.length === 0) await endDue(db, due)
  }
}
