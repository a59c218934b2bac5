import { incidentEnd, incidentsByReason, isBackWithSeller, type IncidentPieces } from '#fulfilment'
import { isOrderId, lockPart, quantityStates, readMoves, readOrder, type Actor, type LineQuantities } from '#orders'
import { enqueue, newId, type JobScope } from '#platform'
import { readRefundedBefore, readRefundsOf, requestRefund } from '#refunds'
import { bringsOwnGoods, givenForMissing, givenReason, readReturnsOf } from '#returns'
import { leaveIncident, type Left } from './leave-incident.ts'
import { paidBack } from './paid-back.ts'
import { findDisputed, readDisputesOfOrder } from './store.ts'

/** A seller order of which pieces may be in an incident. */
export interface Troubled {
  customerOrderId: string
  sellerOrderId: string
}

/** Missing goods whose price has gone back, whoever gave it, are closed: nobody waits for them any more. */
export async function endRefundedIncident(scope: JobScope, { customerOrderId, sellerOrderId }: Troubled): Promise<void> {
  const order = await readOrder(scope.db, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return
  const refunds = (await readRefundsOf(scope.db, customerOrderId)).filter((refund) => refund.sellerOrderId === sellerOrderId)
  const before = await readRefundedBefore(scope.db, sellerOrderId)
  await closeGiven(scope, { customerOrderId, sellerOrderId }, { actor: 'system', isMeant: () => true })
  await leaveIncident(scope, {
    sellerOrderId,
    actor: 'system',
    reason: 'lost-refunded',
    to: 'closed',
    pieces: (incidents, quantities) => paidBack({ order, part, quantities, incidents, refunds, before }),
  })
}

/** The pieces in an incident with the end of each, by line and reason; none while a dispute is open, whose end begins the time anew. */
async function endsOf({ db }: Pick<JobScope, 'db'>, { customerOrderId, sellerOrderId }: Troubled) {
  const incidents = incidentsByReason(await quantityStates(db, [sellerOrderId]), await readMoves(db, [sellerOrderId]))
  if (incidents.length === 0) return []
  const disputes = (await readDisputesOfOrder(db, customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
  if (disputes.some(({ endedAt }) => endedAt === null)) return []
  const order = incidents.some(isBackWithSeller) ? await readOrder(db, customerOrderId) : undefined
  const areOwn = order !== undefined && (await bringsOwnGoods(db, order))
  const ended = Math.max(0, ...disputes.map(({ endedAt }) => endedAt?.getTime() ?? 0))
  return incidents.map((incident) => {
    const openedAt = new Date(Math.max(incident.openedAt.getTime(), ended))
    return { ...incident, ...incidentEnd({ ...incident, openedAt, areOwn }) }
  })
}

/** Notes when an incident ends by itself: whenever one begins, and when a dispute has left it open. */
export async function scheduleEnd(scope: JobScope, { customerOrderId, sellerOrderId }: Troubled): Promise<void> {
  const times = new Set((await endsOf(scope, { customerOrderId, sellerOrderId })).map(({ at }) => at.getTime()))
  for (const time of times) {
    const payload: Troubled = { customerOrderId, sellerOrderId }
    await enqueue(scope.db, { name: 'disputes.end-unclaimed', key: `${sellerOrderId}/${time}`, payload, runAt: new Date(time) })
  }
}

/** Ends incidents whose time has passed without a dispute. */
export async function endUnclaimed(scope: JobScope, troubled: Troubled): Promise<void> {
  const due = (await endsOf(scope, troubled)).filter(({ at }) => at <= scope.now)
  const of = (isRefunded: boolean) => {
    const own = due.filter((each) => each.isRefunded === isRefunded)
    return ({ offerId, reason }: IncidentPieces) => own.some((each) => each.offerId === offerId && each.reason === reason)
  }
  await closeIncident(scope, troubled, { actor: 'system', isMeant: of(true), isRefunded: true })
  await closeIncident(scope, troubled, { actor: 'system', isMeant: of(false), isRefunded: false })
}

interface Closing {
  actor: Actor
  /** Why it is closed, if nothing is refunded. */
  reason?: string
  isMeant: (pieces: IncidentPieces) => boolean
  isRefunded: boolean
}

/**
 * Closes incidents. A refund is of the pieces that were closed, with their share of the delivery charge; not of those for which a return has
 * given money or goods.
 */
async function closeIncident(
  scope: JobScope,
  troubled: Troubled,
  { actor, reason = 'not-claimed', isMeant, isRefunded }: Closing,
): Promise<Left> {
  const { customerOrderId, sellerOrderId } = troubled
  const given = isRefunded ? await closeGiven(scope, troubled, { actor, isMeant }) : undefined
  const left = await leaveIncident(scope, {
    sellerOrderId,
    actor,
    reason: isRefunded ? 'lost-refunded' : reason,
    to: 'closed',
    pieces: (_incidents, _lines, byReason) => byReason.filter(isMeant),
  })
  if (left.ok && isRefunded)
    await requestRefund(scope, { customerOrderId, sellerOrderId, cause: 'lost', key: `lost:${newId()}`, units: left.moves })
  return given?.ok && !left.ok ? given : left
}

/** Closes those for which a return has given money or goods: nothing more is owed for them. */
async function closeGiven(
  scope: JobScope,
  { customerOrderId, sellerOrderId }: Troubled,
  { actor, isMeant }: Pick<Closing, 'actor' | 'isMeant'>,
): Promise<Left> {
  // No return of the part is settled meanwhile.
  await lockPart(scope.db, sellerOrderId)
  const moves = await readMoves(scope.db, [sellerOrderId])
  const returns = (await readReturnsOf(scope.db, customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
  const pieces = (_incidents: unknown, lines: readonly LineQuantities[], byReason: readonly IncidentPieces[]) =>
    givenForMissing({ lines, moves, returns }).flatMap(({ offerId, quantity }) => {
      const meant = byReason.reduce((all, each) => all + (each.offerId === offerId && isMeant(each) ? each.quantity : 0), 0)
      return meant > 0 ? [{ offerId, quantity: Math.min(quantity, meant) }] : []
    })
  return leaveIncident(scope, { sellerOrderId, actor, reason: givenReason, to: 'closed', pieces })
}

export const incidentDeeds = ['refund', 'send-again', 'close'] as const
export type IncidentDeed = (typeof incidentDeeds)[number]
export type EndedIncident = { ok: true } | { ok: false; reason: 'unknown-order' | 'dispute-exists' | 'move-not-allowed' | 'out-of-stock' }

/** The operator, whom the route has authorised, ends the incident of a seller order, unless a dispute about it is open: that is decided. */
export async function endIncidentAsOperator(scope: JobScope, sellerOrderId: string, deed: IncidentDeed): Promise<EndedIncident> {
  const order = isOrderId(sellerOrderId) ? await readOrder(scope.db, sellerOrderId.replace(/-\d+$/, '')) : undefined
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return { ok: false, reason: 'unknown-order' }
  if ((await findDisputed(scope.db, [sellerOrderId])).size > 0) return { ok: false, reason: 'dispute-exists' }
  const by = { actor: 'operator', reason: 'closed-by-operator' } as const
  const left =
    deed === 'send-again'
      ? await leaveIncident(scope, {
          sellerOrderId,
          actor: by.actor,
          reason: 'sent-again',
          to: 'accepted',
          pieces: (incidents) => incidents,
        })
      : await closeIncident(
          scope,
          { customerOrderId: order.id, sellerOrderId },
          { ...by, isMeant: () => true, isRefunded: deed === 'refund' },
        )
  if (left.ok) return { ok: true }
  return { ok: false, reason: left.reason === 'out-of-stock' ? left.reason : 'move-not-allowed' }
}
