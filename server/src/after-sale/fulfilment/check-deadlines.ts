import { moveLines, quantityStates, type SellerOrderState } from '#orders'
import type { JobScope } from '#platform'
import { awaitedStates, consequence, isAwaited, type DueKind } from './deadlines.ts'
import { movesOf } from './handle-sale.ts'
import { endDue, postponeDue, readDues, takeMissed, type Due } from './store.ts'
import { tellEscalation, tellReminder } from './tell.ts'

/** The next state of pieces still pending when the last deadline of a kind has passed, with the reason. */
const missed: Record<DueKind, { to: SellerOrderState; reason: string }> = {
  accept: { to: 'cancelled', reason: 'not-accepted-in-time' },
  ship: { to: 'cancelled', reason: 'not-shipped-in-time' },
  arrive: { to: 'incident-open', reason: 'not-arrived' },
  close: { to: 'closed', reason: 'return-period-over' },
}

const atOnce = 50

/** Deadlines that have passed: the seller is reminded, then the operator told, then the system acts. Source: R-482, V-60. */
export async function checkDeadlines(scope: JobScope): Promise<void> {
  for (const due of await takeMissed(scope.db, scope.now, atOnce)) await follow(scope, due)
}

async function follow(scope: JobScope, due: Due): Promise<void> {
  const { kind, market, sellerOrderId } = due
  const { to, reason } = missed[kind]
  if (!isAwaited(kind, await quantityStates(scope.db, [sellerOrderId]))) return endDue(scope.db, due)
  const { does, nextAt } = consequence(kind, market, due.step, scope.now)
  if (does === 'remind') await tellReminder(scope, due)
  else if (does === 'escalate') await tellEscalation(scope, due)
  else await moveLines(scope, { sellerOrderId, actor: 'system', reason, moves: (held) => movesOf(held, null, awaitedStates[kind], to) })
  if (nextAt) await postponeDue(scope.db, due, nextAt)
  else await endDue(scope.db, due)
}

/** Deletes the deadlines of a seller order that have nothing to wait for any more: neither buyer nor seller sees them. */
export async function endIdleDues({ db }: Pick<JobScope, 'db'>, sellerOrderId: string): Promise<void> {
  const lines = await quantityStates(db, [sellerOrderId])
  for (const due of await readDues(db, [sellerOrderId])) if (!isAwaited(due.kind, lines)) await endDue(db, due)
}
