import { moveLines, quantityStates, type SellerOrderState } from '#orders'
import type { JobScope } from '#platform'
import { consequence, type DueKind } from './deadlines.ts'
import { movesOf } from './handle-sale.ts'
import { endDue, postponeDue, takeMissed, type Due } from './store.ts'
import { tellEscalation, tellReminder } from './tell.ts'

/** States a deadline waits for, and what becomes of pieces still in them. */
const watched: Record<DueKind, { from: readonly SellerOrderState[]; to: SellerOrderState; reason: string }> = {
  accept: { from: ['pending'], to: 'cancelled', reason: 'not-accepted-in-time' },
  ship: { from: ['accepted', 'preparing'], to: 'cancelled', reason: 'not-shipped-in-time' },
  arrive: { from: ['shipped'], to: 'incident-open', reason: 'not-arrived' },
  close: { from: ['delivered'], to: 'closed', reason: 'return-period-over' },
}

const atOnce = 50

/** Deadlines that have passed: the seller is reminded, then the operator told, then the system acts. Source: R-482, V-60. */
export async function checkDeadlines(scope: JobScope): Promise<void> {
  for (const due of await takeMissed(scope.db, scope.now, atOnce)) await follow(scope, due)
}

async function follow(scope: JobScope, due: Due): Promise<void> {
  const { kind, market, sellerOrderId } = due
  const { from, to, reason } = watched[kind]
  const lines = await quantityStates(scope.db, [sellerOrderId])
  const isOpen = lines.some(({ quantities }) => from.some((state) => (quantities[state] ?? 0) > 0))
  if (!isOpen) return endDue(scope.db, due)
  const { does, nextAt } = consequence(kind, market, due.step, scope.now)
  if (does === 'remind') await tellReminder(scope, due)
  else if (does === 'escalate') await tellEscalation(scope, due)
  else await moveLines(scope, { sellerOrderId, actor: 'system', reason, moves: (held) => movesOf(held, null, from, to) })
  if (nextAt) await postponeDue(scope.db, due, nextAt)
  else await endDue(scope.db, due)
}
