import { every, job, on, type JobScope } from '#platform'
import { onDeadline } from './dispute.ts'
import { endLaterIncident } from './end-incident.ts'
import { endRefundedIncident, endUnclaimed, scheduleEnd, type Troubled } from './end-unclaimed.ts'
import { moveAs } from './move-dispute.ts'
import { findDispute, readDue } from './store.ts'

/** Makes the moves of passed deadlines; where the operator is late, the dispute stays in their list. */
export async function passDeadlines(scope: JobScope): Promise<void> {
  for (const id of await readDue(scope.db, scope.now, Object.keys(onDeadline))) {
    const dispute = await findDispute(scope.db, id)
    const action = dispute && onDeadline[dispute.state]
    if (action) await moveAs(scope, 'system', { id, action })
  }
}

export const handlers = [
  on('seller-order.incident-opened', 'disputes.end-later-incident', { commit: endLaterIncident }),
  on('seller-order.incident-opened', 'disputes.end-refunded-incident', { commit: endRefundedIncident }),
  on('seller-order.incident-opened', 'disputes.schedule-end', { commit: scheduleEnd }),
  on('dispute.changed', 'disputes.schedule-end', { commit: scheduleEnd }),
  on('refund.requested', 'disputes.end-refunded-incident', { commit: endRefundedIncident }),
]

export const jobs = [job<Troubled>('disputes.end-unclaimed', { commit: endUnclaimed })]

export const schedules = [every(60_000, 'disputes.pass-deadlines', passDeadlines)]
